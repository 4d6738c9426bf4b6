/** One workerd for all attempts: exchanges the sandbox, runs the program, and gathers what can be seen from outside. */

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { bundleHarness, type Harness, wholeHarness } from "../../scripts/bundle-harness.mjs";
import type { CodemodeOutput, ExecutionState, Limits } from "../../js-shim/client/index.ts";
import { type Runtime, startRuntime } from "../support/miniflare.ts";
import type { Question } from "./agent.ts";
import { type Attempt, type Found, programOf } from "./attempt.ts";

/** In the environment of both Workers; no program may ever tell it. */
export const SECRET = "secret-of-the-environment";
/** In a run of another name, and in an earlier run of this one. */
export const FOREIGN = "secret-of-another-run";

const LIMITS = { passMs: 5_000 };

export class World implements AsyncDisposable {
  readonly #runtime: Runtime;
  readonly #server: Server;
  readonly #shipped: Harness;
  #heard = 0;

  private constructor(runtime: Runtime, server: Server, shipped: Harness) {
    this.#runtime = runtime;
    this.#server = server;
    this.#shipped = shipped;
    server.on("request", (_request, response) => {
      this.#heard += 1;
      response.end("heard");
    });
    server.on("upgrade", (_request, socket) => {
      this.#heard += 1;
      socket.destroy();
    });
  }

  static async start(): Promise<World> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const shipped = await bundleHarness();
    const runtime = await startRuntime({
      worker: "tests/escape/agent.ts",
      runtime: "tests/escape/runtime.ts",
      agents: { AGENT: "Agent" },
      bindings: { SECRET },
      variant: { harness: shipped },
    });
    const world = new World(runtime, server, shipped);
    for (const name of ["other", "default"]) {
      const output = await world.#ask<CodemodeOutput>({
        ask: "execute",
        runtime: name,
        code: `async () => { globalThis.left = Array.prototype.left = "${FOREIGN}"; Symbol.for("${FOREIGN}"); return lab.gate("${FOREIGN}") }`,
      });
      if (output.status !== "paused") throw new Error(JSON.stringify(output));
    }
    const { executionId } = await world.#ask<CodemodeOutput>({ ask: "execute", code: "async (input) => [input]" });
    await world.#ask({ ask: "save", executionId, snippet: "kept" });
    return world;
  }

  /** Runs an attempt in the shipped sandbox. */
  shipped(attempt: Attempt): Promise<Found> {
    return this.#run(attempt, this.#shipped, false);
  }

  /** Runs it in one that lacks the defence it names. */
  async without(attempt: Attempt): Promise<Found> {
    const { patches = [], isOpen = false } = attempt.without ?? {};
    return this.#run(attempt, patches.length === 0 ? this.#shipped : await bundleHarness({ patches }), isOpen);
  }

  async #run(attempt: Attempt, bundled: Harness, isOpen: boolean): Promise<Found> {
    const harness = wholeHarness(bundled);
    const { port } = this.#server.address() as AddressInfo;
    const program = programOf(attempt, `http://127.0.0.1:${port}/`, harness);
    await this.#ask({ ask: "sandbox", harness, module: attempt.isModule ? program : "", isOpen });
    await this.#ask({ ask: "ran" });
    this.#heard = 0;
    let output = await this.#ask<CodemodeOutput>({ ask: "execute", code: attempt.isModule ? "async () => 1" : program, limits: LIMITS });
    let first: CodemodeOutput | undefined;
    if (attempt.passes !== undefined && output.status === "paused") {
      first = output;
      await new Promise((resolve) => setTimeout(resolve, attempt.passes?.apart));
      output = await this.#ask<CodemodeOutput>({ ask: "approve", executionId: output.executionId, limits: LIMITS });
    }
    const { executionId } = output;
    return {
      output,
      first,
      execution: await this.#ask<ExecutionState>({ ask: "execution", executionId }),
      told: toldBy(output),
      ran: await this.#ask<string[]>({ ask: "ran" }),
      heard: this.#heard,
      harness,
      seed: await this.#ask<string>({ ask: "seed", executionId }),
    };
  }

  async #ask<T>(question: Question & { limits?: Partial<Limits> }): Promise<T> {
    const response = await fetch(this.#runtime.url, { method: "POST", body: JSON.stringify(question) });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text) as T;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await this.#runtime.stop();
  }
}

function toldBy(output: CodemodeOutput): string[] {
  const result: unknown = output.status === "completed" ? output.result : undefined;
  const loot = (Array.isArray(result) ? result : [result]).map((piece: unknown) => (typeof piece === "string" ? piece : JSON.stringify(piece) ?? ""));
  return [...(output.logs ?? []), ...loot, ...(output.status === "error" ? [output.error] : [])];
}
