/**
 * The world around an attack, and what must be as before when it is over: another run that waits for a person, a runtime of
 * another name, the calls that really ran.
 */

import { expect } from "vitest";

import { bundleHarness } from "../../scripts/bundle-harness.mjs";
import type { CodemodeOutput, ExecutionState, Limits, PendingAction } from "../../js-shim/client/index.ts";
import { type Runtime, startRuntime } from "../support/miniflare.ts";
import type { Question } from "./agent.ts";

type Before = { ran: string[]; waiting: unknown; other: unknown };

export class World implements AsyncDisposable {
  readonly #runtime: Runtime;
  #waiting = "";

  private constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  static async start(): Promise<World> {
    const harness = await bundleHarness({ entry: "tests/forgery/harness.ts" });
    const world = new World(await startRuntime({ worker: "tests/forgery/agent.ts", agents: { AGENT: "Agent" }, variant: { harness } }));
    const first = await world.execute(`async () => { await lab.send("first"); return lab.gate("waits"); }`);
    world.#waiting = first.executionId;
    await world.ask({ ask: "execute", code: `async () => lab.gate("waits elsewhere")`, runtime: "other" });
    return world;
  }

  async ask<T>(question: Question): Promise<T> {
    const response = await fetch(this.#runtime.url, { method: "POST", body: JSON.stringify(question) });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text) as T;
  }

  execute(code: string, limits: Partial<Limits> = {}): Promise<CodemodeOutput> {
    return this.ask({ ask: "execute", code, limits });
  }

  /** Runs an attack to its end, and checks that it changed nothing that is not its own. `gains` is what it may have run. */
  async attack(name: string, given = "", limits: Partial<Limits> = {}, gains: readonly string[] = []): Promise<CodemodeOutput> {
    const before = await this.#before();
    const output = await this.execute(program(name, given), limits);
    await this.#unharmed(before, gains, output.executionId);
    return output;
  }

  /** The same where steps have a network and a binding. */
  async reaching(name: string, given = "", gains: readonly string[] = [], limits: Partial<Limits> = {}): Promise<CodemodeOutput> {
    const before = await this.#before();
    const output = await this.ask<CodemodeOutput>({ ask: "execute", code: program(name, given), limits, reaches: true });
    await this.#unharmed(before, gains, output.executionId);
    return output;
  }

  /** Lets an attack pause, approves it, and lets it go on. */
  async approved(name: string, gains: readonly string[], options: { seq?: number; args?: unknown } = {}): Promise<CodemodeOutput> {
    const before = await this.#before();
    const paused = await this.execute(program(name, ""));
    if (paused.status !== "paused") throw new Error(`${paused.status}: ${JSON.stringify(paused).slice(0, 500)}`);
    const { executionId } = paused;
    const output = await this.ask<CodemodeOutput>({ ask: "approve", executionId, ...options });
    await this.#unharmed(before, gains, executionId);
    return output;
  }

  execution(executionId: string): Promise<ExecutionState> {
    return this.ask({ ask: "execution", executionId });
  }

  /** Answers the calls of `lab.hold` and waits until a run has none under way any more. */
  async released(executionId: string): Promise<void> {
    await this.ask({ ask: "release" });
    let log = (await this.execution(executionId)).log;
    while (log.some(({ state }) => state === "executing")) log = (await this.execution(executionId)).log;
  }

  ran(): Promise<string[]> {
    return this.ask({ ask: "ran" });
  }

  get waiting(): string {
    return this.#waiting;
  }

  async #before(): Promise<Before> {
    const waiting = await this.execution(this.#waiting);
    return { ran: await this.ran(), waiting, other: await this.ask({ ask: "executions", runtime: "other" }) };
  }

  async #unharmed({ ran, waiting, other }: Before, gains: readonly string[], own: string): Promise<void> {
    expect(await this.ran()).toEqual([...ran, ...gains]);
    expect(await this.execution(this.#waiting)).toEqual(waiting);
    expect(await this.ask({ ask: "executions", runtime: "other" })).toEqual(other);
    const pending = await this.ask<PendingAction[]>({ ask: "pending" });
    expect(pending.filter(({ executionId }) => executionId !== own)).toContainEqual(
      expect.objectContaining({ executionId: this.#waiting, args: "waits" }),
    );
    expect(await this.ask<ExecutionState[]>({ ask: "executions" })).toContainEqual(expect.objectContaining({ id: own }));
    expect(await this.execute(`async () => 6 * 7`)).toMatchObject({ status: "completed", result: 42 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runtime.stop();
  }
}

function program(name: string, given: string): string {
  return `async () => "attack:${name}:${encodeURIComponent(given)}"`;
}
