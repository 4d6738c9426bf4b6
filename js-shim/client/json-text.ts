/**
 * A program's value as JSON for others to read: bigints as digits, dates as ISO text. Nothing is changed on the quiet: what
 * JSON cannot carry is an error that names its place.
 */

const ADVICE: Readonly<Record<string, string>> = {
  Map: "pass Object.fromEntries(map)",
  Set: "pass [...set]",
  RegExp: "pass its source",
  Error: "pass its message",
};

/** @throws {TypeError} naming the place under `where`; of `undefined` too, at the top. */
export function jsonText(value: unknown, where: string): string {
  const text = write(value, where, []);
  if (text === undefined) throw new TypeError(`${where} is undefined; JSON has no such value`);
  return text;
}

function write(value: unknown, where: string, above: readonly object[]): string | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
      return JSON.stringify(value);
    case "number":
      if (Number.isFinite(value)) return JSON.stringify(value);
      throw new TypeError(`${where} is ${value}; JSON has no such number`);
    case "bigint":
      return String(value);
    case "object":
      break;
    case "undefined":
      return undefined;
    default:
      throw new TypeError(`${where} is a ${typeof value}; JSON has none`);
  }
  if (value === null) return "null";
  if (value instanceof Date) return JSON.stringify(isoOf(value, where));
  if (above.includes(value)) throw new TypeError(`${where} contains itself; JSON cannot`);
  const inside = [...above, value];
  if (Array.isArray(value)) return `[${Array.from(value, (item, index) => write(item, `${where}[${index}]`, inside) ?? "null").join(",")}]`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) {
    const kind = Object.prototype.toString.call(value).slice(8, -1);
    const advice = isBytes(value) ? "pass base64 text" : (ADVICE[kind] ?? "pass plain objects, arrays, texts and numbers");
    throw new TypeError(`${where} is a ${kind}, which JSON has not; ${advice}`);
  }
  const members = Object.entries(value).flatMap(([key, item]) => {
    const text = write(item, `${where}.${key}`, inside);
    return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
  });
  return `{${members.join(",")}}`;
}

/** @throws {TypeError} */
export function isoOf(date: Date, where: string): string {
  if (Number.isNaN(date.getTime())) throw new TypeError(`${where} is an invalid Date`);
  return date.toISOString();
}

export function isBytes(value: unknown): value is ArrayBuffer | ArrayBufferView {
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value);
}
