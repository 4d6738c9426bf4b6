/**
 * The error codes of the contract and the one error class that this client throws.
 * An outcome of a program is never thrown; what is thrown is a question that could not be answered (`pending()` while the
 * runtime is away) or an application's own mistake (a connector called `codemode`).
 */

/** Every code that a `status: "error"` can carry. */
export const ERROR_CODES = [
  "invalid_input",
  "syntax",
  "exception",
  "timeout",
  "cpu_limit",
  "call_limit",
  "too_large",
  "not_serializable",
  "diverged",
  "missing_connector",
  "not_paused",
  "not_found",
  "rejected",
  "cancelled",
  "expired",
  "interrupted",
  "stuck",
  "sandbox_unavailable",
  "internal",
] as const;

/** Why a program, or a call of it, ended badly. */
export type ErrorCode = (typeof ERROR_CODES)[number];

const known: ReadonlySet<string> = new Set(ERROR_CODES);

/** A code from the wire. One that this client does not know (a newer runtime) is `internal`; the text beside it still says what happened. */
export function errorCode(code: string): ErrorCode {
  return known.has(code) ? (code as ErrorCode) : "internal";
}

/** A question to the runtime that could not be answered. `code` is for the application, `message` says what to do. */
export class CodemodeError extends Error {
  override readonly name = "CodemodeError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Thrown by a method that cannot know whether its call happened: the connection broke, or nobody answered in time. It is no
 * failure, which a program might answer by acting twice: unless the method is `readOnly` or `idempotent`, the pass ends, the
 * run stays `running`, and `recover` asks a person what became of the call.
 */
export class UnknownOutcome extends Error {
  override readonly name = "UnknownOutcome";
}

/** What a thrown value says, never empty: `throw ""` and `throw undefined` are failures too. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message === "" ? thrown.name || "Error" : thrown.message;
  try {
    const text = typeof thrown === "object" && thrown !== null ? (JSON.stringify(thrown) ?? "") : String(thrown);
    return text === "" ? "an empty text was thrown" : text;
  } catch {
    return "a value without a text was thrown";
  }
}
