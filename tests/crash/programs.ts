/** Programs of a given number of calls, from a seed: what they are, what must come out, and which call comes after which. */

const METHODS = ["send", "put", "list"] as const;
type Method = (typeof METHODS)[number];

export interface Planned {
  n: number;
  method: Method;
  /** Calls whose outcome the program had heard of before it made this one. */
  after: readonly number[];
}
export interface Program {
  code: string;
  calls: readonly Planned[];
  result: readonly string[];
}

/** Uniform in [0, below). */
export type Chance = (below: number) => number;

/** mulberry32: small, and the same everywhere. */
export function chanceOf(seed: number): Chance {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below;
  };
}

/** Single calls, calls made together, and chains side by side, until there are `count` calls. */
export function programOf(chance: Chance, count: number): Program {
  const calls: Planned[] = [];
  const lines: string[] = [];
  const whole = (below: number): number => Math.floor(chance(below));
  const call = (after: readonly number[]): string => {
    const planned: Planned = { n: calls.length, method: METHODS[whole(METHODS.length)] ?? "send", after };
    calls.push(planned);
    return `service.${planned.method}({ n: ${planned.n} })`;
  };
  const some = (most: number): number => Math.min(1 + whole(most), count - calls.length);
  while (calls.length < count) {
    const before = calls.map(({ n }) => n);
    const shape = whole(3);
    if (shape === 0) lines.push(`heard.push(await ${call(before)});`);
    else if (shape === 1) lines.push(`heard.push(...(await Promise.all([${Array.from({ length: some(6) }, () => call(before)).join(", ")}])));`);
    else {
      const chains = Array.from({ length: 2 }, () => {
        const own: number[] = [];
        const links = Array.from({ length: some(4) }, () => {
          const link = `await ${call([...before, ...own])}`;
          own.push(calls.length - 1);
          return link;
        });
        return `(async () => [${links.join(", ")}])()`;
      });
      lines.push(`heard.push(...(await Promise.all([${chains.join(", ")}])).flat());`);
    }
  }
  return {
    code: ["const heard = [];", ...lines, "return heard;"].join("\n"),
    calls,
    result: calls.map(({ n, method }) => `${method} ${n}`),
  };
}
