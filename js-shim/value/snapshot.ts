/**
 * The fast half of encoding. One walk copies a tree of plain JSON values and says whether it is one; then the platform's
 * `JSON.stringify` writes the copy. A copy, because it has data properties only: no getter, no Proxy and no `toJSON` of
 * the value can answer twice, or differently, or at all while it is written.
 *
 * Knows nothing of the table form and refuses nothing: at the first value that is not plain it stops, and what it has
 * copied by then stands in for the originals, so that each getter still runs once.
 */
import { rethrowOverflow } from "./faults.ts";
import {
  arrayPrototype, getPrototypeOf, hasOwn, isArray, MapOf, mapSet, objectKeys, objectPrototype, objectSymbols, objectValues,
  ownKeys, setAdd, SetOf, setSize, toStringTag,
} from "./primordials.ts";

/** What was copied, newest first. */
type Copied = { original: object; copy: object; older: Copied | undefined };
export type Snapshot = { plain: boolean; seen: Set<object>; count: number; copied: Copied | undefined };

/** Below this depth JSON text is written and read by recursion, here and by others; the table form has no depth. */
export const MAX_PLAIN_DEPTH = 200;

/** The copy of a value. `plain` says whether it is a tree of plain JSON values, and so the whole of it. */
export function takeSnapshot(value: object): Snapshot & { top: object } {
  const snapshot = { plain: true, seen: new SetOf<object>(), count: 0, copied: undefined, top: value };
  try {
    snapshot.top = copy(snapshot, value, 0);
  } catch (error) {
    // A getter that throws, a Proxy that refuses: the table names the place.
    rethrowOverflow(error);
    snapshot.plain = false;
  }
  return snapshot;
}

/** The copies by their originals. A Map only now: while values are plain nobody looks anything up. */
export function copiesOf(snapshot: Snapshot): Map<object, object> {
  const copies = new MapOf<object, object>();
  for (let at = snapshot.copied; at !== undefined; at = at.older) mapSet(copies, at.original, at.copy);
  return copies;
}

/** True when `JSON.stringify` would ask somebody else how to write an object. Asked after the last getter has run. */
export function isToJsonPatched(): boolean {
  return (
    hasOwn(objectPrototype, "toJSON") || hasOwn(arrayPrototype, "toJSON") || getPrototypeOf(arrayPrototype) !== objectPrototype
  );
}

/** Whether an array's own values are exactly its elements: no hole, no further property. */
export function isDense(array: unknown[], values: unknown[]): boolean {
  const { length } = values;
  if (array.length !== length) return false;
  // With as many values as places, a place without an element means a property that is no element.
  if (length >= LONG_ARRAY && !arePrototypesIndexed()) {
    for (let i = 0; i < length; i++) if (!(i in array)) return false;
  } else {
    for (let i = 0; i < length; i++) if (!hasOwn(array, i)) return false;
  }
  return true;
}

/** From here on `in`, which is compiled to almost nothing, pays for the question whether a prototype could answer for it. */
const LONG_ARRAY = 64;

/** Keys that are indices come first; where those of an untouched prototype do not, the exact and slow way is taken. */
function arePrototypesIndexed(): boolean {
  return (
    ownKeys(arrayPrototype)[0] !== "length" ||
    ownKeys(objectPrototype)[0] !== "constructor" ||
    getPrototypeOf(arrayPrototype) !== objectPrototype
  );
}

function copy(snapshot: Snapshot, value: object, depth: number): object {
  if (!snapshot.plain || depth > MAX_PLAIN_DEPTH || isRepeated(snapshot, value)) return notPlain(snapshot, value);
  const prototype = getPrototypeOf(value);
  if (isArray(value)) return prototype === arrayPrototype ? copyArray(snapshot, value, depth) : notPlain(snapshot, value);
  if (prototype === objectPrototype || prototype === null) return copyObject(snapshot, value, depth);
  return notPlain(snapshot, value);
}

function isRepeated(snapshot: Snapshot, value: object): boolean {
  setAdd(snapshot.seen, value);
  return setSize(snapshot.seen) !== ++snapshot.count;
}

function notPlain(snapshot: Snapshot, value: object): object {
  snapshot.plain = false;
  return value;
}

function copyObject(snapshot: Snapshot, original: object, depth: number): object {
  const copied: Record<string, unknown> = { ...original };
  const values = objectValues(copied);
  // `Math` and its like: objects in form, but not data.
  if (values.length === 0 && hasOwn(original, toStringTag)) return notPlain(snapshot, original);
  snapshot.copied = { original, copy: copied, older: snapshot.copied };
  let keys: string[] | undefined;
  for (let i = 0; i < values.length; i++) {
    const child = values[i];
    if (isPlainLeaf(child)) continue;
    if (typeof child !== "object") return notPlain(snapshot, copied);
    keys ??= objectKeys(copied);
    // An own data property is there already, so this reaches no setter, not even for the key `__proto__`.
    copied[keys[i] as string] = copy(snapshot, child as object, depth + 1);
  }
  if (objectSymbols(copied).length > 0) snapshot.plain = false;
  return copied;
}

function copyArray(snapshot: Snapshot, original: unknown[], depth: number): object {
  const copied = objectValues(original);
  if (!isDense(original, copied) || objectSymbols(original).length > 0) return notPlain(snapshot, original);
  snapshot.copied = { original, copy: copied, older: snapshot.copied };
  for (let i = 0; i < copied.length; i++) {
    const child = copied[i];
    if (isPlainLeaf(child)) continue;
    if (typeof child !== "object") return notPlain(snapshot, copied);
    copied[i] = copy(snapshot, child as object, depth + 1);
  }
  return copied;
}

function isPlainLeaf(value: unknown): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      // Finite, and not -0, which JSON writes as 0.
      return value - value === 0 && (value !== 0 || 1 / value > 0);
    default:
      return value === null;
  }
}
