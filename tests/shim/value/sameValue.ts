/**
 * Whether two values are the same graph: types, contents, order of keys and entries, holes, and which parts are one object.
 * Written without the codec, so that it can judge it. Gives the path of the first difference, or `undefined`.
 */
type Pairing = { forth: Map<object, object>; back: Map<object, object> };
type Keyed = Record<PropertyKey, unknown>;

export function difference(a: unknown, b: unknown): string | undefined {
  const pairing: Pairing = { forth: new Map(), back: new Map() };
  const work: [unknown, unknown, string][] = [[a, b, "value"]];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const [left, right, path] = next;
    if (!isObject(left) || !isObject(right)) {
      if (!Object.is(left, right)) return `${path}: ${String(left)} and ${String(right)}`;
      continue;
    }
    const known = pairing.forth.get(left);
    if (known !== undefined || pairing.back.has(right)) {
      if (known !== right || pairing.back.get(right) !== left) return `${path}: one object here, two there`;
      continue;
    }
    pairing.forth.set(left, right);
    pairing.back.set(right, left);
    const problem = compare(left, right, (x, y, step) => work.push([x, y, `${path}${step}`]));
    if (problem !== undefined) return `${path}: ${problem}`;
  }
  return undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

type Visit = (a: unknown, b: unknown, step: string) => void;

function compare(a: object, b: object, visit: Visit): string | undefined {
  if (typeName(a) !== typeName(b)) return `${typeName(a)} and ${typeName(b)}`;
  if (a instanceof Date) return same("time", a.getTime(), (b as Date).getTime());
  if (a instanceof RegExp && b instanceof RegExp) {
    return same("pattern", String(a), String(b)) ?? same("lastIndex", a.lastIndex, b.lastIndex);
  }
  if (a instanceof Map) return compareEntries([...a].flat(), [...(b as Map<unknown, unknown>)].flat(), visit);
  if (a instanceof Set) return compareEntries([...a], [...(b as Set<unknown>)], visit);
  if (a instanceof ArrayBuffer) return same("bytes", hex(a), hex(b as ArrayBuffer));
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) {
    visit(a.buffer, b.buffer, ".buffer");
    return same("byteOffset", a.byteOffset, b.byteOffset) ?? same("byteLength", a.byteLength, b.byteLength);
  }
  if (a instanceof Error && b instanceof Error) {
    return (
      same("name", a.name, b.name) ??
      same("message", a.message, b.message) ??
      same("own message", Object.hasOwn(a, "message"), Object.hasOwn(b, "message")) ??
      compareKeys(a, b, errorKeys(a), errorKeys(b), visit)
    );
  }
  if (Array.isArray(a)) {
    const problem = same("length", a.length, (b as unknown[]).length);
    if (problem !== undefined) return problem;
  }
  return compareKeys(a, b, Object.keys(a), Object.keys(b), visit);
}

function compareEntries(a: unknown[], b: unknown[], visit: Visit): string | undefined {
  for (let i = 0; i < a.length; i++) visit(a[i], b[i], `<${i}>`);
  return same("size", a.length, b.length);
}

function compareKeys(a: object, b: object, keys: string[], others: string[], visit: Visit): string | undefined {
  for (const key of keys) visit((a as Keyed)[key], (b as Keyed)[key], `[${JSON.stringify(key)}]`);
  return same("keys", JSON.stringify(keys), JSON.stringify(others));
}

/** Keys that cross besides name and message; some are not enumerable. */
function errorKeys(error: Error): string[] {
  const hidden = ["cause", "errors"].filter((key) => Object.hasOwn(error, key));
  const shown = Object.keys(error).filter((key) => !["name", "message", "stack", ...hidden].includes(key));
  return [...shown, ...hidden];
}

function same(what: string, a: unknown, b: unknown): string | undefined {
  return Object.is(a, b) ? undefined : `${what} ${String(a)} and ${String(b)}`;
}

function hex(buffer: ArrayBuffer): string {
  return Buffer.from(buffer).toString("hex");
}

/** The class as far as it crosses: an object without a prototype comes back with one, a class of Error as its base. */
function typeName(value: object): string {
  if (Array.isArray(value)) return "Array";
  if (!(value instanceof Error)) return Object.prototype.toString.call(value).slice(8, -1);
  const types = [AggregateError, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, Error];
  return types.find((type) => value instanceof type)?.name ?? "Error";
}
