/**
 * The path of a request: values in their places, and nothing that a server could take for a step upwards. What goes out is
 * exactly what stands here: a URL parser finds nothing to resolve in it.
 */

/** Escapes within escapes that are looked through. Gateways decode once or twice; who nests more means harm. */
const MAX_DECODED = 4;

/** `values` are encoded. A query that the template itself has is given back beside it; a fragment is never sent. */
export function substituted(template: string, values: ReadonlyMap<string, string>): { path: string; query: string } {
  const [sent = ""] = template.split("#", 1);
  const at = sent.indexOf("?");
  const path = literal(at < 0 ? sent : sent.slice(0, at)).replace(/\{([^{}]*)\}/g, (_whole, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new TypeError(`the path ${template} has a place {${name}}, for which the document declares no parameter`);
    return value;
  });
  const rooted = path.startsWith("/") ? path : `/${path}`;
  checkPath(rooted);
  return { path: rooted, query: at < 0 ? "" : literal(sent.slice(at + 1)) };
}

/** @throws {TypeError} for a segment that climbs, also behind escapes. */
export function checkPath(path: string): void {
  for (const segment of path.split("/")) {
    if (climbs(segment)) throw new TypeError(`the path ${path} has a segment that is read as a step to another place ("." or ".."); a value must not become one`);
  }
}

/** As it stands in a document or as a program wrote it: escapes and signs of a path stay, anything else is escaped. Braces stay. */
export function literal(text: string): string {
  return text.toWellFormed().replace(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%{}]/gu, encodeURIComponent);
}

/** What servers make of a segment: some decode twice, take `\` for `/`, or cut at `;`. */
function climbs(segment: string): boolean {
  let text = segment;
  for (let round = 0; round <= MAX_DECODED; round += 1) {
    if (text.split(/[\\/;]/).some((piece) => /^\.{1,2}[\0- ]*$/.test(piece))) return true;
    const decoded = text.replace(/%([0-9a-f]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}
