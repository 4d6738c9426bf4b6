/** The matrix's end of the witness: starts the process, hears who stands still. What is judged is read from the file. */

import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One thing that really happened, as a connector told of it. */
export type Line = { cell: string; executionId: string } & (
  | { what: "call"; seq: number; attempt: number; idempotencyKey: string; method: string; n: number; heard: [n: number, value: unknown][] }
  | { what: "revert"; seq: number; idempotencyKey: string; method: string; n: number }
  | { what: "pass_end" | "dispose"; status: string }
);
/** As a connector tells it. */
export type Told = Line extends infer One ? (One extends Line ? Omit<One, "cell"> : never) : never;
export type Called = Extract<Line, { what: "call" }>;

export type FromWitness = { kind: "ready"; port: number } | { kind: "held" | "standing"; cell: string };
/** With `answers` the nth is answered all the same: it only tells the moment. */
export type ToWitness = { cell: string; what: "call" | "revert"; nth: number; answers: boolean };

export class Witness implements AsyncDisposable {
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #waiting = new Map<string, () => void>();

  private constructor(child: ChildProcess, port: number, folder: string) {
    this.#process = child;
    this.#folder = folder;
    this.url = `http://127.0.0.1:${port}/`;
    child.on("message", (message: FromWitness) => {
      if (message.kind !== "ready") this.#waiting.get(`${message.kind} ${message.cell}`)?.();
    });
  }

  static async start(): Promise<Witness> {
    const folder = await mkdtemp(join(tmpdir(), "witness-"));
    const child = fork(join(import.meta.dirname, "witness-process.ts"), [join(folder, "lines")], { execArgv: [] });
    const [message] = (await once(child, "message")) as [FromWitness];
    if (message.kind !== "ready") throw new Error("the witness did not say where it listens");
    return new Witness(child, message.port, folder);
  }

  /** From the resolved promise on it is held. */
  async hold(order: ToWitness): Promise<void> {
    const held = this.#heard("held", order.cell);
    this.#process.send(order);
    await held;
  }

  /** Resolves when the cell stands still. To be asked before it can. */
  standing(cell: string): Promise<void> {
    return this.#heard("standing", cell);
  }

  /** All that was ever written down, in order. */
  async lines(): Promise<Line[]> {
    const text = await readFile(join(this.#folder, "lines"), "utf8");
    return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Line]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#process, "exit");
    this.#process.disconnect();
    await gone;
    await rm(this.#folder, { recursive: true, force: true });
  }

  #heard(kind: string, cell: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(`${kind} ${cell}`, resolve));
  }
}
