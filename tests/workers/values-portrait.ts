/**
 * A value as a text: types, contents, order, holes, and which parts are one object. Equal texts are equal graphs.
 * Written without the codec, so that it can judge it, and without imports, so that its text can be pasted into a program.
 */
export function portrait(value: unknown): string {
  const numbers = new Map<object, number>();
  const found: object[] = [];
  const part = (inner: unknown): string => {
    if (typeof inner === "string") return JSON.stringify(inner);
    if (typeof inner === "bigint") return `${inner}n`;
    if (typeof inner === "function" || typeof inner === "symbol") return typeof inner;
    if (typeof inner !== "object" || inner === null) return Object.is(inner, -0) ? "-0" : String(inner);
    let number = numbers.get(inner);
    if (number === undefined) {
      number = found.push(inner) - 1;
      numbers.set(inner, number);
    }
    return `#${number}`;
  };
  const property = (of: object, key: string): string => `${JSON.stringify(key)}:${part((of as Record<string, unknown>)[key])}`;
  const error = (thrown: Error): string => {
    // The class as far as it crosses: a class of one's own comes back as its base.
    const types = [AggregateError, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, Error];
    const hidden = ["cause", "errors"].filter((key) => Object.hasOwn(thrown, key));
    const shown = Object.keys(thrown).filter((key) => !["name", "message", "stack", ...hidden].includes(key));
    const own = Object.hasOwn(thrown, "message") ? "own" : "inherited";
    const type = types.find((one) => thrown instanceof one)?.name;
    return `${type} ${JSON.stringify(thrown.name)} ${own} ${JSON.stringify(thrown.message)} {${[...shown, ...hidden].map((key) => property(thrown, key))}}`;
  };
  const drawn = (object: object): string => {
    if (object instanceof Date) return `Date ${object.getTime()}`;
    if (object instanceof RegExp) return `RegExp ${String(object)} at ${object.lastIndex}`;
    if (object instanceof Map) return `Map ${[...object].map(([key, item]) => `${part(key)}=>${part(item)}`)}`;
    if (object instanceof Set) return `Set ${[...object].map(part)}`;
    if (object instanceof ArrayBuffer) return `ArrayBuffer ${new Uint8Array(object)}`;
    if (object instanceof Error) return error(object);
    if (ArrayBuffer.isView(object)) {
      const type = Object.prototype.toString.call(object);
      return `${type} ${part(object.buffer)} from ${object.byteOffset} for ${object.byteLength}`;
    }
    const kind = Array.isArray(object) ? `Array ${object.length}` : "Object";
    return `${kind} {${Object.keys(object).map((key) => property(object, key))}}`;
  };
  const lines = [part(value)];
  for (let at = 0; at < found.length; at++) lines.push(`#${at} ${drawn(found[at] as object)}`);
  const text = lines.join("\n");
  if (text.length < 500) return text;
  let digest = 0;
  for (let at = 0; at < text.length; at++) digest = (Math.imul(digest, 31) + text.charCodeAt(at)) | 0;
  return `${text.slice(0, 200)}… ${text.length} ${digest}`;
}
