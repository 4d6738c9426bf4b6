/**
 * Random sequences of all operations on a runtime that is bound, with machines that die between any two of them and in the
 * middle of calls, against a small model of what is recorded (`lives/model.ts`).
 */

import { sequences } from "./lives/parts.ts";

sequences("bound", 1);
