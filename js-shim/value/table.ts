/**
 * The table form, for what plain JSON cannot say:
 *
 *     "@" + JSON of [top, nodes]
 *     slot = string | boolean | null | finite number | [node number] | ["bigint", digits]
 *          | ["undefined"] | ["NaN"] | ["Infinity"] | ["-Infinity"] | ["-0"]
 *     node = { key: slot } | ["Array", [slot…]] | ["Sparse", length, { index: slot }] | ["Map", [key, value, …]]
 *          | ["Set", [slot…]] | ["Date", ms | null] | ["RegExp", source, flags, lastIndex]
 *          | ["Error", type, name | null, message | null, { key: slot }]
 *          | ["ArrayBuffer", base64] | [view type, buffer slot, byte offset, length]
 *
 * Nodes are numbered in the order in which a breadth-first walk meets them, so no depth is too deep, and an object that is
 * met twice is one node. Every array in a table is the codec's own, so no data can pass for a mark of it.
 *
 * This file is the numbering and the slots. What a node of each kind looks like is in `nodes.ts`, the way back in `decode.ts`.
 */
import { NotSerializable, pathOf } from "./faults.ts";
import type { Place, Step } from "./faults.ts";
import { isFiniteNumber, jsonStringify, mapGet, MapOf, mapSet } from "./primordials.ts";

/** Places that all sparse arrays of one text may have together: a few letters must not ask for gigabytes. */
export const MAX_SPARSE_PLACES = 1_000_000;

/** Digits of a bigint. Reading them costs more than in proportion: 20 ms at this number, 20 s at the limit of a result. */
export const MAX_BIGINT_DIGITS = 100_000;

/** `given` keeps the order in which keys were added; `sorted` makes the text independent of it. */
export type KeyOrder = "given" | "sorted";

/** An object that has its number and waits for its node to be written. */
export type Job = Place & { value: object; next: Job | undefined };

/** A table being written. A linked list and not an array: appending to an array can be seen through its prototype. */
export type Table = {
  ids: Map<object, number>;
  /** Copies that the snapshot made before it gave up: what was read once is not read again. */
  copies: Map<object, object>;
  order: KeyOrder;
  count: number;
  last: Job | undefined;
  sparsePlaces: number;
};

export function newTable(copies: Map<object, object>, order: KeyOrder): Table {
  return { ids: new MapOf(), copies, order, count: 0, last: undefined, sparsePlaces: 0 };
}

/** How a value stands where it is referred to. An object gets its number here and its node later. */
export function slot(table: Table, value: unknown, parent: Place | undefined, step: Step): string {
  switch (typeof value) {
    case "string":
      return jsonStringify(value);
    case "boolean":
      return value ? "true" : "false";
    case "number":
      if (!isFiniteNumber(value)) return `["${value}"]`;
      return value === 0 && 1 / value < 0 ? '["-0"]' : `${value}`;
    case "undefined":
      return '["undefined"]';
    case "bigint":
      return bigintSlot(value, parent, step);
    case "symbol":
      return refuse(parent, step, "is a symbol; use a string");
    case "function":
      if (step === "then" && parent !== undefined) return refuse(parent.parent, parent.step, "is a thenable; await it first");
      return refuse(parent, step, "is a function; only data can cross");
    case "object":
      return value === null ? "null" : reference(table, value, parent, step);
  }
}

function bigintSlot(value: bigint, parent: Place | undefined, step: Step): string {
  const digits = `${value}`;
  if (digits.length > MAX_BIGINT_DIGITS) {
    refuse(parent, step, `is a bigint of ${digits.length} digits (the limit is ${MAX_BIGINT_DIGITS}); send toString(16) of it`);
  }
  return `["bigint","${digits}"]`;
}

function reference(table: Table, value: object, parent: Place | undefined, step: Step): string {
  const node = mapGet(table.copies, value) ?? value;
  const known = mapGet(table.ids, node);
  if (known !== undefined) return `[${known}]`;
  const id = table.count++;
  mapSet(table.ids, node, id);
  const job: Job = { parent, step, value: node, next: undefined };
  if (table.last !== undefined) table.last.next = job;
  table.last = job;
  return `[${id}]`;
}

export function refuse(parent: Place | undefined, step: Step, problem: string): never {
  throw new NotSerializable(pathOf({ parent, step }), problem);
}
