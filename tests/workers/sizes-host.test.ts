/** A host whose replies are not what the wire says: a clear failure of that call, and the runtime goes on. */

import { expect, test } from "vitest";

import { newLab } from "./values-lab.ts";

const METHODS = [
  { name: "echo", requiresApproval: false },
  { name: "gate", requiresApproval: true },
  { name: "ask", requiresApproval: "ask" },
];
const CONTACT = { connectors: [{ name: "lab", digest: "d" }] };

type Told = { status?: string; result: string; error?: string; code?: string };

/** Runs a program on a runtime of its own; `reply` answers what is asked of a call. */
async function run(code: string, reply: (message: { kind: string }) => unknown): Promise<Told> {
  const text = await newLab().stub.execute(JSON.stringify({ contact: CONTACT, code }), async (message) => {
    const asked = JSON.parse(message) as { kind: string };
    if (asked.kind === "catalogue") return JSON.stringify({ kind: "catalogue", format: "records", text: JSON.stringify(METHODS), parts: 1 });
    if (asked.kind === "pass_end" || asked.kind === "dispose") return '{"kind":"done"}';
    return reply(asked) as string;
  });
  const length = Number(text.slice(0, text.indexOf("\n")));
  const start = text.indexOf("\n") + 1;
  const head = JSON.parse(text.slice(start, start + length)) as { ok: boolean; value?: object; code?: string };
  return { ...(head.value ?? head), result: text.slice(start + length) };
}

const CATCHES = `async () => lab.echo(1).then((value) => ["value", value], (error) => ["failed", error.message])`;

test.each([
  ["no JSON", "nonsense"],
  ["empty", ""],
  ["JSON of another shape", '{"hello":1}'],
  ["null", "null"],
  ["an unknown kind", '{"kind":"surprise"}'],
  ["a field too many", '{"kind":"value","value":"1","more":1}'],
  ["a value that is no text", '{"kind":"value","value":1}'],
  ["a failure with an unknown code", '{"kind":"failure","code":"nope","error":"@[[0],[]]"}'],
  ["leave, where a value was asked", '{"kind":"allow"}'],
  ["a method list", '{"kind":"catalogue","format":"records","text":"[]","parts":1}'],
  ["half a surrogate pair outside a value", '{"kind":"\\ud83d"}'],
])("a reply that is %s is a failure the program can catch", async (_what, reply) => {
  const told = await run(CATCHES, () => reply);
  expect(told.status).toBe("completed");
  expect(JSON.parse(told.result)).toEqual(["failed", expect.stringMatching(/host|answer/)]);
});

test.each([
  ["a failure whose error is no Error", '{"kind":"failure","code":"exception","error":"5"}'],
  ["a failure whose error is no value text", '{"kind":"failure","code":"exception","error":"@[["}'],
])("%s is a failure with a text", async (_what, reply) => {
  const told = await run(CATCHES, () => reply);
  expect(JSON.parse(told.result)).toEqual(["failed", "the call failed and gave no readable error"]);
});

test.each([
  ["no value text", '"@[["'],
  ["a table with a node that is none", '"@[[0],[[\\"Nope\\"]]]"'],
  ["a refusal", '"!too_large x"'],
])("a value that is %s fails that call", async (_what, value) => {
  const told = await run(CATCHES, () => `{"kind":"value","value":${value}}`);
  expect(told.status).toBe("completed");
  expect(JSON.parse(told.result)[0]).toBe("failed");
});

test.each([
  ["a value where leave was asked", '{"kind":"value","value":"1"}'],
  ["no JSON", "nonsense"],
])("%s never lets a gated call run", async (_what, reply) => {
  const asked: string[] = [];
  const told = await run(CATCHES.replace("echo", "gate"), ({ kind }) => {
    asked.push(kind);
    return reply;
  });
  expect(asked).toEqual(["check"]);
  expect(JSON.parse(told.result)[0]).toBe("failed");
});

test("leave from a host does not let a gated call run: the record of the method says ask", async () => {
  const asked: string[] = [];
  const told = await run(CATCHES.replace("echo", "gate"), ({ kind }) => {
    asked.push(kind);
    return '{"kind":"allow"}';
  });
  expect([told.status, asked]).toEqual(["paused", ["check"]]);
});

test.each([
  ["rejects", () => Promise.reject(new Error("the host broke"))],
  ["answers with no text", () => 5],
  ["answers with an object", () => ({ kind: "value", value: "1" })],
])("a host that %s leaves the outcome unknown: nothing is said of the call, the run can be recovered", async (_what, reply) => {
  const told = await run(CATCHES, reply);
  expect(told).toMatchObject({ status: "error", code: "interrupted" });
});

test("a reply beyond all sizes is too large, with its length", async () => {
  const told = await run(CATCHES, () => JSON.stringify({ kind: "value", value: JSON.stringify("x".repeat(9_000_000)) }));
  expect(JSON.parse(told.result)).toEqual(["failed", expect.stringMatching(/9000\d{3}.*1000000/)]);
});

test("an Error value beyond the limit is not recorded: the failure says how large and how it began", async () => {
  const error = `@[[0],[["Error","Error",null,"began ${"x".repeat(1_500_000)}",{}]]]`;
  const told = await run(CATCHES, () => JSON.stringify({ kind: "failure", code: "exception", error }));
  expect(JSON.parse(told.result)).toEqual(["failed", expect.stringMatching(/15000\d\d characters.*limit is 1000000.*began xxx/s)]);
  expect(told.result.length).toBeLessThan(2_000);
});

const listed = (text: string): string => JSON.stringify({ kind: "catalogue", format: "records", text, parts: 1 });

test("method lists are read in spite of half a surrogate pair, and refused when they are none", async () => {
  const request = JSON.stringify({ contact: CONTACT, code: "async () => 1" });
  for (const [reply, ok] of [
    [listed('[{"name":"echo","description":"cut \\ud83d","requiresApproval":false}]'), true],
    [listed('[{"name":"echo","description":"cut \ud83d","requiresApproval":false}]'), true],
    [listed('[{"name":"echo"}]'), false],
    [listed("no list"), false],
    ['{"kind":"catalogue","format":"sheet music","text":"[]","parts":1}', false],
    ['{"kind":"catalogue","format":"records","text":"[]","parts":1e9}', false],
    ['{"kind":"catalogue"}', false],
    ["nonsense", false],
  ] as const) {
    const text = await newLab().stub.execute(request, async () => reply);
    expect([reply, text.includes('"ok":true')]).toEqual([reply, ok]);
  }
});
