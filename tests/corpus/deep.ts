/** Reads pairs in brackets (`a[b][0][c]=1`, `a[]=1`) back into the value that they say, as the servers do that take them. */

/** Do these pairs, all of one parameter, say this value? Texts stand for numbers and booleans; what is empty is not said. */
export function readsBack(pairs: readonly (readonly [string, string])[], value: unknown): boolean {
  const root: Record<string, unknown> = {};
  for (const [name, text] of pairs) place(root, Array.from(name.matchAll(/\[([^\]]*)\]/g), ([, key = ""]) => key), text);
  return JSON.stringify(sorted(root)) === JSON.stringify(sorted(said(value) ?? {}));
}

function place(at: Record<string, unknown>, keys: readonly string[], text: string): void {
  const [first = "", ...rest] = keys;
  const key = first === "" ? String(Object.keys(at).length) : first;
  if (rest.length === 0) at[key] = text;
  else place((at[key] ??= {}) as Record<string, unknown>, rest, text);
}

/** Lists as objects of their places, so that both ways to write them are one. */
function said(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== "object") return String(value);
  const members = Object.entries(value).flatMap(([key, item]) => {
    const text = said(item);
    return text === undefined ? [] : [[key, text] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)).map(([key, item]) => [key, sorted(item)]));
}
