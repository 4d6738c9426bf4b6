/** Attacks by single messages: numbers, keys, steps, deliveries, things that are no text. */

import { RpcTarget } from "cloudflare:workers";

import type { Attack } from "./attacks.ts";
import { answered, type Forge } from "./forge.ts";

const GATE = 'lab\0gate\0"forged"';

/** Operations that are no number the runtime could mean. */
const odd: Record<string, unknown> = {
  negative: -4, fraction: 0.5, nan: Number.NaN, infinite: Infinity, beyond: 2 ** 32, far: 2 ** 53, text: "0", object: { valueOf: () => 0 },
  list: [0], nothing: null, absent: undefined, big: 0n, yes: true,
};

class Passed extends RpcTarget {}
/** Things that travel over RPC and are no text. */
const things: Record<string, (forge: Forge) => unknown> = {
  function: () => () => "v1",
  target: () => new Passed(),
  bridge: ({ bridge }) => bridge,
  stream: () => new ReadableStream(),
  bytes: () => new TextEncoder().encode(GATE),
  date: () => new Date(),
  error: () => new Error(GATE),
  request: () => new Request("http://localhost/"),
};

export const messages: Record<string, Attack> = {
  async odd(forge) {
    forge.say(await forge.raw(odd[forge.given], GATE));
    forge.say(await forge.call(0, "send", "after"));
    return forge.end("done");
  },
  /** `given` is a list of numbers of calls, in the order in which they are made, one after the other. */
  async numbers(forge) {
    for (const seq of forge.given.split(",")) forge.say(await forge.call(Number(seq), "echo", "same"));
    return forge.end("done");
  },
  async twiceAtOnce(forge) {
    const both = [forge.call(0, "hold"), forge.call(0, "hold")];
    forge.say(await Promise.all(both));
    return forge.end("done");
  },
  async kind(forge) {
    forge.say(await forge.raw(Number(forge.given), GATE));
    return forge.end("done");
  },
  async key(forge) {
    forge.say(await forge.raw(0, JSON.parse(forge.given)));
    return forge.end("done");
  },
  async lookups(forge) {
    const keys = [GATE, "lab\0echo\0[]", "codemode\0step\0[]", "codemode\0search\0{", 'codemode\0search\0[1]', 'codemode\0nope\0["x"]', "\0\0"];
    for (const [at, key] of keys.entries()) forge.say(await forge.raw(at * 4 + 2, key));
    return forge.end("done");
  },
  async things(forge) {
    const thing = things[forge.given]?.(forge);
    forge.say(await forge.raw(0, thing));
    return forge.end("done");
  },
  async thingElsewhere(forge) {
    const [where = "", what = ""] = forge.given.split(" ");
    const thing = things[what]?.(forge);
    const ask: Record<string, () => Promise<unknown>> = {
      delivered: () => forge.raw(0, GATE, thing),
      console: () => forge.raw(0, GATE, "", thing),
      outcome: () => forge.settle(0, thing),
      page: () => forge.page(thing),
    };
    forge.say(await ask[where]?.());
    return forge.end("done");
  },
  async methods(forge) {
    const names = ["approve", "execute", "close", "constructor", "__proto__", "#pass", "pass", "_pass", "then", "toString", "fetch", "then", "settle.call"];
    for (const name of names) forge.say([name, await answered(() => forge.bridge[name]?.(forge.given))]);
    forge.say(await answered(() => (forge.bridge["call"] as unknown as { bind: { constructor: () => Promise<unknown> } }).bind.constructor()));
    forge.say(["still", await forge.call(0, "echo", "still")]);
    return forge.end("done");
  },
  async settles(forge) {
    // Which call comes before the settling, and what is settled.
    const [, before = "", outcome = "v1"] = /^(\w+) ?(.*)$/.exec(forge.given) ?? [];
    if (before === "hold") void forge.call(0, "hold");
    else if (before === "step" || before === "stepTwice") forge.say(await forge.step(0));
    else if (before === "gate" || before === "echo") forge.say(await forge.call(0, before));
    if (before === "stepTwice") forge.say(await forge.settle(0, "v1"));
    forge.say(await forge.settle(0, outcome));
    return forge.end("done", {}, '"the end"');
  },
  async stepAs(forge) {
    // A step's name and result are the sandbox's own; they buy no call.
    forge.say(await forge.raw(0, "codemode\0step\0\"lab.gate\""));
    forge.say(await forge.settle(0, 'v{"kind":"value","value":"1"}'));
    forge.say(await forge.raw(4, 'lab\0step\0"s"'));
    forge.say(await forge.settle(4, "v1"));
    return forge.end("done");
  },
  async delivered(forge) {
    forge.say(await forge.raw(0, 'lab\0echo\0"d"', forge.given));
    return forge.end("done");
  },
  async refused(forge) {
    const texts = ["!", "!x", "!not_serializable", "!diverged you", "!cancelled x", `!too_large ${"x".repeat(2_000_000)}`, `@${"x".repeat(2_000_000)}`];
    for (const [at, args] of texts.entries()) forge.say(await forge.raw(at * 4, `lab\0send\0${args}`));
    return forge.end("done");
  },
};
