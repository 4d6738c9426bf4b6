/**
 * The guard of an HTTP door behind which runs are started and approved. Without a token it lets in only what cannot come
 * from a web page: any page could otherwise approve on its visitor's behalf. It reads headers, never the body.
 */

const LOCAL_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * `null` lets the request in; a response (403, JSON `{ error }`) is the answer to give.
 *
 * With a token: `Authorization: Bearer <token>`. Without one (`undefined` or `""`): the URL's host is `localhost`,
 * `127.0.0.1` or `[::1]`; a body is `application/json`; `Origin` is absent or the URL's own.
 */
export function httpDoor(request: Request, token: string | undefined): Response | null {
  const reason = token === undefined || token === "" ? foreign(request) : unauthorized(request, token);
  return reason === undefined ? null : Response.json({ error: reason }, { status: 403 });
}

function unauthorized(request: Request, token: string): string | undefined {
  const header = request.headers.get("authorization");
  if (header === null) return "this door needs the header Authorization: Bearer <CODEMODE_TOKEN>";
  const given = /^bearer +(.+)$/i.exec(header)?.[1];
  if (given === undefined) return "the Authorization header has to be: Bearer <CODEMODE_TOKEN>";
  return same(given, token) ? undefined : "the token is not CODEMODE_TOKEN";
}

function foreign(request: Request): string | undefined {
  const url = new URL(request.url);
  // A rebound name resolves to this machine and still arrives with its own host.
  if (!LOCAL_HOSTS.has(url.hostname)) return `without a CODEMODE_TOKEN this door answers on localhost only, not on ${url.hostname}`;
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== url.origin) return `without a CODEMODE_TOKEN this door does not answer to the origin ${origin}`;
  if (hasBody(request) && mediaType(request) !== "application/json") {
    return "without a CODEMODE_TOKEN a body has to be Content-Type: application/json";
  }
  return undefined;
}

function hasBody(request: Request): boolean {
  return request.body !== null && request.headers.get("content-length") !== "0";
}

function mediaType(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** Takes as long for a near miss as for a far one; only the length shows. */
function same(given: string, token: string): boolean {
  const left = new TextEncoder().encode(given);
  const right = new TextEncoder().encode(token);
  let difference = left.length ^ right.length;
  for (let index = 0; index < right.length; index += 1) difference |= (left[index] ?? 0) ^ (right[index] ?? 0);
  return difference === 0;
}
