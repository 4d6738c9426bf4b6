/**
 * What an application gets back, as types: the output of a run, its log, its stored state.
 * The same things in the form in which they travel are in `../wire.ts`; `output.ts` turns one into the other.
 */

import type { ExecutionStatus, Omitted, Unreadable } from "../wire.ts";
import type { ErrorCode } from "./errors.ts";

export type {
  DescribeOutput,
  ExecutionStatus,
  Limits,
  Omitted,
  PassEndStatus,
  RollbackReport,
  RuntimeEvent,
  SearchOutput,
  SearchResult,
  TerminalStatus,
  Unreadable,
} from "../wire.ts";

/** The input of the model-facing tool. */
export type CodemodeInput = {
  /** The program: JavaScript or TypeScript, at most 1,000,000 UTF-16 units. */
  code: string;
};

/**
 * How a run stands when `execute`, `approve`, `recover` or `reject` with `mode: "throw"` returns.
 * No outcome is thrown. `executionId` is `""` when it failed before there was an execution.
 */
export type CodemodeOutput =
  | {
      status: "completed";
      executionId: string;
      /** The program's value with its types (`Date`, `Map`, `bigint`, …), after `transformResult`. */
      result: unknown;
      /** Console output, one line each. */
      logs?: string[];
      /** The durable log of the run. For an application, not for the model. */
      calls?: ToolLogEntry[];
      warnings?: string[];
    }
  | {
      status: "paused";
      executionId: string;
      /** The calls that wait for `approve` or `reject`. */
      pending: PendingAction[];
      /** Calls whose outcome is unknown because host or runtime died in the middle of them. */
      inDoubt?: PendingAction[];
      logs?: string[];
      calls?: ToolLogEntry[];
    }
  | {
      status: "error";
      executionId: string;
      /** What happened and what to do next; its reader is a model. */
      error: string;
      code: ErrorCode;
      logs?: string[];
      calls?: ToolLogEntry[];
    };

/** A call that waits for a decision. `args` above 16 KiB are `Omitted` here and whole through `execution(id, { seq })`. */
export type PendingAction = {
  executionId: string;
  /** The number of the call within its run, from 0. */
  seq: number;
  connector: string;
  method: string;
  args: unknown;
};

export type ToolLogEntryState = "executing" | "applied" | "pending" | "reverted" | "error" | "in_doubt";

/** One call of a run, or one `codemode.step` (connector `codemode`, method `step`). */
export type ToolLogEntry = {
  seq: number;
  connector: string;
  method: string;
  args: unknown;
  /** Present once the call is applied, unless it is `ephemeral`. */
  result?: unknown;
  error?: string;
  requiresApproval: boolean;
  /** True for a method with `replay: "reexecute"`: its result is not kept. */
  ephemeral?: boolean;
  state: ToolLogEntryState;
  /** Milliseconds since the epoch. */
  startedAt?: number;
  /** Milliseconds since the epoch. */
  endedAt?: number;
};

/** A call as `execution()` tells it: with the code of its failure, its attempts, and what a person changed. */
export type ExecutionLogEntry = ToolLogEntry & {
  code?: ErrorCode;
  /** How often the connector was asked, from 1; 0 when it never was. */
  attempt: number;
  /** The arguments that ran, when `approve` was given others than the program's own, which stay in `args`. */
  editedArgs?: unknown;
};

/** A stored run. */
export type ExecutionState = {
  id: string;
  /**
   * The text as the model sent it. In a listing `Omitted` above 16 KiB; `execution(id)` has it whole. `Unreadable` in a
   * damaged database: then `errorCode` is `internal` where nothing else of the run can be read either.
   */
  code: string | Omitted | Unreadable;
  status: ExecutionStatus;
  log: ExecutionLogEntry[];
  /** How many of its last calls a listing of several runs had no room for; `execution(id)` has them all. */
  logOmitted?: number;
  result?: unknown;
  error?: string;
  errorCode?: ErrorCode;
  logs?: string[];
  /** Names of the connectors that were configured when it began. It needs them all to go on. */
  connectors?: string[];
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Milliseconds since the epoch. */
  updatedAt: number;
};

/** A program that was saved under a name; other programs run it with `codemode.run(name, input)`. */
export type Snippet = {
  name: string;
  description: string;
  /** The text as the model sent it; in a long list `Omitted` above 16 KiB. */
  code: string | Omitted;
  /** Milliseconds since the epoch. */
  savedAt: number;
  /** JSON Schema of the input. */
  inputSchema?: unknown;
  /** The connectors that its execution was begun with; it runs where all of them are configured. */
  connectors?: string[];
};

/** Runs, newest first, and where the next page begins; `null` when there is none. */
export type ExecutionPage = { executions: ExecutionState[]; cursor: string | null };

/**
 * A value in a log that could not be shown as itself.
 * `refused`: the program's arguments never were a value (a function, more than one argument); the text is what the program was told.
 * `unreadable`: the stored text is not one of ours.
 */
export type NoValue = { refused: string } | { unreadable: string };

/** Shapes the result that is returned; the raw one is already recorded. If it throws, the raw one is returned. */
export type TransformResult = (result: unknown) => unknown | Promise<unknown>;
