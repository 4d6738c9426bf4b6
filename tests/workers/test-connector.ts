/**
 * The connectors of the test Agent. Every execution is recorded where it starts, under `<connector>.<method>`.
 */

import { CodemodeConnector, type ConnectorTool, type ConnectorTools } from "../../js-shim/client/index.ts";
import type { HostRecord } from "./test-record.ts";

/** How a connector of this contact differs from the usual one. */
export type Twist = {
  /** Methods that it does not have. */
  drop?: readonly string[];
  /** Its descriptions are others, and it has one method more, `fresh`. */
  changed?: boolean;
  /** It cannot be reached. */
  down?: boolean;
  /** What it does when it is told of a run's end, after it was recorded. */
  hooks?: "throw" | "hang" | "ask";
};

/** What the methods need of the Agent around them. */
export type Surroundings = {
  record: HostRecord;
  /** Open calls of `hold`, by key. */
  held: Map<string, (value: unknown) => void>;
  /** Who waits for a call of `hold` to be there. */
  awaited: Map<string, () => void>;
  /** Starts an execution from inside one. */
  nest: (code: string, parent: string) => Promise<unknown>;
  /** Makes a contact about an execution. */
  cancel: (executionId: string) => Promise<void>;
  /** What the runtime has recorded of a call, asked while it runs. */
  recorded: (executionId: string, seq: number) => Promise<unknown>;
};

abstract class Recorded extends CodemodeConnector<unknown> {
  protected readonly around: Surroundings;
  readonly #twist: Twist;

  constructor(ctx: DurableObjectState, around: Surroundings, twist: Twist = {}) {
    super(ctx, undefined);
    this.around = around;
    this.#twist = twist;
  }

  protected abstract methods(): ConnectorTools;

  /** Stays open until the test releases it. */
  protected hold(key: string): Promise<unknown> {
    const { held, awaited } = this.around;
    return new Promise((resolve) => {
      held.set(key, resolve);
      awaited.get(key)?.();
      awaited.delete(key);
    });
  }

  protected tools(): ConnectorTools {
    if (this.#twist.down === true) throw new Error("connection refused");
    const dropped = new Set(this.#twist.drop);
    const kept = Object.fromEntries(Object.entries(this.methods()).filter(([name]) => !dropped.has(name)));
    if (this.#twist.changed !== true) return kept;
    const renamed = Object.entries(kept).map(([name, tool]) => [name, { ...tool, description: `Changed: ${tool.description ?? name}` }] as const);
    return { ...Object.fromEntries(renamed), fresh: { description: "Echo that was not there before.", execute: (args) => args } };
  }

  protected override onPassEnd(executionId: string, status: string): Promise<void> | void {
    return this.#hear("pass_end", executionId, status);
  }

  protected override disposeExecution(executionId: string, status: string): Promise<void> | void {
    return this.#hear("dispose", executionId, status);
  }

  protected override onCancel(executionId: string): Promise<void> | void {
    return this.#hear("cancelled", executionId, "");
  }

  #hear(what: string, executionId: string, detail: string): Promise<void> | void {
    this.around.record.hear({ connector: this.name(), what, executionId, detail });
    if (this.#twist.hooks === "throw") throw new Error("the hook is broken");
    if (this.#twist.hooks === "hang") return new Promise(() => {});
    if (this.#twist.hooks === "ask" && what === "pass_end") return this.around.cancel(executionId);
  }

  protected override tool(name: string, tool: ConnectorTool): ConnectorTool {
    const path = `${this.name()}.${name}`;
    const { revert } = tool;
    return {
      ...tool,
      ...(revert !== undefined && {
        revert: (args, result, ctx) => {
          const detail = text([name, args, result, ctx.seq, ctx.idempotencyKey]);
          this.around.record.hear({ connector: this.name(), what: "revert", executionId: ctx.executionId, detail });
          return revert.call(tool, args, result, ctx);
        },
      }),
      execute: (args, ctx) => {
        this.around.record.add({ path, args: text(args), ...ctx });
        return tool.execute(args, ctx);
      },
    };
  }
}

export class TestConnector extends Recorded {
  #busy = 0;

  name(): string {
    return "t";
  }

  protected override instructions(): string {
    return "For tests.";
  }

  protected methods(): ConnectorTools {
    const { record, nest, recorded } = this.around;
    const hold = ({ key }: { key: string }): Promise<unknown> => this.hold(key);
    return {
      echo: { description: "Returns its argument.", execute: (args) => args },
      sleep: {
        description: "Waits `ms`, then returns `value`.",
        execute: async ({ ms, value }: { ms: number; value?: unknown }) => {
          record.peak("t.sleep/peak", (this.#busy += 1));
          await new Promise((resolve) => setTimeout(resolve, ms));
          this.#busy -= 1;
          return value;
        },
      },
      hold: { description: "Stays open until the test releases `key`.", execute: hold },
      fail: {
        description: "Throws an error with `message`, and with `data` when given.",
        execute: ({ message, data }: { message: string; data?: unknown }) => {
          throw Object.assign(new Error(message), data !== undefined && { data });
        },
      },
      count: {
        description: "Adds one to the counter `key` and returns it.",
        execute: ({ key }: { key: string }) => record.bump(`count/${key}`),
      },
      gate: { description: "Waits for approval, then returns its argument.", requiresApproval: true, execute: (args) => args },
      gateTyped: {
        description: "Waits for approval; takes whole numbers only.",
        requiresApproval: true,
        inputSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"], additionalProperties: false },
        execute: ({ n }: { n: number }) => n * 2,
      },
      gateFail: {
        description: "Waits for approval, then fails.",
        requiresApproval: true,
        execute: () => {
          throw new Error("approved, and failed");
        },
      },
      ask: {
        description: "Waits for approval when `amount` is above 100.",
        requiresApproval: (args) => (args as { amount: number }).amount > 100,
        execute: (args) => args,
      },
      askBroken: {
        description: "Cannot say whether it needs approval.",
        requiresApproval: () => {
          throw new Error("the policy is away");
        },
        execute: (args) => args,
      },
      read: { description: "Counts its reads.", readOnly: true, execute: () => record.bump("reads") },
      put: { description: "Writes; twice is as once.", idempotent: true, execute: ({ value }: { value: unknown }) => value },
      reexec: { description: "Counts, and is run again by a replay.", replay: "reexecute", execute: () => record.bump("reexecuted") },
      holdPut: { description: "As hold, and twice is as once.", idempotent: true, execute: hold },
      holdRead: { description: "As hold, and changes nothing.", readOnly: true, execute: hold },
      typed: {
        description: "Takes an id and a label.",
        inputSchema: {
          type: "object",
          properties: { id: { type: "integer", minimum: 1 }, label: { type: "string" } },
          required: ["id"],
          additionalProperties: false,
        },
        outputSchema: { type: "string" },
        execute: ({ id, label }: { id: number; label?: string }) => `${id}:${label ?? ""}`,
      },
      context: { description: "Returns what it is told of the call.", execute: (_args, ctx) => ctx },
      witness: {
        description: "Returns what is recorded of this very call while it runs.",
        execute: (_args, { executionId, seq }) => recorded(executionId, seq),
      },
      nest: {
        description: "Runs `code` as an execution of its own.",
        execute: ({ code }: { code: string }, { executionId }) => nest(code, executionId),
      },
    };
  }
}

/** A second one, to be left out; and what can be undone. */
export class SideConnector extends Recorded {
  name(): string {
    return "side";
  }

  protected methods(): ConnectorTools {
    const keep = (args: unknown): unknown => ({ kept: args });
    return {
      echo: { description: "Returns its argument, too.", execute: (args) => args },
      keep: { description: "An effect that can be undone.", execute: keep, revert: () => {} },
      keepGate: { description: "The same, after approval.", requiresApproval: true, execute: keep, revert: () => {} },
      keepBadly: {
        description: "Undoing it fails.",
        execute: keep,
        revert: () => {
          throw new Error("it is nailed down");
        },
      },
      keepLong: { description: "Undoing it takes until the test releases `undo`.", execute: keep, revert: async () => void (await this.hold("undo")) },
      keepLongTwice: { description: "The same, and undoing it twice is as once.", idempotent: true, execute: keep, revert: async () => void (await this.hold("undo")) },
      keepLarge: { description: "Its result is too large to be kept.", execute: () => "x".repeat(1_000_001), revert: () => {} },
    };
  }
}

function text(args: unknown): string {
  try {
    return JSON.stringify(args) ?? "";
  } catch {
    return String(args);
  }
}
