/** Spec §4.4: time and chance are recorded, so a program may use them freely; a replay repeats them and waits for no timer. */

import { expect, test } from "vitest";

import { completed, newAgent } from "./story.ts";

test("time and chance are the same on the replay", async () => {
  const agent = newAgent();
  // Whatever differed would differ in the arguments of the approved call, and end the run as diverged.
  const { executionId } = await agent.paused(`async () => {
    const seen = () => [
      Date.now(), new Date().toISOString(), Date(), performance.now(), new Intl.DateTimeFormat("en", { timeStyle: "full" }).format(),
      Math.random(), crypto.randomUUID(), crypto.getRandomValues(new Uint8Array(8)).join(),
    ];
    const first = seen();
    await t.sleep({ ms: 15 });
    const second = seen();
    await new Promise((resolve) => setTimeout(resolve, 20));
    return t.gate([first, second, seen()]);
  }`);
  const seen = completed(await agent.approve(executionId)).result as (string | number)[][];
  expect(new Set(seen.map((one) => one[5])).size).toBe(3);
  expect(new Set(seen.map((one) => one[6])).size).toBe(3);
  expect((seen[1]?.[0] as number) - (seen[0]?.[0] as number)).toBeGreaterThanOrEqual(10);
  expect((seen[2]?.[0] as number) - (seen[1]?.[0] as number)).toBeGreaterThanOrEqual(20);
});

test("two executions of one program have different chance", async () => {
  const agent = newAgent();
  const code = `async () => [Math.random(), crypto.randomUUID()]`;
  expect(await agent.result(code)).not.toEqual(await agent.result(code));
});

test("a timer that fired is not waited for again", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => {
    const start = Date.now();
    await new Promise((resolve) => setTimeout(resolve, 2500));
    return t.gate({ waited: Date.now() - start });
  }`);
  const before = Date.now();
  const { waited } = completed(await agent.approve(executionId)).result as { waited: number };
  expect(waited).toBeGreaterThanOrEqual(2500);
  expect(Date.now() - before).toBeLessThan(2000);
});

test("the clock stands still between deliveries and never goes back", async () => {
  const result = await newAgent().result(`async () => {
    const start = Date.now();
    let spins = 0;
    for (let i = 0; i < 3_000_000; i++) spins += i % 7;
    const still = Date.now() === start && performance.now() === performance.now();
    const times = [start];
    for (let n = 0; n < 5; n++) {
      await (n % 2 === 0 ? t.sleep({ ms: 3 }) : new Promise((resolve) => setTimeout(resolve, 3)));
      times.push(Date.now());
    }
    return { still, spins: spins > 0, rises: times.every((time, n) => n === 0 || time >= times[n - 1]) };
  }`);
  expect(result).toEqual({ still: true, spins: true, rises: true });
});

test("after a pause the clock has moved to the present", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => {
    const before = Date.now();
    await t.gate({ before });
    return { before, after: Date.now() };
  }`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const approvedAt = Date.now();
  const { before, after } = completed(await agent.approve(executionId)).result as { before: number; after: number };
  expect(before).toBeLessThan(approvedAt);
  expect(after).toBeGreaterThanOrEqual(approvedAt);
});

test("the execution's clock is the world's", async () => {
  const before = Date.now();
  const now = (await newAgent().result(`async () => Date.now()`)) as number;
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
});

test("timers fire by due time, then in the order in which they were set; a cleared one does not", async () => {
  const result = await newAgent().result(`async () => {
    const fired = [];
    const after = (ms, name) => setTimeout(() => fired.push(name), ms);
    after(20, "twenty"); after(0, "zero"); after(10, "ten"); after(10, "ten again");
    clearTimeout(after(5, "cleared"));
    let turns = 0;
    await new Promise((resolve) => {
      const id = setInterval(() => { if (++turns === 3) { clearInterval(id); resolve(); } }, 15);
    });
    return { fired, turns };
  }`);
  expect(result).toEqual({ fired: ["zero", "ten", "ten again", "twenty"], turns: 3 });
});

test("intervals fire on the replay as often as they did", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => {
    let turns = 0;
    const id = setInterval(() => turns++, 5);
    await t.sleep({ ms: 60 });
    clearInterval(id);
    return t.gate({ turns });
  }`);
  const { turns } = completed(await agent.approve(executionId)).result as { turns: number };
  expect(turns).toBeGreaterThan(0);
});

test("digests and signatures, which the platform computes in turns of its own, replay in their place", async () => {
  const agent = newAgent();
  const { executionId } = await agent.paused(`async () => {
    const bytes = new TextEncoder().encode("abc");
    const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const order = [];
    const [digest, echoed] = await Promise.all([
      crypto.subtle.digest("SHA-256", bytes).then((value) => (order.push("digest"), hex(value))),
      t.echo(1).then((value) => (order.push("echo"), value)),
    ]);
    return t.gate({ digest: digest.slice(0, 8), echoed, order });
  }`);
  expect(completed(await agent.approve(executionId)).result).toMatchObject({ digest: "ba7816bf", echoed: 1 });
});
