/**
 * Values into value texts: a plain tree becomes plain JSON (see `snapshot.ts`), everything else a table (see `table.ts`).
 * Lengths are not checked here, as limits differ by use.
 */
import { isRefusal, NotSerializable, pathOf, rethrowOverflow } from "./faults.ts";
import { writeNode } from "./nodes.ts";
import { jsonStringify, MapOf } from "./primordials.ts";
import { copiesOf, isToJsonPatched, takeSnapshot } from "./snapshot.ts";
import { newTable, slot } from "./table.ts";
import type { Job, KeyOrder, Table } from "./table.ts";

/** A program's value as text. */
export type ValueText = string;

/** Limit for code, arguments and recorded results, in UTF-16 units. */
export const MAX_VALUE_LENGTH = 1_000_000;

/** Throws `NotSerializable`, whose path begins with `root`. */
export function encode(value: unknown, root: string): ValueText {
  if (value === undefined) return "";
  if (typeof value !== "object" || value === null) {
    const text = slot(newTable(new MapOf(), "given"), value, undefined, root);
    return text[0] === "[" ? `@[${text},[]]` : text;
  }
  const snapshot = takeSnapshot(value);
  if (snapshot.plain && !isToJsonPatched()) return jsonStringify(snapshot.top);
  return writeTable(value, root, newTable(copiesOf(snapshot), "given"));
}

/** The table form of any value that can cross, also of a plain one. */
export function encodeTable(value: unknown, root: string, order: KeyOrder): ValueText {
  return writeTable(value, root, newTable(new MapOf(), order));
}

function writeTable(value: unknown, root: string, table: Table): ValueText {
  const top = slot(table, value, undefined, root);
  let nodes = "";
  for (let job = table.last; job !== undefined; job = job.next) {
    nodes += nodes === "" ? guardedNode(table, job) : `,${guardedNode(table, job)}`;
  }
  return `@[${top},[${nodes}]]`;
}

/** Whatever reading the value throws has a place and becomes a refusal; a Proxy can throw anywhere. */
function guardedNode(table: Table, job: Job): string {
  try {
    return writeNode(table, job.value, job);
  } catch (error) {
    rethrowOverflow(error);
    if (isRefusal(error)) throw error;
    throw new NotSerializable(pathOf(job), "cannot be read (a Proxy that refuses, or is revoked)");
  }
}
