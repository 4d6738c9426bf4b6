/**
 * Work on many runs, some at a time: an object has one thread, and whatever is asked of it meanwhile has its turn in between.
 */

import { parse } from "./frame.ts";
import type { Reply } from "./wire.ts";

/** Ends all that is overdue. `act` does a part of it and says whether there is more. */
export async function expireAll(act: () => string): Promise<string> {
  const expired: string[] = [];
  const refused = await inTurns<{ expired: string[]; more?: boolean }>(act, (part) => expired.push(...part.expired));
  return JSON.stringify(refused ?? { ok: true, value: { expired } });
}

/** Forgets all that is beyond what is kept, as `expireAll`. */
export async function pruneAll(act: () => string): Promise<string> {
  let deleted = 0;
  const refused = await inTurns<{ deleted: number; more?: boolean }>(act, (part) => (deleted += part.deleted));
  return JSON.stringify(refused ?? { ok: true, value: { deleted } });
}

async function inTurns<Part extends { more?: boolean }>(act: () => string, take: (part: Part) => void): Promise<Reply<never> | undefined> {
  for (;;) {
    const part = parse<Reply<Part>>(act());
    if (!part.ok) return part;
    take(part.value);
    if (part.value.more !== true) return undefined;
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
  }
}
