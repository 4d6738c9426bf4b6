/** Spec §4.1 and §4.3: calls are numbered when they are made, and heard of in the order in which that was first recorded. */

import { expect, test } from "vitest";

import { type Agent, completed, newAgent } from "./story.ts";

/** Runs a program that pauses once, approves, and gives the result. A replay that differs in anything ends as `diverged`. */
async function acrossAPause(agent: Agent, code: string): Promise<unknown> {
  const { executionId } = await agent.paused(code);
  return completed(await agent.approve(executionId)).result;
}

test("calls are numbered in the order in which the program made them, not in which they were answered", async () => {
  const agent = newAgent();
  const output = completed(
    await agent.execute(`async () => {
      const heard = [];
      const note = (value) => heard.push(value);
      await Promise.all([
        t.sleep({ ms: 90, value: "a" }).then(note),
        t.sleep({ ms: 45, value: "b" }).then(note),
        t.sleep({ ms: 0, value: "c" }).then(note),
      ]);
      return heard;
    }`),
  );
  expect(output.result).toEqual(["c", "b", "a"]);
  expect(output.calls?.map(({ seq, result }) => [seq, result])).toEqual([[0, "a"], [1, "b"], [2, "c"]]);
  expect((await agent.ran()).map(({ seq }) => seq)).toEqual([0, 1, 2]);
});

test("a number is given when a call is made, also when an earlier one waits in the queue", async () => {
  const agent = newAgent({ limits: { inflight: 1 } });
  const output = completed(
    await agent.execute(`async () => Promise.all([t.sleep({ ms: 20, value: 0 }), t.echo(1), codemode.step("s", () => 2), t.echo(3)])`),
  );
  expect(output.result).toEqual([0, 1, 2, 3]);
  expect(output.calls?.map(({ seq, method }) => [seq, method])).toEqual([[0, "sleep"], [1, "echo"], [2, "step"], [3, "echo"]]);
});

test("Promise.all of a slow and a fast call gives the approved call the same arguments on the replay", async () => {
  const agent = newAgent();
  const result = await acrossAPause(
    agent,
    `async () => {
      const [a, b] = await Promise.all([t.sleep({ ms: 60, value: "slow" }), t.sleep({ ms: 0, value: "fast" })]);
      return t.gate({ a, b });
    }`,
  );
  expect(result).toEqual({ a: "slow", b: "fast" });
  expect(await agent.counters()).toMatchObject({ "t.sleep": 2, "t.gate": 1 });
});

test.each([
  ["race", `Promise.race([t.sleep({ ms: 60, value: "slow" }), t.sleep({ ms: 0, value: "fast" })])`, "fast"],
  ["any", `Promise.any([t.fail({ message: "no" }), t.sleep({ ms: 60, value: "slow" }), t.sleep({ ms: 10, value: "fast" })])`, "fast"],
  [
    "allSettled",
    `Promise.allSettled([t.sleep({ ms: 30, value: 1 }), t.fail({ message: "no" })]).then((all) => all.map((one) => one.value ?? one.reason.message))`,
    [1, "no"],
  ],
  ["then, finally", `t.sleep({ ms: 5, value: "x" }).then((v) => v + "y").finally(() => t.echo("finally"))`, "xy"],
])("Promise.%s has the same outcome on the replay", async (_name, expression, value) => {
  const agent = newAgent();
  expect(await acrossAPause(agent, `async () => t.gate(await ${expression})`)).toEqual(value);
});

test("chains that run through each other are interleaved on the replay as they were", async () => {
  const agent = newAgent();
  const result = await acrossAPause(
    agent,
    `async () => {
      const heard = [];
      const chain = async (name, delays) => {
        for (const ms of delays) {
          await t.sleep({ ms });
          heard.push(name);
          await new Promise((resolve) => setTimeout(resolve, ms / 2));
          heard.push(name.toUpperCase());
        }
      };
      await Promise.all([chain("a", [25, 0, 10]), chain("b", [5, 30]), chain("c", [0, 0, 0, 20])]);
      const approved = await t.gate({ heard: heard.join("") });
      return { approved: approved.heard, now: heard.join("") };
    }`,
  );
  const { approved, now } = result as { approved: string; now: string };
  expect(now).toBe(approved);
  expect([...now].sort().join("")).toBe("AAABBCCCCaaabbcccc");
});

test("outcomes are heard one at a time, and what each sets going runs before the next is heard", async () => {
  const result = await newAgent().result(`async () => {
    const heard = [];
    const calls = [0, 1, 2, 3].map(async (n) => {
      await t.echo(n);
      heard.push("heard " + n);
      await null;
      await null;
      heard.push("done " + n);
    });
    await Promise.all(calls);
    return heard.map((text, at) => at % 2 === 0 || heard[at - 1].at(-1) === text.at(-1));
  }`);
  expect(result).toEqual(Array.from({ length: 8 }, () => true));
});

test("three pauses are replayed one after the other, each call run once", async () => {
  const agent = newAgent();
  const first = await agent.paused(`async () => {
    const all = [];
    for (let n = 0; n < 3; n++) {
      all.push(await t.count({ key: "k" }));
      all.push(await t.gate(n));
    }
    return all;
  }`);
  await agent.approve(first.executionId);
  await agent.approve(first.executionId);
  expect(completed(await agent.approve(first.executionId)).result).toEqual([1, 0, 2, 1, 3, 2]);
  expect(await agent.counters()).toMatchObject({ "t.count": 3, "t.gate": 3 });
});
