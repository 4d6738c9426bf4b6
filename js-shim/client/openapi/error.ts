/**
 * What a failed request is for a program: the status, the server's own words, when to try again, and what to do. Knows nothing of
 * credentials and repeats no query, which may hold some.
 */

/** Units of the server's own message that stand in ours. */
const MAX_SAID = 500;
const MAX_PATH = 300;
/** Units of a failure's body that are kept. */
const MAX_BODY = 100_000;

/** Why a request failed. Without `status` there was no answer. */
export class OpenApiError extends Error {
  override readonly name = "OpenApiError";
  readonly status: number | undefined;
  readonly statusText: string | undefined;
  /** What the server said: JSON parsed, anything else as text. */
  readonly body: unknown;
  /** When the server wants to be asked again, in milliseconds from its answer. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, facts: { status?: number; statusText?: string; body?: unknown; retryAfterMs?: number | undefined; cause?: unknown } = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.status = facts.status;
    this.statusText = facts.statusText;
    this.body = facts.body;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** The failure that an answer other than 2xx is. `body` is JSON parsed, or a text, or nothing; `text` is what it was read from. */
export function failureOf(response: Response, asked: { method: string; path: string }, body: unknown, now: number): OpenApiError {
  const { status, statusText, headers } = response;
  const retryAfterMs = retryAfter(headers, status, now);
  const said = saidBy(body);
  const head = `${toldOf(asked)} answered ${status}${statusText === "" ? "" : ` ${statusText}`}`;
  const message = `${head}${said === "" || said === statusText ? "" : `: ${said}`}. ${advice(status, asked.method, retryAfterMs)}`;
  return new OpenApiError(message, { status, statusText, body: kept(body), retryAfterMs });
}

/** Verb and path, as far as they help. */
export function toldOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path}`;
}

function kept(body: unknown): unknown {
  const text = typeof body === "string" ? body : JSON.stringify(body, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
  if (text === undefined || text.length <= MAX_BODY) return body;
  return `${text.slice(0, MAX_BODY)}… (${text.length} units)`;
}

/** The sentence that says most, of the shapes that services have for their failures. */
function saidBy(body: unknown): string {
  const texts = sentences(body, 0);
  const text = [...new Set(texts)].join("; ").replace(/\s+/g, " ").trim();
  return text.length > MAX_SAID ? `${text.slice(0, MAX_SAID)}…` : text.replace(/[.;]+$/, "");
}

function sentences(value: unknown, depth: number): string[] {
  if (typeof value === "string") return [/^\s*<(?:!doctype|html)/i.test(value) ? (/<title[^>]*>([^<]*)/i.exec(value)?.[1] ?? "a web page") : value].filter((text) => text.trim() !== "");
  if (typeof value !== "object" || value === null || depth > 3) return [];
  if (Array.isArray(value)) return value.slice(0, 5).flatMap((item: unknown) => sentences(item, depth + 1));
  const { message, detail, title, error, error_description: described, description, reason, msg, errors, fault, Message } = value as Record<string, unknown>;
  const own = [message, Message, detail, described, description, reason, msg].flatMap((part) => sentences(part, depth + 1));
  const place = placeIn(value as Record<string, unknown>);
  const first = own.length > 0 ? own.map((text) => (place === "" ? text : `${place}: ${text}`)) : sentences(title, depth + 1);
  const inner = [...sentences(error, depth + 1), ...sentences(fault, depth + 1), ...errorsIn(errors, depth + 1)];
  const all = [...first, ...inner];
  return all.length > 0 || place === "" ? all : [place];
}

/** A list, or texts by field: `{ name: ["is taken"] }`. */
function errorsIn(errors: unknown, depth: number): string[] {
  if (typeof errors !== "object" || errors === null || Array.isArray(errors)) return sentences(errors, depth);
  return Object.entries(errors).slice(0, 5).flatMap(([field, texts]) => sentences(texts, depth + 1).map((text) => `${field}: ${text}`));
}

/** Which part of the input an entry of a list of errors speaks of. */
function placeIn({ resource, field, loc, pointer, path, param, parameter, source, code }: Record<string, unknown>): string {
  if (Array.isArray(loc)) return loc.map(String).join(".");
  if (typeof source === "object" && source !== null) return placeIn(source as Record<string, unknown>);
  const place = [field, pointer, path, param, parameter].find((part): part is string => typeof part === "string");
  if (place === undefined) return "";
  const whole = typeof resource === "string" ? `${resource}.${place}` : place;
  return typeof code === "string" ? `${whole} (${code})` : whole;
}

function advice(status: number, method: string, retryAfterMs: number | undefined): string {
  const when = retryAfterMs === undefined ? undefined : `Try again after ${Math.ceil(retryAfterMs / 1000)} s`;
  const safe = method === "GET" || method === "HEAD" || method === "OPTIONS";
  switch (status) {
    case 400:
    case 422:
      return "Correct the arguments (describe the method for its types) and call again";
    case 401:
      return "The application's credentials were not accepted; a program cannot give others, so tell the user";
    case 403:
      return when === undefined ? "The application's credentials do not allow this; a program cannot give others, so tell the user" : `Too many requests. ${when}`;
    case 404:
    case 410:
      return "Nothing is there under these values, or the application's credentials do not show it; look the values up before you try others";
    case 409:
    case 412:
      return "It is in another state than this call expects; read it first, then decide";
    case 413:
      return "Send less at once";
    case 429:
      return `Too many requests. ${when ?? "Wait, then try again with fewer calls at once"}`;
    default:
      if (status < 400) return "The answer is neither a result nor a failure that can be acted on";
      if (status < 500) return when ?? "Change the call before you repeat it";
      if (safe || status === 503) return when ?? "The service has trouble; try again later";
      return `The service has trouble, and whether it acted is not known: read before you repeat it${when === undefined ? "" : `. ${when}`}`;
  }
}

/**
 * `Retry-After` in seconds or as a date, its relative in milliseconds, or a rate limit's reset where nothing is left of it. Resets
 * are told as seconds from now or as a time; the size of the number says which.
 */
function retryAfter(headers: Headers, status: number, now: number): number | undefined {
  const after = headers.get("retry-after");
  const milliseconds = numberOf(headers.get("retry-after-ms"));
  if (milliseconds !== undefined) return milliseconds;
  if (after !== null) {
    const seconds = numberOf(after);
    if (seconds !== undefined) return seconds * 1000;
    const date = Date.parse(after);
    if (!Number.isNaN(date)) return Math.max(0, date - now);
  }
  const structured = headers.get("ratelimit") ?? "";
  const left = numberOf(headers.get("x-ratelimit-remaining") ?? headers.get("ratelimit-remaining") ?? headers.get("x-rate-limit-remaining") ?? /(?:^|[;,\s])r(?:emaining)?=(\d+)/.exec(structured)?.[1] ?? null);
  if (status !== 429 && left !== 0) return undefined;
  const reset = numberOf(headers.get("x-ratelimit-reset") ?? headers.get("ratelimit-reset") ?? headers.get("x-rate-limit-reset") ?? /(?:^|[;,\s])(?:t|reset)=(\d+)/.exec(structured)?.[1] ?? null);
  if (reset === undefined) return undefined;
  if (reset > 1e11) return Math.max(0, reset - now);
  return reset > 1e8 ? Math.max(0, reset * 1000 - now) : reset * 1000;
}

function numberOf(text: string | null): number | undefined {
  return text !== null && /^\s*\d{1,15}(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
