/**
 * Where two requests for the same call differ, piece by piece (a parameter, a header, a field of a form), and why. A class holds
 * only where its own condition does; what fits none is unexplained.
 */

import type { Operation, OperationParameter } from "../../js-shim/wire.ts";
import { readsBack } from "./deep.ts";
import type { Part, Request } from "./swagger.ts";

type Right = "ours" | "either";
export type ClassName = keyof typeof CLASSES;
export type Difference = { what: string; ours: unknown; theirs: unknown; because: ClassName | "unexplained" };
/** Both sides of one call. */
export type Pair = { ours: Request; theirs: Request; operation: Operation; args: Record<string, unknown> };

/** Who is right by the text of OpenAPI 3.1.1 and what it builds on, and why. */
export const CLASSES = {
  bytes: { right: "ours", why: "a body of bytes is declared and sent; swagger-client knows none in the older format and sends nothing" },
  reserved: { right: "ours", why: "an & of a value would begin another pair; swagger-client lets it, where reserved signs are allowed" },
  encrypted: { right: "ours", why: "the document offers the same server under http and https; credentials do not travel in the clear where they need not" },
  fragment: { right: "ours", why: "the path's key has a fragment to tell operations apart; a fragment is never sent (RFC 9110, 4.1), and with it swagger-client leaves {places} unfilled" },
  "label-commas": { right: "ours", why: "label without explode is .blue,black,brown (style examples of 3.0.4 and 3.1.1, RFC 6570 3.2.5); the points are from 3.0.3" },
  escapes: { right: "ours", why: "the same after decoding; | and the like have to be escaped in a URL (Appendix E)" },
  "delimited-object": { right: "ours", why: "an object is delimited as a list is, color=R%20100%20G%20200 (style examples); swagger-client always takes commas" },
  "deep-list": { right: "either", why: "deepObject leaves arrays undefined; a[]=1 is what PHP, Rails, qs and Stripe read as a list, a=1&a=2 keeps only the last one there" },
  "deep-nested": { right: "either", why: "deepObject leaves nesting undefined; a[b][c]=1 is read by the same servers, and JSON inside brackets by none of them" },
  "json-string": { right: "ours", why: "a text is JSON only in quotes; swagger-client takes it for JSON that is ready, because forms in a web page give it so" },
  "empty-text": { right: "ours", why: "an empty text is a value and stands as name= (style examples); swagger-client drops what is falsy" },
  "falsy-body": { right: "ours", why: "false, 0, an empty text and null are JSON; swagger-client drops what is falsy" },
  "empty-composite": { right: "ours", why: "an empty list or object is undefined and left out (RFC 6570, 2.3)" },
  "cookie-last": { right: "ours", why: "cookies are pairs joined by '; ' in one header (RFC 6265, 4.2.1); swagger-client keeps the last parameter alone" },
  "cookie-escapes": { right: "either", why: "the same after decoding; form expansion escapes what a cookie could hold as it is" },
  "cookie-list": { right: "either", why: "form is undefined for several values in a cookie (Appendix D); pairs of a cookie are separated by '; ' and not by &" },
  "form-space": { right: "either", why: "the same after decoding; RFC 1866 writes + where a URL has %20, and every reader of forms takes both" },
  "form-list": { right: "ours", why: "without a style each item is a field of its own (Encoding Object, by content); swagger-client joins them by commas or makes one JSON of them" },
  "json-looking": { right: "ours", why: "a text stays as it is; swagger-client parses the fields of a form that happen to be JSON and writes something else" },
  "part-delimiter": { right: "ours", why: "a part of multipart is not escaped (Appendix E), and an object is delimited as a list is" },
  "part-name": { right: "either", why: "a file needs a name in its part, and none is declared: the field's name here, 'blob' there" },
  "name-clash": { right: "ours", why: "two exploded objects, or an object and a parameter, have a property of the same name: each is declared and sent; swagger-client keeps the last" },
  nameless: { right: "ours", why: "a header without a name cannot be sent" },
} as const satisfies Record<string, { right: Right; why: string }>;

type Piece = { what: string; ours: unknown; theirs: unknown; value?: unknown; style?: string | undefined; content?: string | undefined };
type Rule = [ClassName, (piece: Piece) => boolean];

const encrypted = ({ ours, theirs }: Piece): boolean => String(ours) === String(theirs).replace(/^http:/, "https:");

export function differencesOf(pair: Pair): Difference[] {
  const { ours, theirs, operation } = pair;
  const [ourPlace, theirPlace] = [placeOf(ours.url), placeOf(theirs.url)];
  const labelled = operation.parameters?.some(({ in: place, style }) => place === "path" && style === "label") === true;
  return [
    ...judged([{ what: "method", ours: ours.method, theirs: theirs.method }], []),
    ...judged([{ what: "path", ours: ourPlace.path, theirs: theirPlace.path }], [["encrypted", encrypted], ["escapes", ({ ours: own, theirs: other }) => decoded(own) === decoded(other)], ["json-string", ({ ours: own, theirs: other }) => unquoted(own) === unquoted(other)], ["fragment", () => operation.path.includes("#")], ["label-commas", () => labelled]]),
    ...judged(queryPieces(pair, ourPlace.query, theirPlace.query), QUERY),
    ...judged(headerPieces(pair), [BYTES, ["nameless", ({ what, ours: own }) => what === "header " && own === undefined]]),
    ...judged(cookiePieces(pair), COOKIES),
    ...judged(bodyPieces(pair), BODY),
  ];
}

function judged(pieces: readonly Piece[], rules: readonly Rule[]): Difference[] {
  return pieces
    .filter(({ ours, theirs }) => JSON.stringify(ours) !== JSON.stringify(theirs))
    .map((piece) => ({ what: piece.what, ours: piece.ours, theirs: piece.theirs, because: rules.find(([, holds]) => holds(piece))?.[0] ?? "unexplained" }));
}

const isComposite = (value: unknown): value is object => typeof value === "object" && value !== null;
const decoded = (raw: unknown): string => {
  const text = JSON.stringify(raw ?? null);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
const asForm = (raw: unknown): string => decoded(JSON.parse(JSON.stringify(raw ?? null).replaceAll("+", "%20")));
const isEmpty = (value: unknown): boolean => isComposite(value) && Object.values(value).every((item) => item === null || isEmpty(item));
const holdsEmpty = (value: unknown): boolean => isComposite(value) && (isEmpty(value) || Object.values(value).some(holdsEmpty));
const texts = (value: readonly unknown[]): string[] => value.map((item) => (typeof item === "string" ? item : JSON.stringify(item)));
/** A list of one text is taken for that text over there. */
const looksJson = (value: unknown): boolean => {
  try {
    return typeof JSON.parse(String(value)) === "string" && typeof (Array.isArray(value) ? value[0] : value) === "string";
  } catch {
    return false;
  }
};
const pairsIn = (raw: unknown): [string, string][] => [...new URLSearchParams((raw as string[]).join("&"))];

const STYLED: readonly Rule[] = [
  ["deep-list", ({ style, value, ours }) => style === "deepObject" && Array.isArray(value) && readsBack(pairsIn(ours), value)],
  ["deep-nested", ({ style, value, ours }) => style === "deepObject" && isComposite(value) && !holdsEmpty(value) && Object.values(value).some(isComposite) && readsBack(pairsIn(ours), value)],
  ["empty-composite", ({ value, ours, style }) => holdsEmpty(value) && (isEmpty(value) ? (ours as unknown[]).length === 0 : style === "deepObject" && readsBack(pairsIn(ours), value))],
];
const BYTES: Rule = ["bytes", ({ what, ours, theirs }) => (what === "body" || what === "content type" && ours === "application/octet-stream") && theirs === undefined];

/** A path without the quotes that JSON puts around a text. */
function unquoted(url: unknown): string {
  return decodeURIComponent(String(url)).replaceAll('"', "");
}

const QUERY: readonly Rule[] = [
  ["escapes", ({ ours, theirs }) => decoded(ours) === decoded(theirs)],
  ["reserved", ({ what, ours, theirs }) => what === "rest of the query" && String(ours) === "" || String(theirs) !== "" && String(ours).startsWith(String(theirs)) && String(ours).includes("%26")],
  ...STYLED,
  ["name-clash", ({ ours, theirs }) => new Set((ours as string[]).map(nameIn)).size < (ours as string[]).length && (theirs as string[]).every((pair) => (ours as string[]).includes(pair))],
  ["delimited-object", ({ style, value }) => (style === "spaceDelimited" || style === "pipeDelimited") && isComposite(value) && !Array.isArray(value)],
  ["json-string", ({ content, value }) => /json/.test(content ?? "") && typeof value === "string"],
  ["empty-text", ({ value, ours, theirs }) => value === "" && (ours as string[]).join("").endsWith("=") && (theirs as string[]).length === 0],
];
const COOKIES: readonly Rule[] = [
  ["cookie-last", ({ ours, theirs }) => (ours as string[]).length > 1 && (theirs as string[]).length === 1],
  ["cookie-escapes", ({ ours, theirs }) => decoded(ours) === decoded(theirs)],
  ["cookie-list", ({ value }) => (value as unknown[]).some(isComposite)],
];
const BODY: readonly Rule[] = [
  BYTES,
  ["json-string", ({ what, value, theirs }) => what === "json body" && typeof value === "string" && theirs === value],
  ["falsy-body", ({ what, value, theirs }) => what === "json body" && !value && theirs === undefined],
  ["json-looking", ({ value }) => looksJson(value)],
  ["form-space", ({ what, ours, theirs }) => what.startsWith("field") && asForm(ours) === asForm(theirs)],
  ["form-list", ({ what, style, value, ours }) => what.startsWith("field") && style === undefined && Array.isArray(value) && JSON.stringify(pairsIn(ours).map(([, text]) => text)) === JSON.stringify(texts(value))],
  ["form-list", ({ what, style, value, ours }) => what.startsWith("part") && style === undefined && Array.isArray(value) && JSON.stringify((ours as Part[]).map(({ text }) => text)) === JSON.stringify(texts(value))],
  ["part-delimiter", ({ what, style, value }) => what.startsWith("part") && isComposite(value) && (style === "spaceDelimited" || style === "pipeDelimited")],
  ["deep-list", ({ what, style, value, ours }) => what.startsWith("part") && style === "deepObject" && readsBack((ours as Part[]).map(({ name, text }) => [name, text]), value)],
  ["part-name", ({ what, ours, theirs }) => what.startsWith("part") && JSON.stringify(ours).replaceAll(/"filename":"[^"]*",?/g, "") === JSON.stringify(theirs).replaceAll(/"filename":"[^"]*",?/g, "")],
  ["empty-composite", ({ what, value, ours }) => what.startsWith("part") && isEmpty(value) && (ours as unknown[]).length === 0],
  ...STYLED.map(([name, holds]): Rule => [name, (piece) => piece.what.startsWith("field") && holds(piece)]),
];

function placeOf(url: string): { path: string; query: string } {
  const [path = "", ...query] = url.split("?");
  return { path, query: query.join("?").split("#", 1)[0] ?? "" };
}

/** Every pair of a query goes to the parameter that it speaks of; what is left is one piece. */
function queryPieces({ operation, args }: Pair, ours: string, theirs: string): Piece[] {
  const left = [ours, theirs].map((query) => query.split("&").filter((pair) => pair !== ""));
  const pieces = (operation.parameters ?? []).filter(({ in: place }) => place === "query").map((parameter): Piece => {
    const { key, name = key, style, content } = parameter;
    const [own, other] = left.map((pairs) => taken(pairs, (pair) => speaksOf(nameIn(pair), name, args[key], parameter)));
    return { what: `query ${name}`, ours: own, theirs: other, value: args[key], style, content };
  });
  return [...pieces, { what: "rest of the query", ours: left[0]?.map((pair) => pair.replace(/=$/, "")).sort(), theirs: left[1]?.map((pair) => pair.replace(/=$/, "")).sort() }];
}

function speaksOf(said: string, name: string, value: unknown, { style = "form", explode = style === "form", content }: Partial<OperationParameter>): boolean {
  if (said === name || (style === "deepObject" && said.startsWith(`${name}[`))) return true;
  return content === undefined && explode && isComposite(value) && !Array.isArray(value) && Object.hasOwn(value, said);
}

function taken(pairs: string[], wanted: (pair: string) => boolean): string[] {
  const found = pairs.filter(wanted);
  pairs.splice(0, pairs.length, ...pairs.filter((pair) => !found.includes(pair)));
  return found;
}

function nameIn(pair: string): string {
  return decodeURIComponent((pair.split("=", 1)[0] ?? "").replaceAll("+", " "));
}

function headerPieces({ ours, theirs }: Pair): Piece[] {
  // What is wanted and who asks is each side's own; the body's type comes with its boundary; cookies are looked at below.
  const own = new Set(["accept", "user-agent", "content-type", "cookie"]);
  const names = [...new Set([...Object.keys(ours.headers), ...Object.keys(theirs.headers)])].filter((name) => !own.has(name));
  const type = ({ headers }: Request): string | undefined => headers["content-type"]?.split(";", 1)[0];
  return [...names.map((name) => ({ what: `header ${name}`, ours: ours.headers[name], theirs: theirs.headers[name]?.trim() })), { what: "content type", ours: type(ours), theirs: ours.body === undefined && ours.form === undefined ? undefined : type(theirs) }];
}

function cookiePieces({ ours, theirs, operation, args }: Pair): Piece[] {
  const cookies = ({ headers }: Request): string[] => (headers["cookie"] ?? "").split("; ").filter((pair) => pair !== "");
  const value = (operation.parameters ?? []).filter(({ in: place }) => place === "cookie").map(({ key }) => args[key]);
  return [{ what: "cookies", ours: cookies(ours), theirs: cookies(theirs), value }];
}

function bodyPieces({ ours, theirs, operation, args }: Pair): Piece[] {
  const { body } = args;
  const { type = "", encoding = {} } = operation.body ?? {};
  const fields = isComposite(body) ? Object.keys(body) : [];
  const rule = (name: string): { value: unknown; style: string | undefined } => {
    const { style, explode, allowReserved } = encoding[name] ?? {};
    return { value: Reflect.get(body as object, name), style: style ?? (explode === undefined && allowReserved === undefined ? undefined : "form") };
  };
  if (ours.form !== undefined || theirs.form !== undefined) {
    const left = [[...(ours.form ?? [])], [...(theirs.form ?? [])]];
    const pieces = fields.map((name): Piece => {
      const [own, other] = left.map((parts) => parts.filter((part) => speaksOf(part.name, name, Reflect.get(body as object, name), { ...encoding[name] } as Partial<OperationParameter>)));
      return { what: `part ${name}`, ours: own?.map(visible), theirs: other?.map(visible), ...rule(name) };
    });
    return pieces;
  }
  if (!/x-www-form-urlencoded/.test(type)) return [{ what: /json/.test(type) ? "json body" : "body", ours: ours.body, theirs: theirs.body, value: body }];
  const left = [ours.body ?? "", theirs.body ?? ""].map((text) => text.split("&").filter((pair) => pair !== ""));
  const pieces = fields.map((name): Piece => {
    const [own, other] = left.map((pairs) => taken(pairs, (pair) => speaksOf(nameIn(pair), name, Reflect.get(body as object, name), { ...encoding[name] } as Partial<OperationParameter>)));
    return { what: `field ${name}`, ours: own, theirs: other, ...rule(name) };
  });
  return [...pieces, { what: "rest of the form", ours: left[0], theirs: left[1] }];
}

function visible({ name, filename, text }: Part): Partial<Part> {
  return { name, ...(filename !== undefined && { filename }), text };
}
