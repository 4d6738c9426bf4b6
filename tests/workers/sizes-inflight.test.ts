/** Many at once: calls queue at the limit in their order, steps are the sandbox's own and do not. */

import { expect, test } from "vitest";

import { completed, newLab, paused } from "./values-lab.ts";

test("a thousand calls at once reach the host sixteen at a time and in order", async () => {
  let open = 0;
  let most = 0;
  const lab = newLab({
    slow: {
      execute: async (n) => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 1));
        open--;
        return n;
      },
    },
  });
  const result = await lab.result(`async () => (await Promise.all(Array.from({ length: 1000 }, (_, n) => lab.slow(n)))).length`);
  expect([result, most]).toEqual([1000, 16]);
  expect(lab.ran.map(({ args }) => args)).toEqual(Array.from({ length: 1000 }, (_, n) => n));
}, 60_000);

test("forty steps at once all run, and calls go on beside them", async () => {
  const lab = newLab();
  const program = `async () => {
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const steps = Array.from({ length: 40 }, (_, n) => codemode.step("s" + n, async () => { await wait(30); return n; }));
    const calls = Array.from({ length: 20 }, (_, n) => lab.echo(n));
    const all = [await Promise.all(steps), await Promise.all(calls)];
    await lab.gate(all);
    return all;
  }`;
  const numbers = (length: number): number[] => Array.from({ length }, (_, n) => n);
  const first = paused(await lab.run(program));
  const last = completed(await lab.runtime.approve({ executionId: first.executionId }));
  expect(last.result).toEqual([numbers(40), numbers(20)]);
  expect(lab.count("echo")).toBe(20);
});
