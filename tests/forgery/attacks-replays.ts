/** Attacks on the second pass, when a call was approved. The first pass is well-behaved and asks for it. */

import type { Attack } from "./attacks.ts";
import type { Forge } from "./forge.ts";

/** Asks for `args` to be approved, and pauses; in the second pass does `then`. */
function afterApproval(then: (forge: Forge) => Promise<string>, asked: readonly unknown[] = ["shown"]): Attack {
  return async (forge) => {
    if (forge.again) return then(forge);
    for (const [seq, args] of asked.entries()) forge.say(await forge.call(seq, "gate", args));
    return forge.end("paused");
  };
}

export const replays: Record<string, Attack> = {
  otherArguments: afterApproval(async (forge) => {
    forge.say(await forge.call(0, "gate", "another"));
    return forge.end("done");
  }),
  otherMethod: afterApproval(async (forge) => {
    forge.say(await forge.call(0, "send", "shown"));
    return forge.end("done");
  }),
  /** The same arguments in other words: only the recorded text itself is what was shown. */
  otherText: afterApproval(async (forge) => {
    forge.say(await forge.raw(0, 'lab\0gate\0 "shown"'));
    return forge.end("done");
  }),
  twiceAtOnceApproved: afterApproval(async (forge) => {
    forge.say(await Promise.all([forge.call(0, "gate", "shown"), forge.call(0, "gate", "shown")]));
    return forge.end("done");
  }),
  twiceInTurn: afterApproval(async (forge) => {
    forge.say(await forge.call(0, "gate", "shown"));
    forge.say(await forge.call(0, "gate", "shown"));
    return forge.end("done");
  }),
  underANewNumber: afterApproval(async (forge) => {
    forge.say(await forge.call(0, "gate", "shown"));
    forge.say(await forge.call(1, "gate", "shown"));
    return forge.end("paused");
  }),
  skipsReplay: afterApproval(async (forge) => {
    forge.say(await forge.call(1, "send", "new"));
    forge.say(await forge.call(2, "gate", "new"));
    return forge.end("done", {}, '"skipped"');
  }),
  doesNothing: afterApproval(async (forge) => forge.end("done", {}, '"nothing"')),
  settlesApproved: afterApproval(async (forge) => {
    forge.say(await forge.settle(0, 'v"settled by myself"'));
    return forge.end("done");
  }),
  /** Two were asked for, one was approved. */
  both: afterApproval(
    async (forge) => {
      forge.say(await forge.call(0, "gate", "one"));
      forge.say(await forge.call(1, "gate", "two"));
      return forge.end("done", {}, '"both"');
    },
    ["one", "two"],
  ),
  again: afterApproval(async (forge) => {
    forge.say(await forge.call(0, "gate", "shown"));
    return forge.end("done");
  }),
};
