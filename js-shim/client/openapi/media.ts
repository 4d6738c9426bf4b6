/** Media types: what is JSON, what is text, and what has to stay bytes. */

export type Kind = "json" | "form" | "multipart" | "text" | "bytes" | "any";

const TEXTS: ReadonlySet<string> = new Set(
  "xml javascript ecmascript x-javascript yaml x-yaml toml sql graphql jwt x-ndjson ndjson jsonl x-jsonlines json-lines json-seq jose x-sh rtf".split(" ").map((name) => `application/${name}`),
);

/** `Text/Plain; charset=x` → `text/plain`. */
export function essence(type: string): string {
  return (type.split(";", 1)[0] ?? "").trim().toLowerCase();
}

export function kindOf(type: string): Kind {
  const name = essence(type);
  if (name === "application/json" || name === "text/json" || name === "application/x-json" || name.endsWith("+json")) return "json";
  if (name === "application/x-www-form-urlencoded") return "form";
  if (name === "multipart/form-data") return "multipart";
  if (name.startsWith("text/") || name.endsWith("+xml") || name.endsWith("+yaml") || TEXTS.has(name)) return "text";
  return name === "*/*" || name === "application/*" ? "any" : "bytes";
}

/** One type, not a range of them. */
export function isConcrete(type: string): boolean {
  return /^[^\s*,;/]+\/[^\s*,;/]+$/.test(essence(type));
}
