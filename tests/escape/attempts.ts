/** All attempts, by what they turn against. */

import { builtins } from "./attempts-builtins.ts";
import { globals } from "./attempts-globals.ts";
import { markers } from "./attempts-markers.ts";
import { others } from "./attempts-others.ts";
import { promises } from "./attempts-promises.ts";
import { stacks } from "./attempts-stacks.ts";
import { time } from "./attempts-time.ts";
import { watching } from "./attempts-watching.ts";

export const attempts = [...stacks, ...promises, ...builtins, ...globals, ...markers, ...others, ...watching, ...time];
