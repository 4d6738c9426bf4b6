/** Which headers a program may not set: those that carry credentials, steer the connection, or change the verb that was agreed to. */

const CREDENTIALS = ["authorization", "proxy-authorization", "cookie", "cookie2"];
const CONNECTION = "host connection keep-alive upgrade te trailer transfer-encoding content-length proxy-connection expect http2-settings".split(" ");
const VERB = ["x-http-method-override", "x-http-method", "x-method-override"];

/** Why not, as the end of a sentence. For headers that the document declares. */
export function forbiddenHeader(name: string): string | undefined {
  const lower = name.trim().toLowerCase();
  if (CREDENTIALS.includes(lower)) return "which carries credentials; the application sets it, leave it out";
  if (VERB.includes(lower)) return "which would make another verb of this one; say that verb instead";
  if (CONNECTION.includes(lower)) return "which belongs to the connection; leave it out";
  return undefined;
}

/** For headers that nobody declared: also none that pretends where a request came from. */
export function forbiddenFreely(name: string): string | undefined {
  const forged = /^(?:proxy-|sec-|x-forwarded-|x-real-ip$|forwarded$|via$|x-original-|x-rewrite-|cf-)/i.test(name.trim());
  return forbiddenHeader(name) ?? (forged ? "which speaks of the way that a request came; leave it out" : undefined);
}

/** Why a header cannot be sent as it is. */
export function unsendable(name: string, value: string): string | undefined {
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) return `${JSON.stringify(name)} is no name of a header`;
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) return `the header ${name} can carry neither line breaks nor characters beyond Latin-1; escape them as the service wants it`;
  return undefined;
}
