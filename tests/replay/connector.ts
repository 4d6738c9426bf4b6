/**
 * The connector of generated programs. What a method answers is a function of its name and its arguments alone; when it
 * answers is chance. It keeps a ledger of what it really did.
 */

import { CodemodeConnector, type ConnectorTools, type ToolExecuteContext } from "../../js-shim/client/index.ts";
import { Dice } from "./dice.ts";

/** One real execution. */
export interface Deed {
  readonly executionId: string;
  readonly seq: number;
  readonly attempt: number;
  readonly method: string;
  readonly args: string;
}

/** Methods whose result is not kept: a replay runs them again. */
export const REEXECUTED: ReadonlySet<string> = new Set(["list"]);

export class TrialConnector<Env> extends CodemodeConnector<Env> {
  readonly deeds: Deed[] = [];
  #latency: Latency | undefined;
  readonly #tools = this.#methods();

  /** Other latencies from now on. */
  reseed(seed: number): void {
    this.#latency = new Latency(seed);
  }

  /** Every answer at once from now on. */
  immediate(): void {
    this.#latency = undefined;
  }

  name(): string {
    return "t";
  }

  protected override tools(): ConnectorTools {
    return this.#tools;
  }

  #methods(): ConnectorTools {
    const { deeds } = this;
    const acting =
      (method: string, answer: (hash: number) => unknown) =>
      async (args: unknown, { executionId, seq, attempt }: ToolExecuteContext): Promise<unknown> => {
        const text = textOf(args);
        deeds.push({ executionId, seq, attempt, method, args: text });
        await this.#latency?.pass();
        return answer(hashOf(method + text));
      };
    const record = (h: number): unknown => ({ n: h % 1000, s: `r${h % 7}` });
    return {
      get: { description: "Gets a record.", readOnly: true, execute: acting("get", record) },
      list: {
        description: "Lists records.",
        readOnly: true,
        replay: "reexecute",
        execute: acting("list", (h) => Array.from({ length: 1 + (h % 3) }, (_, i) => ({ id: (h + i) % 1000 }))),
      },
      flaky: {
        description: "Fails for a third of its arguments.",
        idempotent: true,
        execute: acting("flaky", (h) => {
          if (h % 3 === 0) throw Object.assign(new RangeError(`flaky ${h % 100}`), { status: h % 7 });
          return record(h);
        }),
      },
      nothing: { description: "Answers with undefined.", readOnly: true, execute: acting("nothing", () => undefined) },
      rich: {
        description: "Answers with what is not JSON.",
        readOnly: true,
        execute: acting("rich", (h) => ({ at: new Date(h), not: Number.NaN, list: new Set([h % 10]), bytes: new Uint8Array([h % 256]) })),
      },
      blob: {
        description: "Answers with `size` characters.",
        readOnly: true,
        execute: (args: unknown, ctx) => acting("blob", (h) => `${h}.`.repeat(Math.ceil(sizeOf(args) / 2)).slice(0, sizeOf(args)))(args, ctx),
      },
      put: { description: "Writes.", execute: acting("put", record) },
      gate: { description: "Writes, when a person agrees.", requiresApproval: true, execute: acting("gate", record) },
      maybe: {
        description: "Writes; for most arguments a person is asked.",
        idempotent: true,
        requiresApproval: async (args) => {
          await this.#latency?.pass();
          return asksFor(textOf(args));
        },
        execute: acting("maybe", record),
      },
    };
  }
}

/** Whether `maybe` waits for a person. */
export function asksFor(args: string): boolean {
  return hashOf(args) % 3 !== 0;
}

function sizeOf(args: unknown): number {
  return typeof args === "object" && args !== null && "size" in args ? Number(args.size) : 0;
}

export function textOf(args: unknown): string {
  return JSON.stringify(args) ?? "";
}

/** When answers come: at once, in a burst together with others, or after some milliseconds. */
class Latency {
  readonly #dice: Dice;
  #burst: Promise<void> | undefined;

  constructor(seed: number) {
    this.#dice = new Dice(seed);
  }

  pass(): Promise<void> | undefined {
    const kind = this.#dice.whole(100);
    if (kind < 20) return undefined;
    if (kind >= 55) return after(this.#dice.between(0, 6));
    this.#burst ??= this.#together();
    return this.#burst;
  }

  async #together(): Promise<void> {
    await after(3);
    this.#burst = undefined;
  }
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return hash >>> 0;
}
