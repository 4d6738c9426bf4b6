/**
 * From the wire to what an application gets: value texts become values, texts of codes become codes, nothing is invented.
 * Values here were written by a hostile isolate; one that cannot be read spoils itself and nothing beside it.
 */

import { decode, MalformedValue } from "../value/index.ts";
import type { Omitted, Unreadable, ValueText, WireExecution, WireLogEntry, WireOutput, WirePending, WireSnippet } from "../wire.ts";
import { errorCode } from "./errors.ts";
import type { CodemodeOutput, ExecutionLogEntry, ExecutionState, NoValue, PendingAction, Snippet, ToolLogEntry } from "./types.ts";

/** `result` is the value text that came behind the output; it counts for a completed run only. */
export function outputOf(wire: WireOutput, result: ValueText): CodemodeOutput {
  const { executionId, logs } = wire;
  const calls = wire.calls.map(callOf);
  switch (wire.status) {
    case "completed": {
      try {
        const { warnings } = wire;
        return { status: "completed", executionId, result: decode(result), logs, calls, ...(warnings !== undefined && { warnings }) };
      } catch (thrown) {
        if (!(thrown instanceof MalformedValue)) throw thrown;
        const error = `the program ended, but its result cannot be read: ${thrown.message}. Return plain data and try again`;
        return { status: "error", executionId, error, code: "internal", logs, calls };
      }
    }
    case "paused": {
      const pending = wire.pending.map(pendingOf);
      const inDoubt = wire.inDoubt?.map(pendingOf);
      return { status: "paused", executionId, pending, ...(inDoubt !== undefined && { inDoubt }), logs, calls };
    }
    case "error":
      return { status: "error", executionId, error: wire.error, code: errorCode(wire.code), logs, calls };
    default: {
      const unknown: never = wire;
      return unknown;
    }
  }
}

export function pendingOf(wire: WirePending): PendingAction {
  const { executionId, seq, connector, method } = wire;
  return { executionId, seq, connector, method, args: shownValue(wire.args) };
}

/** A call as an output has it: without what only `execution()` tells. */
export function callOf(wire: WireLogEntry): ToolLogEntry {
  const { code: _code, attempt: _attempt, editedArgs: _editedArgs, ...call } = entryOf(wire);
  return call;
}

export function entryOf(wire: WireLogEntry): ExecutionLogEntry {
  const { seq, connector, method, requiresApproval, state, attempt } = wire;
  return {
    seq,
    connector,
    method,
    args: shownValue(wire.args),
    ...(wire.result !== undefined && { result: shownValue(wire.result) }),
    ...(wire.error !== undefined && { error: wire.error }),
    ...(wire.code !== undefined && { code: errorCode(wire.code) }),
    requiresApproval,
    ...(wire.ephemeral === true && { ephemeral: true }),
    state,
    ...(wire.startedAt !== undefined && { startedAt: wire.startedAt }),
    ...(wire.endedAt !== undefined && { endedAt: wire.endedAt }),
    attempt,
    ...(wire.editedArgs !== undefined && { editedArgs: shownValue(wire.editedArgs) }),
  };
}

export function executionOf(wire: WireExecution): ExecutionState {
  const { id, code, status, connectors, createdAt, updatedAt } = wire;
  return {
    id,
    code,
    status,
    log: wire.log.map(entryOf),
    ...(wire.logOmitted !== undefined && { logOmitted: wire.logOmitted }),
    ...(wire.result !== undefined && { result: shownValue(wire.result) }),
    ...(wire.error !== undefined && { error: wire.error }),
    ...(wire.errorCode !== undefined && { errorCode: errorCode(wire.errorCode) }),
    ...(wire.logs !== undefined && { logs: wire.logs }),
    connectors,
    createdAt,
    updatedAt,
  };
}

export function snippetOf(wire: WireSnippet): Snippet {
  const { name, description, code, savedAt, inputSchema, connectors } = wire;
  return { name, description, code, savedAt, ...(inputSchema !== undefined && { inputSchema }), connectors };
}

function shownValue(text: ValueText | Omitted | Unreadable): unknown {
  if (typeof text !== "string") return text;
  if (text.startsWith("!")) return { refused: text.slice(1) } satisfies NoValue;
  try {
    return decode(text);
  } catch (thrown) {
    if (!(thrown instanceof MalformedValue)) throw thrown;
    return { unreadable: thrown.message } satisfies NoValue;
  }
}
