/**
 * Methods to try a runtime with: slow ones, failing ones, gated ones, and one value of every kind that can cross.
 */

import type { ConnectorTools } from "../../js-shim/client/index.ts";
import { CountedConnector } from "./counters.ts";

/** A value of each kind; from `function` on, of each kind that cannot cross. */
const VALUES: Readonly<Record<string, () => unknown>> = {
  json: () => ({ text: "a", number: 1.5, yes: true, nothing: null, list: [1, [2]] }),
  undefined: () => undefined,
  nan: () => Number.NaN,
  infinity: () => [Infinity, -Infinity],
  negativeZero: () => -0,
  bigint: () => 2n ** 64n,
  date: () => new Date(0),
  regexp: () => /a+/giu,
  map: () => new Map<unknown, unknown>([["a", 1], [{ key: true }, new Date(0)]]),
  set: () => new Set<unknown>([1, "a"]),
  error: () => Object.assign(new TypeError("a failure as a value", { cause: new Error("its cause") }), { status: 404 }),
  arrayBuffer: () => new Uint8Array([1, 2, 3]).buffer,
  int8: () => new Int8Array([-1, 1]),
  uint8: () => new Uint8Array([0, 255]),
  uint8Clamped: () => new Uint8ClampedArray([0, 255]),
  int16: () => new Int16Array([-1, 1]),
  uint16: () => new Uint16Array([1, 65535]),
  int32: () => new Int32Array([-1, 1]),
  uint32: () => new Uint32Array([1, 4294967295]),
  float32: () => new Float32Array([0.5]),
  float64: () => new Float64Array([0.1]),
  bigInt64: () => new BigInt64Array([-1n]),
  bigUint64: () => new BigUint64Array([1n]),
  shared: () => {
    const part = { n: 1 };
    return { first: part, second: part };
  },
  cyclic: () => {
    const self: { self?: unknown } = {};
    self.self = self;
    return self;
  },
  function: () => ({ f: () => 1 }),
  symbol: () => ({ s: Symbol("s") }),
  promise: () => ({ list: [Promise.resolve(1)] }),
  instance: () => ({ url: new URL("https://example.com/") }),
};

export class LabConnector<Env> extends CountedConnector<Env> {
  readonly #tools = this.#methods();

  name(): string {
    return "lab";
  }

  protected override instructions(): string {
    return "For experiments. No method reaches anything outside this Agent.";
  }

  protected tools(): ConnectorTools {
    return this.#tools;
  }

  #methods(): ConnectorTools {
    return {
      echo: { description: "Returns its argument.", readOnly: true, execute: (args) => args },
      sleep: {
        description: "Waits, then returns `value`. Not declared repeatable: interrupted in the middle, its outcome is unknown.",
        inputSchema: { type: "object", properties: { ms: { type: "number", minimum: 0, maximum: 60_000 }, value: true }, required: ["ms"] },
        execute: async ({ ms, value }: { ms: number; value?: unknown }) => {
          await new Promise((resolve) => setTimeout(resolve, ms));
          return value;
        },
      },
      fail: {
        description: "Throws an error with `message`, and with `data` when given.",
        inputSchema: { type: "object", properties: { message: { type: "string" }, data: true }, required: ["message"] },
        execute: ({ message, data }: { message: string; data?: unknown }) => {
          throw Object.assign(new Error(message), data !== undefined && { data });
        },
      },
      count: {
        description: "Adds one to the counter `key` and returns it. An effect: running it twice shows.",
        inputSchema: { type: "object", properties: { key: { type: "string" } }, required: ["key"], additionalProperties: false },
        outputSchema: { type: "integer" },
        execute: ({ key }: { key: string }) => this.counters.bump(`lab.count/${key}`),
      },
      gate: {
        description: "Waits for approval, then returns its argument and how often it really ran.",
        requiresApproval: true,
        execute: (args) => ({ args, runs: this.counters.bump("lab.gate/runs") }),
      },
      value: {
        description: "Returns a value of the kind asked for.",
        inputSchema: { type: "object", properties: { kind: { enum: Object.keys(VALUES) } }, required: ["kind"], additionalProperties: false },
        readOnly: true,
        execute: ({ kind }: { kind: string }) => VALUES[kind]?.(),
      },
    };
  }
}
