/**
 * The parts of the harness that only some passes need, so that no other pass pays for parsing them.
 *
 * The runtime puts those of a pass before the text of the harness (`js-shim/parts.ts`): what the manifest makes necessary,
 * and what the texts of the pass can name at all. A global of which nothing is said in them cannot be asked for, and is then
 * `undefined`. A part that is necessary and not there ends the pass before a line of the program runs.
 */

import type { Bindings } from "./bindings.ts";
import type { createCodemode } from "./codemode.ts";
import type { createConsole } from "./console.ts";
import type { createCrypto } from "./crypto.ts";
import { kit } from "./kit.ts";
import type { Manifest } from "./messages.ts";
import type { openNetwork } from "./network.ts";
import { hasPast } from "./past.ts";
import type { Replay } from "./replay.ts";
import type { Timers } from "./timers.ts";

export type Parts = {
  bindings?: typeof Bindings;
  codemode?: typeof createCodemode;
  console?: typeof createConsole;
  crypto?: typeof createCrypto;
  network?: typeof openNetwork;
  replay?: typeof Replay;
  timers?: typeof Timers;
};
type Name = keyof Parts;

/** Before the text of the harness. */
declare const PARTS: Readonly<Partial<Record<Name, (kit: readonly unknown[], give: (part: never) => void) => void>>>;

/** Runs while the realm is as the platform made it: a part captures what it needs of it, too. */
export function openParts(manifest: Manifest): Parts {
  const parts: Parts = {};
  const handed = kit();
  for (const name of Object.keys(PARTS) as Name[]) {
    PARTS[name]?.(handed, (part) => {
      parts[name] = part;
    });
  }
  if (hasPast(manifest)) must("replay", parts);
  if (manifest.egress) must("network", parts);
  if (Object.keys(manifest.bindings).length > 0) must("bindings", parts);
  return parts;
}

function must(name: Name, parts: Parts): void {
  if (parts[name] === undefined) throw new Error(`its part ${name} is missing`);
}
