/** Random values from a seed: graphs of every type that crosses, with shared parts and cycles. The same seed, the same graph. */
export type Random = () => number;

/** mulberry32: small, and the same numbers every time. */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

const KEYS = ["a", "b", "list", "__proto__", "toJSON", "constructor", "then", "0", "10", "-1", "", "\ud800", "é", "a b", "length"];
const LEAVES: readonly (() => unknown)[] = [
  () => null, () => true, () => false, () => 0, () => 1.5, () => -1e300, () => "", () => "text", () => "@[[0],[{}]]", () => "\udc00x",
];
const RARE: readonly (() => unknown)[] = [
  () => undefined, () => NaN, () => -0, () => Infinity, () => -Infinity, () => 10n ** 30n, () => -5n, () => new Date(7), () => new Date(NaN),
  () => /a[/]b/gi, () => new ArrayBuffer(3), () => new Float32Array([1, 2]), () => new DataView(new ArrayBuffer(4), 1, 2),
];

/** `plain` makes trees of plain JSON values only. */
export function randomValue(random: Random, form: "plain" | "any"): unknown {
  const made: object[] = [];
  const value = (depth: number): unknown => {
    if (form === "any" && made.length > 0 && random() < 0.15) return pick(random, made);
    if (depth > 5 || random() < 0.4) return pick(random, form === "any" && random() < 0.3 ? RARE : LEAVES)();
    return container(depth);
  };
  const count = () => Math.floor(random() * 5);
  const container = (depth: number): unknown => {
    const kind = form === "plain" ? random() * 0.6 : random();
    if (kind < 0.35) return object(depth);
    if (kind < 0.6) {
      const array: unknown[] = [];
      made.push(array);
      for (let i = count(); i > 0; i--) array.push(value(depth + 1));
      if (form === "any" && random() < 0.2) array.length += 2;
      return array;
    }
    if (kind < 0.72) {
      const map = new Map();
      made.push(map);
      for (let i = count(); i > 0; i--) map.set(value(depth + 1), value(depth + 1));
      return map;
    }
    if (kind < 0.84) {
      const set = new Set();
      made.push(set);
      for (let i = count(); i > 0; i--) set.add(value(depth + 1));
      return set;
    }
    if (kind < 0.92) {
      const error = new (pick(random, [Error, TypeError, RangeError]))(pick(random, ["", "failed"]));
      made.push(error);
      if (random() < 0.5) Object.assign(error, { code: value(depth + 1) });
      if (random() < 0.5) Object.defineProperty(error, "cause", { value: value(depth + 1), writable: true, configurable: true });
      return error;
    }
    const buffer = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]).buffer;
    return { one: new Uint8Array(buffer, 1, count()), two: new Uint16Array(buffer, 2) };
  };
  const object = (depth: number): object => {
    const made_: Record<string, unknown> = {};
    made.push(made_);
    for (let i = count(); i > 0; i--) {
      Object.defineProperty(made_, pick(random, KEYS), { value: value(depth + 1), writable: true, enumerable: true, configurable: true });
    }
    return made_;
  };
  return value(0);
}
