/** Every type that crosses, in every place where a value crosses: the same on the first pass, on replay and on record. */

import { expect, test } from "vitest";

import { values } from "../fixtures/values/table.ts";
import { completed, newLab, pasted, paused } from "./values-lab.ts";
import { portrait } from "./values-portrait.ts";

const expected = values.map(({ name, make }) => [name, portrait(make())]);

test("a value is the same as argument, result, step and final result, on both passes and on record", async () => {
  const lab = newLab({ make: { execute: (at) => values[at as number]?.make() } });
  const portraits: unknown[] = [];
  // Looks at each value before it says more: a `check` may write to it.
  const program = `async () => {
    const table = ${pasted(values)};
    const portrait = ${portrait};
    const seen = { echoed: [], made: [], stepped: [] };
    const wrong = [];
    for (let i = 0; i < table.length; i++) {
      const [name, make, check] = table[i];
      const echoed = await lab.echo(make());
      const made = await lab.make(i);
      const stepped = await codemode.step(name, async () => make());
      for (const [way, value] of Object.entries({ echoed, made, stepped })) {
        seen[way].push([name, portrait(value)]);
        if (!check(value)) wrong.push(way + " " + name);
      }
    }
    await lab.gate({ seen, wrong });
    return { seen, wrong, finals: table.map(([, make]) => [make()]) };
  }`;
  const first = paused(await lab.run(program));
  for (const { method, args } of lab.ran) if (method === "echo") portraits.push(portrait(args));
  expect(portraits).toEqual(expected.map(([, text]) => text));
  const same = { seen: { echoed: expected, made: expected, stepped: expected }, wrong: [] };
  expect((await lab.entry(first, values.length * 3)).args).toEqual(same);

  const ranBefore = lab.ran.length;
  const last = completed(await lab.runtime.approve({ executionId: first.executionId }));
  const { finals, ...seen } = last.result as { finals: [unknown][] };
  expect(seen).toEqual(same);
  expect(finals.map(([value]) => portrait(value))).toEqual(expected.map(([, text]) => text));
  // Only the gate ran: the replay asked the host for nothing.
  expect(lab.ran.slice(ranBefore).map(({ method }) => method)).toEqual(["gate"]);

  for (const [at, [name, text]] of expected.entries()) {
    const echoed = await lab.entry(last, at * 3);
    expect([name, portrait(echoed.args), portrait(echoed.result)]).toEqual([name, text, text]);
    expect([name, portrait((await lab.entry(last, at * 3 + 1)).result)]).toEqual([name, text]);
    const stepped = await lab.entry(last, at * 3 + 2);
    expect([stepped.connector, stepped.method, stepped.args, portrait(stepped.result)]).toEqual(["codemode", "step", name, text]);
  }
  const [listed] = await lab.runtime.executions();
  for (const [at, [name, text]] of expected.entries()) {
    const result = listed?.log[at * 3]?.result;
    if (typeof result === "object" && result !== null && "omitted" in result) continue;
    expect([name, portrait(result)]).toEqual([name, text]);
  }
}, 60_000);

/** Beside what is no object: one of each kind that has a form of its own at the top of a text. */
const TOPS = ["Date", "RegExp", "Map", "Set", "Error with a cause", "Uint8Array", "DataView", "ArrayBuffer", "cyclic object", "20,000 levels"];
const tops = values.filter(({ name, make }) => typeof make() !== "object" || TOPS.includes(name));

test.each(tops.map((value) => [value.name, value] as const))("a final result at the top: %s", async (_name, { make }) => {
  const lab = newLab();
  const output = completed(await lab.run(`async () => (${make})()`));
  expect(portrait(output.result)).toBe(portrait(make()));
  const state = await lab.runtime.execution(output.executionId);
  if (typeof state.result === "object" && state.result !== null && "omitted" in state.result) return;
  expect(portrait(state.result)).toBe(portrait(make()));
});

const imitations: readonly (readonly [string, () => unknown])[] = [
  ["a table", () => '@[[0],[["Error","Error",null,"x",{}]]]'],
  ["a mark alone", () => "@"],
  ["a refusal", () => "!not_serializable args is a function"],
  ["a value reply", () => "v1"],
  ["a failure reply", () => "eexception @[[0],[]]"],
  ["a pending reply", () => "p"],
  ["a closing reply", () => "x"],
  ["a host message", () => 'h{"kind":"call"}'],
  ["a frame", () => '2\n{}"result"'],
  ["keys with null characters", () => ({ "lab\0echo\0": "lab\0gate\0{}" })],
  ["a table as an array", () => [[0], [["Error", "Error", null, "x", {}]]]],
  ["nodes of a table", () => ({ a: ["Map", [[1, 2]]], b: ["undefined"], c: ["ref", 0], d: [0], e: undefined })],
  ["a control marker", () => ({ __codemode_control__: "pause", __codemode__: { error: "x" } })],
  ["a host reply", () => ({ kind: "value", value: "1" })],
  ["a host failure", () => ({ kind: "failure", code: "internal", error: "no" })],
  ["an answer of the runtime", () => ({ ok: false, code: "internal", error: "no" })],
  ["an omitted value", () => ({ omitted: true, length: 5 })],
  ["an MCP result", () => ({ isError: true, content: [{ type: "text", text: "no" }], structuredContent: { ok: false } })],
  ["names of the language", () => JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":1},"toJSON":"t","then":1,"prototype":2}')],
];

test.each(imitations)("data that imitates %s stays data in every place", async (_name, make) => {
  const lab = newLab({ make: { execute: make } });
  const program = `async () => {
    const make = ${make};
    const portrait = ${portrait};
    const all = [await lab.echo(make()), await lab.make(), await codemode.step("s", make), make()];
    await lab.gate(make());
    return [portrait(all), all];
  }`;
  const text = portrait([make(), make(), make(), make()]);
  const first = paused(await lab.run(program));
  expect(first.pending.map(({ args }) => portrait(args))).toEqual([portrait(make())]);
  expect((await lab.runtime.pending()).length).toBe(1);
  const { result } = completed(await lab.runtime.approve({ executionId: first.executionId })) as { result: [string, unknown] };
  expect([result[0], portrait(result[1])]).toEqual([text, text]);
  expect(lab.ran.map(({ method, args }) => [method, method === "make" ? "" : portrait(args)])).toEqual([
    ["echo", portrait(make())],
    ["make", ""],
    ["gate", portrait(make())],
  ]);
});

test("arguments are taken at the moment of the call", async () => {
  const lab = newLab();
  const program = `async () => {
    const args = { list: [1], when: new Date(0), bytes: new Uint8Array([1, 2]), map: new Map([["a", 1]]) };
    const call = lab.echo(args);
    const gated = lab.gate(args);
    args.list.push(2); args.when.setTime(5); args.bytes[0] = 9; args.map.set("b", 2); args.more = true; delete args.list;
    return [await call, await gated];
  }`;
  const taken = { list: [1], when: new Date(0), bytes: new Uint8Array([1, 2]), map: new Map([["a", 1]]) };
  const first = paused(await lab.run(program));
  expect(first.pending[0]?.args).toEqual(taken);
  const last = completed(await lab.runtime.approve({ executionId: first.executionId }));
  expect(last.result).toEqual([taken, taken]);
  expect(lab.ran.map(({ args }) => args)).toEqual([taken, taken]);
});
