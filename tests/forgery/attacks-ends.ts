/** Attacks by the end: frames that are none, that claim what is not, and what is done after it. */

import { RpcTarget } from "cloudflare:workers";

import type { Attack } from "./attacks.ts";

class Stub extends RpcTarget {}

const frames: Record<string, () => unknown> = {
  empty: () => "",
  words: () => "done",
  number: () => 5,
  object: () => ({ end: "done" }),
  nothing: () => undefined,
  function: () => () => "2\n{}",
  stub: () => new Stub(),
  stream: () => new ReadableStream(),
  headless: () => "2\n{}",
  negative: () => '-1\n{"end":"done"}',
  huge: () => '1e9\n{"end":"done"}',
  short: () => '5\n{"end":"done"}',
  list: () => "2\n[]",
  unknownEnd: () => frame({ end: "surprise" }),
  unknownCode: () => frame({ end: "error", code: "root", error: "x" }),
  oddDelivered: () => frame({ end: "done", delivered: [1] }),
  badDelivered: () => frame({ end: "done", delivered: [-1, "x"] }),
  consoleList: () => frame({ end: "done", console: ["x"] }),
  deep: () => frame({ end: "done", more: JSON.parse("[".repeat(500) + "]".repeat(500)) }),
};

function frame(head: object): string {
  const text = JSON.stringify(head);
  return `${text.length}\n${text}`;
}

export const ends: Record<string, Attack> = {
  frame: ({ given }) => frames[given]?.(),
  throws: ({ given }) => {
    throw new Error(given === "huge" ? "x".repeat(5_000_000) : given);
  },
  throwsNothing: () => Promise.reject(undefined),
  never: () => new Promise(() => {}),
  /** As `never`, but with something that the platform waits for. */
  busy: () => new Promise(() => void setInterval(() => {}, 20)),
  /** Says `done` with a result although a call waits for a person. */
  async doneWhilePending(forge) {
    forge.say(await forge.call(0, "gate", "unapproved"));
    return forge.end("done", {}, '"approved by myself"');
  },
  /** Says `done` before the answer to the question whether a person must decide. */
  async doneWhileAsked(forge) {
    void forge.call(0, forge.given, "unapproved");
    await forge.page();
    return forge.end("done", {}, '"quick"');
  },
  async doneWhileCalled(forge) {
    void forge.call(0, "hold", "late");
    await forge.page();
    return forge.end("done", {}, '"left it"');
  },
  claims: (forge) => forge.end(forge.given, { code: "cancelled", error: "I was cancelled" }),
  /** `given` is the id of another execution. */
  another: (forge) =>
    forge.end("done", { executionId: forge.given, id: forge.given, execution: forge.given, status: "completed", pass: 1 }, `"${forge.given}"`),
  malformedResult: (forge) => forge.end("done", {}, forge.given),
  /** Keeps the bridge and goes on when its pass is over. */
  async keepsBridge(forge) {
    const kept = forge.bridge.dup();
    forge.say(await kept["call"]?.(0, 'lab\0echo\0"before"', "", ""));
    const later = async (): Promise<void> => {
      for (let seq = 1; seq < 200; seq++) {
        await new Promise((resolve) => setTimeout(resolve, 2));
        await kept["call"]?.(seq * 4, `lab\0${seq % 2 ? "send" : "gate"}\0"late"`, "", "late\n");
        await kept["settle"]?.(seq * 4, "v1", "", "late\n");
      }
    };
    forge.ctx.waitUntil(later().catch(() => undefined));
    return forge.end("done");
  },
  /** Is told that its pass is closed, and goes on. */
  async goesOn(forge) {
    const answers = new Set<unknown>();
    answers.add(await forge.call(5, "send", "gap"));
    for (let seq = 0; seq < 20; seq++) answers.add(await forge.call(seq, "send", "after the end"));
    // Heard only if the runtime still listened.
    return forge.end("done", {}, JSON.stringify([...answers]));
  },
};
