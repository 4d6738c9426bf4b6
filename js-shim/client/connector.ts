/**
 * `CodemodeConnector`: what an application writes to give programs a namespace. One record, one entry per method.
 * It says how to run a method; replay, approval and the log are the runtime's. It needs no Workers module, so an
 * application can test its connectors anywhere.
 */

import type { Ending, PassEndStatus, TerminalStatus } from "../wire.ts";

/** Given to `execute` and `revert`: which call this is. */
export type ToolExecuteContext = {
  /** The run; the same in every pass, also after a pause. */
  executionId: string;
  /** The number of the call within the run, from 0. */
  seq: number;
  /** The same text in every attempt at this call, and in no other call: hand it to a service that takes idempotency keys. */
  idempotencyKey: string;
  /** 1 at the first attempt. More when host or runtime died in the middle of one. */
  attempt: number;
};

/**
 * A JSON Schema (draft 4, 6, 7, 2019-09 or 2020-12; without `$schema` it is read as 2020-12).
 * Where a method takes one, the schema of a library will do as well: zod, any other Standard Schema, `jsonSchema()` of the AI SDK.
 */
export type JsonSchema = boolean | object;

/**
 * One method of a connector.
 *
 * Contract for implementers: `execute` may be asked again for the same call after a crash when the method is `readOnly`,
 * `idempotent` or `replay: "reexecute"`; for any other a person decides. What it throws is recorded as the call's failure
 * and can be caught by the program.
 */
export type ConnectorTool = {
  description?: string | undefined;
  /**
   * Arguments are checked against it before `execute`. Without one any argument passes. A library's schema checks them itself,
   * and `execute`, `requiresApproval` and `revert` are given what it makes of them: defaults filled in, transformations done.
   */
  inputSchema?: JsonSchema | undefined;
  /** For the model's types; results are not checked against it. */
  outputSchema?: JsonSchema | undefined;
  /**
   * Wait for a person before `execute`. A function is asked with the checked arguments at the time of the call, on the host;
   * anything but `false` from it means wait. Default `false`.
   */
  requiresApproval?: boolean | ((args: unknown) => boolean | Promise<boolean>) | undefined;
  /** It changes nothing: may be recorded together with its outcome, and repeated. */
  readOnly?: boolean | undefined;
  /** Running it twice is as running it once. */
  idempotent?: boolean | undefined;
  /**
   * `"reexecute"`: the result is not kept and a replay runs the method again; for large reads.
   * Not together with `requiresApproval` or `revert`. Default `"log"`.
   */
  replay?: "log" | "reexecute" | undefined;
  /** What the method is called where it comes from, when `name` had to be changed. */
  original?: string | undefined;
  /** Of an async generator the last value that it yields is the result. */
  // Method syntax on purpose: an implementer may declare the argument type that its inputSchema promises.
  execute(args: unknown, ctx: ToolExecuteContext): unknown;
  /**
   * Undoes an applied call, given the arguments that ran and its result (`undefined` when it was too large to be kept).
   * Called by `rollback`, once: when host or runtime dies in the middle of it, only an `idempotent` method is asked again.
   */
  revert?(args: unknown, result: unknown, ctx: ToolExecuteContext): Promise<void> | void;
};

/** The methods of a connector by name. Names are JavaScript identifiers. */
export type ConnectorTools = Record<string, ConnectorTool>;

/** What a connector needs of its surroundings: the `ctx` of a Durable Object or of a Worker. */
export interface ConnectorContext<Props = unknown> {
  waitUntil(promise: Promise<unknown>): void;
  readonly props: Props;
}

/** What the runtime reads of a connector at a contact. */
type Offer = { instructions: string | undefined; tools: ConnectorTools };

let read: (connector: CodemodeConnector) => Promise<Offer>;
let adjust: (connector: CodemodeConnector, name: string, tool: ConnectorTool) => ConnectorTool;
let hooked: (connector: CodemodeConnector) => boolean;
let tell: (connector: CodemodeConnector, news: News) => Promise<void>;
let listens: (connector: CodemodeConnector, to: Ending) => boolean;

/** What a connector is told of a run, beside its calls. */
export type News =
  | { kind: "pass_end"; executionId: string; status: PassEndStatus }
  | { kind: "dispose"; executionId: string; status: TerminalStatus }
  | { kind: "cancelled"; executionId: string };

/**
 * Base class of connectors. Made with `new` inside the Agent: `new NotesConnector(this.ctx, this.env)`.
 *
 * Contract for implementers: `name()` never changes; `tools()` may, and is asked at each contact. Return the same object
 * while nothing has changed and it is not looked at again. A `tools()` that rejects makes this connector unavailable for
 * that contact; the others work.
 */
export abstract class CodemodeConnector<Env = unknown, Props = unknown> {
  protected readonly ctx: ConnectorContext<Props>;
  protected readonly env: Env;

  constructor(ctx: ConnectorContext<Props>, env: Env) {
    this.ctx = ctx;
    this.env = env;
  }

  // The protected parts are for subclasses; the rest of this folder reads them through these two and nobody else can.
  static {
    read = async (connector) => {
      const tools = await connector.tools();
      // After tools(): a derived connector often learns its guidance from the server it has just asked.
      return { instructions: connector.instructions(), tools };
    };
    adjust = (connector, name, tool) => connector.tool(name, tool);
    hooked = (connector) => connector.tool !== CodemodeConnector.prototype.tool;
    listens = (connector, to) => {
      const { onPassEnd, disposeExecution } = CodemodeConnector.prototype;
      return to === "pass_end" ? connector.onPassEnd !== onPassEnd : connector.disposeExecution !== disposeExecution;
    };
    tell = async (connector, news) => {
      const { executionId } = news;
      switch (news.kind) {
        case "pass_end":
          return connector.onPassEnd(executionId, news.status);
        case "dispose":
          return connector.disposeExecution(executionId, news.status);
        case "cancelled":
          return connector.onCancel(executionId);
        default: {
          const never: never = news;
          return never;
        }
      }
    };
  }

  /** The name of the global that programs see, for example `github`. */
  abstract name(): string;

  /** Guidance for the model, shown when it describes the namespace. */
  protected instructions(): string | undefined {
    return undefined;
  }

  /** The methods. May ask a server. */
  protected abstract tools(): ConnectorTools | Promise<ConnectorTools>;

  /**
   * Called once per method: the place to adjust one that you did not write, for example to ask for approval or to add a
   * `revert` to a tool of an MCP server. Return the tool, changed or not.
   */
  protected tool(_name: string, tool: ConnectorTool): ConnectorTool {
    return tool;
  }

  /**
   * A pass of a run ended; the run may go on after a pause. A place to close what was opened for the pass. This and the two
   * below may come more than once, to every connector that is configured, and what they throw is ignored.
   */
  protected onPassEnd(_executionId: string, _status: PassEndStatus): Promise<void> | void {}

  /** A run is over: the place to let go of what was kept for it. Comes after `onPassEnd`, perhaps much later. */
  protected disposeExecution(_executionId: string, _status: TerminalStatus): Promise<void> | void {}

  /** A run was cancelled while calls of this connector were in flight: nobody waits for them, and what they return is still recorded. */
  protected onCancel(_executionId: string): Promise<void> | void {}
}

/** Tells a connector. Rejects as its hook does. */
export function inform(connector: CodemodeConnector, news: News): Promise<void> {
  return tell(connector, news);
}

/** Whether it has a hook of its own for this kind of end. */
export function hears(connector: CodemodeConnector, to: Ending): boolean {
  return listens(connector, to);
}

/** Asks a connector for what it offers now. Rejects as its `tools()` does. */
export function toolsOf(connector: CodemodeConnector): Promise<Offer> {
  return read(connector);
}

/** The tool as the connector's own `tool()` hook wants it. */
export function decorated(connector: CodemodeConnector, name: string, tool: ConnectorTool): ConnectorTool {
  return adjust(connector, name, tool);
}

/** Whether it has a `tool()` hook of its own. */
export function isDecorated(connector: CodemodeConnector): boolean {
  return hooked(connector);
}
