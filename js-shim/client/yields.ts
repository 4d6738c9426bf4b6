/** Methods that report as they go: an async generator yields what it has so far, and the last of it is the result. */

/** The last value; `undefined` when there was none. What a generator returns beside is not a result, as in the AI SDK. */
export async function lastOf(values: AsyncIterable<unknown>): Promise<unknown> {
  let last: unknown;
  for await (const value of values) last = value;
  return last;
}

export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value && typeof value[Symbol.asyncIterator] === "function";
}

/** What a generator function made. A stream is iterable too, but the parts of one are no results. */
export function isGenerator(value: unknown): value is AsyncIterable<unknown> {
  return isAsyncIterable(value) && "next" in value && typeof value.next === "function";
}
