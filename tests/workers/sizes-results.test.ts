/** Final results: returned whole up to what the platform carries, with a notice on record when they do not fit there. */

import { expect, test } from "vitest";

import { completed, failed, newLab, paused } from "./values-lab.ts";

const MIB = 1024 * 1024;

test.each([
  ["of 5 MB", `"x".repeat(5_000_000)`, 5_000_002],
  ["of 5 MB in another script", `"漢".repeat(5_000_000)`, 5_000_002],
  ["of 29 MiB", `"x".repeat(29 * 1024 * 1024)`, 29 * MIB + 2],
  ["of 14 MiB in another script", `"漢".repeat(14 * 1024 * 1024)`, 14 * MIB + 2],
])("a final result %s is returned whole, and a notice is on record", async (_what, expression, length) => {
  const lab = newLab();
  const output = completed(await lab.run(`async () => { await lab.echo(1); console.log("漢"); return ${expression}; }`));
  expect((output.result as string).length).toBe(length - 2);
  expect(new Set((output.result as string).slice(-1000))).toEqual(new Set(expression[1]));
  const state = await lab.runtime.execution(output.executionId);
  expect(state).toMatchObject({ status: "completed", result: { omitted: true, length } });
});

test("a large final result is returned whole after an approval, too", async () => {
  const lab = newLab();
  const first = paused(await lab.run(`async () => { await lab.gate(1); return { bytes: new Uint8Array(3_000_000).fill(7) }; }`));
  const last = completed(await lab.runtime.approve({ executionId: first.executionId }));
  const { bytes } = last.result as { bytes: Uint8Array };
  expect([bytes.length, bytes.every((byte) => byte === 7)]).toEqual([3_000_000, true]);
});

test.each([
  ["over 30 MiB", `"x".repeat(31 * 1024 * 1024)`],
  ["over 40 MiB", `"x".repeat(40 * 1024 * 1024)`],
  ["over 30 MiB in bytes though not in characters", `"漢".repeat(17 * 1024 * 1024)`],
  ["of 30 MiB with one wide character", `"x".repeat(25 * 1024 * 1024) + "漢"`],
])("a final result %s is too large: an error with its size that says what to do", async (_what, expression) => {
  const lab = newLab();
  const output = failed(await lab.run(`async () => { await lab.echo(1); return ${expression}; }`));
  expect(output.code).toBe("too_large");
  expect(output.error).toMatch(/\d[\d,]{7,}.*reference/s);
  expect(await lab.runtime.execution(output.executionId)).toMatchObject({ status: "error", errorCode: "too_large", log: [{ state: "applied" }] });
  expect(await lab.result(`async () => "still here"`)).toBe("still here");
});

test("a connector's result of 40 MB is too large for that call, and the program goes on", async () => {
  const lab = newLab({ make: { execute: () => ({ text: "x".repeat(40_000_000) }) } });
  const output = completed(await lab.run(`async () => { try { return await lab.make(); } catch (error) { return [error.code, error.message]; } }`));
  expect(output.result).toEqual(["too_large", expect.stringMatching(/40,000,0\d\d.*1,000,000/)]);
  expect(output.calls).toMatchObject([{ state: "applied" }]);
});

test("a large final result comes with many calls and still fits a reply", async () => {
  const lab = newLab({ make: { readOnly: true, execute: () => "漢".repeat(16_000) } });
  const program = `async () => { for (let n = 0; n < 300; n++) await lab.make(n); return "x".repeat(30 * 1024 * 1024 - 2); }`;
  const output = completed(await lab.run(program));
  expect((output.result as string).length).toBe(30 * MIB - 2);
  expect(output.calls?.length).toBe(300);
  expect(output.calls?.[0]?.result).toEqual({ omitted: true, length: 16_002 });
  expect((await lab.entry(output, 0)).result).toBe("漢".repeat(16_000));
}, 60_000);
