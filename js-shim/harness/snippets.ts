/**
 * Snippets: programs of the same isolate that a program runs by name. Their modules are loaded before the program starts;
 * what is looked up is whether one may be run, and the record of that is all that a replay needs: the calls of a snippet
 * are numbered with those of its caller.
 *
 * The input is a copy, taken when the program says `run`. How deep a snippet was run is told by the async context.
 */

import { decode } from "../value/decode.ts";
import type { Shares } from "./budget.ts";
import { Along } from "./context.ts";
import { failure } from "./failures.ts";
import type { Manifest } from "./messages.ts";
import { mapGet, mapSet, NativeMap, NativePromise, ownData, whenReturned, whenSettled } from "./primordials.ts";

/** What a module of a program exports: called with its input, and with what grants it more of its budget. */
export type Entry = (input: unknown, more: Shares) => unknown;

export class Snippets {
  readonly #entries: Map<string, Entry> = new NativeMap();
  readonly #more: Shares;
  readonly #most: number;
  readonly #depths = new Along<number>();

  constructor(manifest: Manifest, more: Shares) {
    this.#more = more;
    this.#most = manifest.snippetDepth;
  }

  add(name: string, entry: Entry): void {
    mapSet(this.#entries, name, entry);
  }

  /** Why no snippet can be run at this place: a function of the place, so it takes no number. */
  faultHere(name: string): Error | undefined {
    if (this.#depth() < this.#most) return undefined;
    return failure(
      "call_limit",
      `codemode.run: snippet ${name} was not run, because snippets may run snippets ${this.#most} deep (limits.snippetDepth) and this is one more; a snippet that runs itself has to end`,
    );
  }

  /** `ask` looks the snippet up. What is no snippet resolves to what the runtime said of it. */
  run(name: string, input: string, ask: (args: readonly string[]) => Promise<unknown>): Promise<unknown> {
    const depth = this.#depth() + 1;
    return new NativePromise((resolve, reject) => {
      const answered = (answer: unknown): void => {
        const found = typeof answer === "object" && answer !== null ? ownData(answer, "snippet") : undefined;
        if (typeof found !== "string") return resolve(answer);
        const entry = mapGet(this.#entries, found);
        // The runtime answers so only for what it has sent along.
        if (entry === undefined) return reject(failure("internal", `the module of snippet ${found} is not in this sandbox`));
        const inside = (): void => whenReturned(() => entry(decode(input), this.#more), resolve, reject);
        this.#depths.with(depth, inside);
      };
      whenSettled(ask(input === "" ? [name] : [name, input]), answered, reject);
    });
  }

  #depth(): number {
    return this.#depths.get() ?? 0;
  }
}
