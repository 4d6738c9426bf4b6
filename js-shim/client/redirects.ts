/**
 * Redirects by hand, as the Fetch standard follows them. Whoever adds credentials follows them itself: the platform would
 * carry headers to wherever an answer points.
 */

export const MAX_REDIRECTS = 5;
const ABOUT_THE_BODY = ["content-encoding", "content-language", "content-length", "content-location", "content-type"];

/** A request on its way, without what is added for its host. */
export type Hop = { url: URL; method: string; headers: Headers; body: ArrayBuffer | Uint8Array | null };

/** Where the answer points, or nothing when it is the answer. */
export function targetOf(response: Response, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(response.status)) return undefined;
  const location = response.headers.get("location");
  return location === null ? undefined : (URL.parse(location, from.href) ?? undefined);
}

/** The request that follows; `travels` says which headers go along to another origin. */
export function following({ url, method, headers, body }: Hop, target: URL, status: number, travels: (name: string) => boolean): Hop {
  const kept = new Headers([...headers].filter(([name]) => target.origin === url.origin || travels(name)));
  const becomesGet = (status === 303 && method !== "HEAD") || ((status === 301 || status === 302) && method === "POST");
  if (!becomesGet) return { url: target, method, headers: kept, body };
  for (const name of ABOUT_THE_BODY) kept.delete(name);
  return { url: target, method: "GET", headers: kept, body: null };
}
