/**
 * What crosses between client, runtime class and Rust core (`docs/design/wire.md`), as types. `src/wire/` is the same in Rust.
 * Types only: nothing here runs.
 */

/** A program's value as text; see `value/`. */
export type ValueText = string;
/** A text kept out of a listing because of its size; it is whole through `execution(id)`, a value with `seq`. `length` is in UTF-16 units. */
export type Omitted = { omitted: true; length: number };

/** In a listing: a text that is recorded and cannot be read, and why. */
export type Unreadable = { unreadable: string };

/** The host's side of the wire: one function, alike in TypeScript and in Rust. */
export type HostFunction = (message: string) => Promise<string>;

export type Limits = {
  passMs: number;
  cpuMs: number;
  calls: number;
  inflight: number;
  passes: number;
  logBytes: number;
  loopBudget: number;
  snippetDepth: number;
};

export type MethodRecord = {
  name: string;
  original?: string;
  description?: string;
  inputSchema?: unknown;
  outputSchema?: unknown;
  requiresApproval: boolean | "ask";
  readOnly?: boolean;
  idempotent?: boolean;
  replay?: "reexecute";
  revert?: boolean;
  /** How a call becomes a request, of a method that came from an OpenAPI document. */
  operation?: Operation;
  /** Words to find it by, beside its own. */
  tags?: string[];
};

/** What a `tool()` hook made otherwise; `null` is a field that is gone. */
export type MethodChange = { [field in keyof MethodRecord]?: MethodRecord[field] | null };

/** What a connector is derived from. */
export type SourceFormat = "records" | "toolset" | "mcp" | "openapi";

export type Operation = {
  verb: string;
  /** The template, `/repos/{owner}/{repo}`. */
  path: string;
  /** What the path hangs on; may be relative. Absent: the document names none. */
  server?: string;
  parameters?: OperationParameter[];
  body?: OperationBody;
  /** Media type of the success that is read, where it is not JSON. */
  accept?: string;
  /** The escape hatch `request`: verb, path and all are in the arguments. */
  raw?: true;
};

export type OperationParameter = {
  /** Property of the input. */
  key: string;
  /** On the wire, where it is another. */
  name?: string;
  in: "path" | "query" | "header" | "cookie";
  required?: true;
  /** Where it is not the default of its place (simple, form, simple, form). */
  style?: string;
  /** Where it is not the default of its style. */
  explode?: boolean;
  allowReserved?: true;
  /** Serialised as this media type instead of by style. */
  content?: string;
};

export type OperationBody = {
  required?: true;
  type: string;
  /** Of parts of a form, by property. */
  encoding?: Record<string, { contentType?: string; style?: string; explode?: boolean; allowReserved?: boolean }>;
};

export type ContactConnector = { name: string; instructions?: string; digest: string; unavailable?: string; changes?: string };
export type Contact = {
  connectors: ContactConnector[];
  approval?: "as-declared" | "unless-read-only";
  limits?: Partial<Limits>;
  maxExecutions?: number;
  /** What steps reach through the host at this contact. */
  reach?: {
    egress?: boolean;
    /** By name: a plain value, or `null` for an object whose methods the host calls. */
    bindings?: Record<string, ValueText | null>;
  };
  /** Modules of the application by the name of their global. */
  modules?: Record<string, string>;
  /** What connectors have hooks for. Left out: all that there is to hear. */
  hears?: Ending[];
};

/** What is told of ends. */
export type Ending = "pass_end" | "dispose";

/** What a step's `fetch` asks of the host. Headers are flat pairs; a body is base64. */
export type WireRequest = { method: string; url: string; redirect: string; headers: string[]; body?: string };
/** What the host's Fetcher answered, as the value of its reply. */
export type WireResponse = { status: number; statusText: string; url: string; redirected: boolean; headers: string[]; body?: string };

export type HostMessage =
  | { kind: "catalogue"; connector: string; part: number }
  | { kind: "change"; connector: string; methods: MethodRecord[] }
  | { kind: "check"; connector: string; method: string; record?: string; args: ValueText }
  | {
      kind: "call";
      connector: string;
      method: string;
      /** Of a method that the host knows only by its source: its record as JSON. */
      record?: string;
      args: ValueText;
      executionId: string;
      seq: number;
      idempotencyKey: string;
      attempt: number;
    }
  | {
      kind: "revert";
      connector: string;
      method: string;
      record?: string;
      args: ValueText;
      result: ValueText;
      executionId: string;
      seq: number;
      idempotencyKey: string;
    }
  | { kind: "fetch"; request: string; executionId: string; seq: number }
  | { kind: "binding"; binding: string; method: string; args: ValueText; executionId: string; seq: number }
  | { kind: "pass_end"; executionId: string; status: PassEndStatus }
  | { kind: "dispose"; executionId: string; status: TerminalStatus }
  | { kind: "cancelled"; executionId: string; connectors: string[] };
export type HostFailure = { kind: "failure"; code: string; error: ValueText };
export type HostReply =
  | { kind: "catalogue"; format: SourceFormat; text: string; parts: number; own?: string }
  | { kind: "changed"; changes: Record<string, MethodChange>; digest: string }
  | { kind: "allow" }
  | { kind: "ask" }
  | { kind: "value"; value: ValueText }
  | { kind: "reverted" }
  | { kind: "no_revert" }
  | { kind: "done" }
  /** The connector was asked, and what became of it nobody can know. */
  | { kind: "unknown" }
  | HostFailure;

export type Reply<T> = { ok: true; value: T } | { ok: false; code: string; error: string };

export type WireLogEntry = {
  seq: number;
  connector: string;
  method: string;
  args: ValueText | Omitted | Unreadable;
  result?: ValueText | Omitted | Unreadable;
  error?: string;
  code?: string;
  requiresApproval: boolean;
  ephemeral?: boolean;
  state: "executing" | "applied" | "pending" | "reverted" | "error" | "in_doubt";
  startedAt?: number;
  endedAt?: number;
  attempt: number;
  editedArgs?: ValueText | Omitted | Unreadable;
};
export type WirePending = { executionId: string; seq: number; connector: string; method: string; args: ValueText | Omitted | Unreadable };
export type WireOutput =
  | { status: "completed"; executionId: string; logs: string[]; calls: WireLogEntry[]; warnings?: string[] }
  | { status: "paused"; executionId: string; pending: WirePending[]; inDoubt?: WirePending[]; logs: string[]; calls: WireLogEntry[] }
  | { status: "error"; executionId: string; error: string; code: string; logs: string[]; calls: WireLogEntry[] };
export type ExecutionStatus = "running" | "paused" | "completed" | "error" | "rejected" | "rolled_back";
export type TerminalStatus = Exclude<ExecutionStatus, "running" | "paused">;
/** How a pass left its run; a rollback counts as one. */
export type PassEndStatus = Exclude<ExecutionStatus, "running">;
export type WireExecution = {
  id: string;
  code: string | Omitted | Unreadable;
  status: ExecutionStatus;
  log: WireLogEntry[];
  logOmitted?: number;
  result?: ValueText | Omitted | Unreadable;
  error?: string;
  errorCode?: string;
  logs?: string[];
  connectors: string[];
  createdAt: number;
  updatedAt: number;
};

/** `executions` asked with a `cursor`: `null` begins, and comes back when there is no more. */
export type WireExecutionPage = { executions: WireExecution[]; cursor: string | null };

/** The kinds that have a `seq` are of a call or step, the others of the run. */
export type RuntimeEvent =
  | { executionId: string; at: number; kind: "begin" | "end"; seq?: undefined }
  | { executionId: string; at: number; kind: "intent" | "outcome" | "pending" | "decision"; seq: number };
/** `more`: more is recorded than there was room for. `over`: of this execution nothing more will come. */
export type WireEvents = { events: RuntimeEvent[]; cursor: string; more?: boolean; over?: boolean };

/** What a rollback did, newest call first. `error` says why one failed. */
export type RollbackReport = {
  status: ExecutionStatus;
  report: {
    seq: number;
    connector: string;
    method: string;
    outcome: "reverted" | "no_revert" | "missing_connector" | "failed";
    error?: string;
  }[];
  /** What no connector can undo: calls whose outcome is unknown, and the program's own steps. */
  notReverted: { seq: number; connector: string; method: string; why: "in_doubt" | "step" }[];
};

/** A program that was saved under a name. */
export type WireSnippet = {
  name: string;
  description: string;
  code: string | Omitted;
  /** Milliseconds since the epoch. */
  savedAt: number;
  inputSchema?: unknown;
  connectors: string[];
};

export type SearchResult = {
  path: string;
  connector: string;
  method: string;
  description?: string;
  signature?: string;
  requiresApproval?: boolean;
  kind: "method" | "snippet";
  score: number;
};
export type SearchOutput = { results: SearchResult[]; total: number; truncated: boolean; lowConfidence?: true };
export type DescribeOutput = {
  path: string;
  description?: string;
  requiresApproval?: boolean;
  types: string;
  /** The text of a snippet, up to 12,000 characters. */
  code?: string;
  kind: "connector" | "method" | "snippet";
};
