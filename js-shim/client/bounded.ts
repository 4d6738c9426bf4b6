/** The body of a response as bytes, up to a limit: a server does not decide how much memory an Agent has left. */

/** Longest body that is taken in, bytes. It is held whole, and its text and value beside it. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** `undefined` is no body, `"too long"` one beyond {@link MAX_BODY_BYTES}, of which the rest is not read. Rejects when it breaks off. */
export async function boundedBytes(response: Response): Promise<Uint8Array | undefined | "too long"> {
  if (response.body === null) return undefined;
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MAX_BODY_BYTES) {
      await reader.cancel().catch(() => {});
      return "too long";
    }
    parts.push(value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
