/** An output is told apart by its status, and nothing of another status can be read. */

import type { CodemodeOutput, ErrorCode, ExecutionState, PendingAction, ProxyToolOutput, ToolLogEntry } from "../../js-shim/client/index.ts";

export function tell(output: CodemodeOutput): string {
  // @ts-expect-error: there is a result only when it is completed.
  void output.result;
  switch (output.status) {
    case "completed":
      return String(output.result satisfies unknown);
    case "paused":
      return output.pending.map((action: PendingAction) => action.method).join();
    case "error":
      return `${output.code satisfies ErrorCode}: ${output.error}`;
    default: {
      const never: never = output;
      return never;
    }
  }
}

// @ts-expect-error: codes are a closed list.
export const code: ErrorCode = "exploded";

// @ts-expect-error: an error has a code.
export const uncoded: CodemodeOutput = { status: "error", executionId: "", error: "" };

// The names of the ancestor are the same types.
export const moved: CodemodeOutput = {} as ProxyToolOutput;

export function log(state: ExecutionState): (ToolLogEntry["state"] | number)[] {
  // @ts-expect-error: the code of the run's error is errorCode; code is its program.
  void (state.code satisfies ErrorCode);
  return state.log.flatMap((entry) => [entry.state, entry.attempt]);
}

// @ts-expect-error: attempts are told by execution(), not in an output.
export const attempt = (entry: ToolLogEntry): number => entry.attempt;
