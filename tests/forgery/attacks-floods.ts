/** Attacks by quantity. */

import type { Attack } from "./attacks.ts";

export const floods: Record<string, Attack> = {
  async thousandAtOnce(forge) {
    const answers = await Promise.all(Array.from({ length: 1_000 }, (_, seq) => forge.call(seq, "hold", seq)));
    return forge.end("done", {}, JSON.stringify(answers.length));
  },
  /** `given` calls in turn, more than the limit. */
  async inTurn(forge) {
    for (let seq = 0; seq < Number(forge.given); seq++) await forge.call(seq, "echo", seq);
    return forge.end("done");
  },
  /** One call of a method whose result is not kept, again and again. */
  async sameAgain(forge) {
    for (let time = 0; time < 500; time++) await forge.call(0, "now", "same");
    return forge.end("done");
  },
  async lookupsInTurn(forge) {
    for (let at = 0; at < Number(forge.given); at++) await forge.raw(at * 4 + 2, `codemode\0search\0["x"]`);
    return forge.end("done");
  },
  async stepsAtOnce(forge) {
    const answers = await Promise.all(Array.from({ length: 500 }, (_, seq) => forge.step(seq)));
    forge.say(answers.filter((answer) => answer === "s").length);
    return forge.end("done");
  },
  /** 50 MB in messages of 1 MB, then as many as one message can hold and more. */
  async console(forge) {
    const text = `${"漢".repeat(1_000_000)}\n`;
    for (let seq = 0; seq < 50; seq++) await forge.raw(seq * 4, 'lab\0echo\0"c"', "", text);
    return forge.end("done", { console: `${text}\nreached the last line\n` });
  },
  async consoleAtOnce(forge) {
    forge.say(await forge.raw(0, 'lab\0echo\0"c"', "", "x".repeat(50_000_000)));
    forge.say(await forge.call(0, "echo", "after"));
    return forge.end("done");
  },
  async deliveries(forge) {
    const pairs = "1,0,".repeat(99_999) + "1,0";
    for (let seq = 0; seq < 12; seq++) await forge.raw(seq * 4, `lab\0echo\0${seq}`, pairs);
    return forge.end("done");
  },
  async hugeKey(forge) {
    forge.say(await forge.raw(0, `lab\0send\0"${"x".repeat(20_000_000)}"`));
    forge.say(await forge.raw(4, `lab\0${"m".repeat(1_000)}\0{}`));
    return forge.end("done");
  },
  async hugeStep(forge) {
    forge.say(await forge.step(0));
    forge.say(await forge.settle(0, `v"${"x".repeat(20_000_000)}"`));
    forge.say(await forge.step(1));
    forge.say(await forge.settle(4, `eexception @[[0],[["Error","Error",null,"${"x".repeat(20_000_000)}",{}]]]`));
    return forge.end("done");
  },
  async pages(forge) {
    for (const number of [0, 1, 2 ** 32 - 1, -1, Number.NaN, "0"]) forge.say(await forge.page(number));
    return forge.end("done");
  },
};
