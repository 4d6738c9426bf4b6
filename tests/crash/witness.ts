/**
 * The test's end of the witness: starts the process, hears of effects as they are written down, lets held ones go. What is
 * asserted is read from the file.
 */

import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One effect, as the connector told of it. */
export interface Effect {
  executionId: string;
  seq: number;
  attempt: number;
  idempotencyKey: string;
  method: string;
  args: { n: number; hold?: boolean };
  /** When it was written down, ms since the epoch. */
  at: number;
}

export type FromWitness = { kind: "ready"; port: number } | { kind: "effect"; effect: Effect };
/** Lets a held call go; the connector returns `value`. */
export type ToWitness = { effect: Effect; value: unknown };

export class Witness implements AsyncDisposable {
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #seen: Effect[] = [];
  readonly #waiting = new Set<() => void>();

  private constructor(child: ChildProcess, port: number, folder: string) {
    this.#process = child;
    this.#folder = folder;
    this.url = `http://127.0.0.1:${port}/`;
    child.on("message", (message: FromWitness) => {
      if (message.kind !== "effect") return;
      this.#seen.push(message.effect);
      for (const look of this.#waiting) look();
    });
  }

  static async start(): Promise<Witness> {
    const folder = await mkdtemp(join(tmpdir(), "witness-"));
    const child = fork(join(import.meta.dirname, "witness-process.ts"), [join(folder, "effects")], { execArgv: [] });
    const [message] = (await once(child, "message")) as [FromWitness];
    if (message.kind !== "ready") throw new Error("the witness did not say where it listens");
    return new Witness(child, message.port, folder);
  }

  /** How many effects it has told of so far. */
  get count(): number {
    return this.#seen.length;
  }

  /** Resolves as soon as `count` is reached. */
  reaches(count: number): Promise<void> {
    return this.#until(() => (this.#seen.length >= count ? { value: undefined } : undefined));
  }

  /** The first effect that matches, now or later. */
  seen(matches: Partial<Omit<Effect, "args">> & { n: number }): Promise<Effect> {
    const { n, ...rest } = matches;
    return this.#until(() => {
      const value = this.#seen.find(
        (effect) => effect.args.n === n && Object.entries(rest).every(([name, part]) => Reflect.get(effect, name) === part),
      );
      return value && { value };
    });
  }

  release(effect: Effect, value: unknown): void {
    this.#process.send({ effect, value } satisfies ToWitness);
  }

  /** All that was ever written down for an execution, in order. */
  async effects(executionId: string): Promise<Effect[]> {
    const lines = (await readFile(join(this.#folder, "effects"), "utf8")).split("\n").filter((line) => line !== "");
    return lines.map((line) => JSON.parse(line) as Effect).filter((effect) => effect.executionId === executionId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#process, "exit");
    this.#process.disconnect();
    await gone;
    await rm(this.#folder, { recursive: true, force: true });
  }

  #until<T>(find: () => { value: T } | undefined): Promise<T> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = find();
        if (found === undefined) return;
        this.#waiting.delete(look);
        resolve(found.value);
      };
      this.#waiting.add(look);
      look();
    });
  }
}
