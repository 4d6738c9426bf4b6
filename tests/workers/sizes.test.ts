/** The limit of 1,000,000 UTF-16 units, to the unit, with three bytes each; and what replies hold. */

import { expect, test } from "vitest";

import { completed, failed, newLab, paused } from "./values-lab.ts";

const LIMIT = 1_000_000;
/** A text of that many units once serialised: two are the quotes. */
const text = (units: number): string => "漢".repeat(units - 2);
const MAKE = `const text = (units) => "漢".repeat(units - 2);`;

test("a value of exactly the limit crosses as argument, result and step result, and replays", async () => {
  const lab = newLab({ make: { execute: (units) => text(units as number) } });
  const program = `async () => {
    ${MAKE}
    const all = [await lab.echo(text(${LIMIT})), await lab.make(${LIMIT}), await codemode.step("s", () => text(${LIMIT}))];
    const same = all.map((one) => one === text(${LIMIT}));
    await lab.gate(same);
    return same;
  }`;
  const first = paused(await lab.run(program));
  expect(first.pending[0]?.args).toEqual([true, true, true]);
  const last = completed(await lab.runtime.approve({ executionId: first.executionId }));
  expect(last.result).toEqual([true, true, true]);
  for (const seq of [0, 1, 2]) expect((await lab.entry(last, seq)).result === text(LIMIT)).toBe(true);
  expect((await lab.entry(last, 0)).args === text(LIMIT)).toBe(true);
  expect(last.calls?.[0]).toMatchObject({ args: { omitted: true, length: LIMIT }, result: { omitted: true, length: LIMIT } });
});

test("one unit more is too large in each place, says how large, and can be caught; a replay says the same", async () => {
  const lab = newLab({ make: { execute: (units) => text(units as number) } });
  const program = `async () => {
    ${MAKE}
    const told = (error) => error.message;
    const all = [
      await lab.echo(text(${LIMIT + 1})).catch(told),
      await lab.make(${LIMIT + 1}).catch(told),
      await codemode.step("s", () => text(${LIMIT + 1})).catch(told),
    ];
    await lab.gate(all);
    return all;
  }`;
  const first = paused(await lab.run(program));
  const told = first.pending[0]?.args as string[];
  for (const message of told) {
    expect(message).toContain("1,000,001");
    expect(message).toContain("1,000,000");
    expect(message).toMatch(/reference/);
  }
  const last = completed(await lab.runtime.approve({ executionId: first.executionId }));
  expect(last.result).toEqual(told);
  expect(lab.ran.map(({ method }) => method)).toEqual(["make", "gate"]);
  const entries = await Promise.all([0, 1, 2].map((seq) => lab.entry(last, seq)));
  expect(entries.map(({ code }) => code)).toEqual(["too_large", "too_large", "too_large"]);
  // The argument reached no one; the connector did act.
  expect(entries.slice(0, 2).map(({ state, attempt }) => [state, attempt])).toEqual([["error", 0], ["applied", 1]]);
});

test.each([
  ["argument", `async () => lab.echo("漢".repeat(${LIMIT}))`],
  ["result", `async () => lab.make()`],
  ["step result", `async () => codemode.step("s", () => "漢".repeat(${LIMIT}))`],
])("a %s that is too large and not caught ends the run with its code", async (_what, code) => {
  const lab = newLab({ make: { execute: () => "漢".repeat(LIMIT) } });
  expect(failed(await lab.run(code)).code).toBe("too_large");
});

test("code of exactly the limit runs and is kept; one unit more is refused", async () => {
  const lab = newLab();
  const around = `async () => "".length`;
  const code = (units: number): string => around.replace('""', `"${"漢".repeat(units - around.length)}"`);
  const output = completed(await lab.run(code(LIMIT)));
  expect(output.result).toBe(LIMIT - around.length);
  expect((await lab.runtime.execution(output.executionId)).code === code(LIMIT)).toBe(true);
  const refused = failed(await lab.run(code(LIMIT + 1)));
  expect(refused.code).toBe("too_large");
  expect(refused.error).toContain("1000001");
  expect((await lab.runtime.executions()).length).toBe(1);
});

test("code over 16 KiB is left out of a listing and whole by itself", async () => {
  const lab = newLab();
  const small = `async () => 1 // ${"s".repeat(16 * 1024 - 17)}`;
  const large = `${small}l`;
  expect(small.length).toBe(16 * 1024);
  for (const code of [small, large]) completed(await lab.run(code));
  const listed = await lab.runtime.executions();
  expect(listed.map(({ code }) => code)).toEqual([{ omitted: true, length: large.length }, small]);
  const whole = await Promise.all(listed.map(({ id }) => lab.runtime.execution(id)));
  expect(whole.map(({ code }) => code)).toEqual([large, small]);
});

test("a hundred calls of 1 MB are left out of a reply and each is whole by itself", async () => {
  const lab = newLab({ make: { readOnly: true, execute: (n) => `${n}:`.padEnd(LIMIT - 2, "x") } });
  const output = completed(await lab.run(`async () => { for (let n = 0; n < 100; n++) await lab.make(n); return "done"; }`));
  expect(output.calls?.length).toBe(100);
  expect(JSON.stringify(output.calls).length).toBeLessThan(4 * 1024 * 1024);
  expect(output.calls?.[99]?.result).toEqual({ omitted: true, length: LIMIT });
  for (const seq of [0, 50, 99]) expect(((await lab.entry(output, seq)).result as string).slice(0, 4)).toBe(`${seq}:xxxx`.slice(0, 4));
  const reply = await lab.stub.executions("{}");
  expect(reply.length).toBeLessThan(4 * 1024 * 1024);
}, 60_000);

test("values under 16 KiB share the 4 MiB of a reply; what is over is left out", async () => {
  const lab = newLab({ make: { readOnly: true, execute: () => "x".repeat(16_000) } });
  const output = completed(await lab.run(`async () => { for (let n = 0; n < 400; n++) await lab.make(n); }`));
  const shown = output.calls?.filter(({ result }) => typeof result === "string").length ?? 0;
  expect(shown).toBeGreaterThan(200);
  expect(shown).toBeLessThan(270);
  expect(output.calls?.at(-1)?.result).toEqual({ omitted: true, length: 16_002 });
  expect((await lab.entry(output, 399)).result).toBe("x".repeat(16_000));
  for (let run = 0; run < 2; run++) completed(await lab.run(`async () => { for (let n = 0; n < 400; n++) await lab.make(n); }`));
  const reply = await lab.stub.executions("{}");
  expect(reply.length).toBeLessThan(4.5 * 1024 * 1024);
  expect((await lab.runtime.executions()).map(({ log }) => log.length)).toEqual([400, 400, 400]);
}, 60_000);

test("a listing made in the middle of a pass has what the pass has not yet written", async () => {
  const lab = newLab({
    make: { readOnly: true, execute: () => "x".repeat(5_000) },
    look: { readOnly: true, execute: async (_args, { executionId }) => [await lab.runtime.executions(), await lab.runtime.execution(executionId)] },
  });
  const listed = await lab.result(`async () => { await lab.make(); return lab.look(); }`);
  expect(listed).toMatchObject([[{ status: "running", log: [{ result: "x".repeat(5_000) }, {}] }], { log: [{ result: "x".repeat(5_000) }, {}] }]);
});

test("ten thousand calls in one execution work and are listed; one more is the limit", async () => {
  const lab = newLab({ read: { readOnly: true, execute: (n) => n } });
  const program = (calls: number): string => `async () => {
    let sum = 0;
    for (let n = 0; n < ${calls}; n += 100) {
      const part = await Promise.all(Array.from({ length: Math.min(100, ${calls} - n) }, (_, i) => lab.read(n + i)));
      for (const one of part) sum += one;
    }
    return sum;
  }`;
  const output = completed(await lab.run(program(10_000)));
  expect(output.result).toBe(49_995_000);
  expect(output.calls?.length).toBe(10_000);
  expect((await lab.runtime.execution(output.executionId)).log.at(-1)).toMatchObject({ seq: 9_999, args: 9_999, result: 9_999 });
  const over = failed(await lab.run(program(10_001)));
  expect(over.code).toBe("call_limit");
  expect(lab.count("read")).toBe(20_000);

  // Two such runs do not fit a listing; the newest has its calls, the next one says how many are missing.
  completed(await lab.run(program(10_000)));
  const reply = await lab.stub.executions("{}");
  expect(reply.length).toBeLessThan(5 * 1024 * 1024);
  const listed = await lab.runtime.executions();
  expect(listed.map(({ log, logOmitted = 0 }) => log.length + logOmitted)).toEqual([10_000, 10_000, 10_000]);
  expect(listed.at(-1)?.logOmitted).toBeGreaterThan(0);
}, 120_000);
