/** All attacks by name. Each gets the real bridge; what it returns goes to the runtime as it is. */

import { ends } from "./attacks-ends.ts";
import { floods } from "./attacks-floods.ts";
import { messages } from "./attacks-messages.ts";
import { reaches } from "./attacks-reaches.ts";
import { replays } from "./attacks-replays.ts";
import type { Forge } from "./forge.ts";

export type Attack = (forge: Forge) => unknown;

export const attacks: Record<string, Attack> = { ...messages, ...ends, ...replays, ...reaches, ...floods };
