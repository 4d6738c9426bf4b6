/**
 * Arguments as a JSON Schema can see them. A program is hostile, so this is also where its arguments are measured before a
 * validator walks them: a few shared references can stand for a tree that nobody could finish walking.
 */

/** What a validator may be given. `longest` is the length of the longest array. */
export type View = { value: unknown; longest: number };

/** Values that are met again because a part is shared. A text bounds how many it holds, not how often it points at them. */
const MAX_REPEATED = 20_000;
/** Levels of nesting; validators recurse. */
const MAX_DEPTH = 500;

/**
 * JSON Schema knows only JSON: `undefined` is a property that is not there, a bigint is a number, and everything else that
 * JSON lacks is an object without properties (so it passes where anything passes, and a Date is no string). So is the place
 * where a value contains itself. Objects have no prototype here, or `required: ["constructor"]` would always hold.
 *
 * @throws {RangeError} when more than 20,000 values are met again, or the tree has more than 500 levels.
 */
export function viewOf(args: unknown): View {
  let longest = 0;
  let repeated = 0;
  /** How many of the objects above have been seen before at another place. */
  let again = 0;
  const before = new Set<object>();
  const above = new Set<object>();

  const see = (value: unknown): unknown => {
    if (again > 0 && (repeated += 1) > MAX_REPEATED) {
      throw new RangeError("the arguments share parts so often that they cannot be checked (20,000 values are met again); send a copy, or fewer");
    }
    if (typeof value === "bigint") return Number(value);
    if (value === undefined) return null;
    if (typeof value !== "object" || value === null) return value;
    const copy = Object.create(null) as Record<string, unknown>;
    if (above.has(value)) return copy;
    if (above.size >= MAX_DEPTH) throw new RangeError("the arguments are nested more than 500 levels deep");
    const known = before.has(value);
    if (known) again += 1;
    before.add(value);
    above.add(value);
    const seen = Array.isArray(value) ? seeItems(value) : seeProperties(value, copy);
    above.delete(value);
    if (known) again -= 1;
    return seen;
  };

  const seeItems = (items: readonly unknown[]): unknown[] => {
    longest = Math.max(longest, items.length);
    const copy: unknown[] = [];
    for (let index = 0; index < items.length; index += 1) copy.push(see(items[index]));
    return copy;
  };

  const seeProperties = (value: object, copy: Record<string, unknown>): Record<string, unknown> => {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype) return copy;
    for (const [key, item] of Object.entries(value)) if (item !== undefined) copy[key] = see(item);
    return copy;
  };

  return { value: see(args), longest };
}
