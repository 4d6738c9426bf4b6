/** Which names may have been meant. Pure, and bounded: what it compares was written by the program. */

import { charCodeAt, floor, indexOf, list, lower, min, slice, type List } from "./primordials.ts";

const MAX_LENGTH = 48;
const MAX_NEAREST = 3;

/** The nearest of `known`, best first, joined by commas; "" if none is near. */
export function nearest(name: string, known: List<string>): string {
  const wanted = folded(name);
  const near = list<{ name: string; away: number }>();
  for (let i = 0; i < known.length; i++) {
    const candidate = known[i] as string;
    const away = distance(wanted, folded(candidate));
    if (away === undefined) continue;
    let at = near.length;
    for (; at > 0 && (near[at - 1] as { away: number }).away > away; at--) near[at] = near[at - 1];
    near[at] = { name: candidate, away };
  }
  let text = "";
  for (let i = 0; i < near.length && i < MAX_NEAREST; i++) text += `${i === 0 ? "" : ", "}${(near[i] as { name: string }).name}`;
  return text;
}

/** Small letters and digits only: `read_file` is `readFile`. */
function folded(name: string): string {
  const text = lower(slice(name, 0, MAX_LENGTH));
  let kept = "";
  for (let i = 0; i < text.length; i++) {
    const unit = charCodeAt(text, i);
    if (unit !== 95 && unit !== 36 && unit !== 45) kept += slice(text, i, i + 1);
  }
  return kept;
}

/** Letters that differ, two that changed places being one; nothing where the names are not near. */
function distance(a: string, b: string): number | undefined {
  if (a === "" || b === "") return undefined;
  const shorter = min(a.length, b.length);
  const longer = a.length + b.length - shorter;
  if (shorter >= 4 && (indexOf(a, b) >= 0 || indexOf(b, a) >= 0)) return 1;
  const most = floor(longer / 3);
  if (longer - shorter > most) return undefined;
  let before = list<number>();
  let row = list<number>();
  for (let j = 0; j <= b.length; j++) row[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const older = before;
    before = row;
    row = list();
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const same = charCodeAt(a, i - 1) === charCodeAt(b, j - 1);
      let away = min((before[j] as number) + 1, (row[j - 1] as number) + 1, (before[j - 1] as number) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && charCodeAt(a, i - 1) === charCodeAt(b, j - 2) && charCodeAt(a, i - 2) === charCodeAt(b, j - 1);
      if (swapped) away = min(away, (older[j - 2] as number) + 1);
      row[j] = away;
    }
  }
  const away = row[b.length] as number;
  return away <= most ? away : undefined;
}
