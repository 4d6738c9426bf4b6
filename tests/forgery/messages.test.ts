/** A forged harness with the real bridge, message by message: it gains nothing, and nobody else loses anything. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

const LAST = "reached the last line";
const diverged = (text: string): object => ({ status: "error", code: "diverged", error: expect.stringContaining(text) });
const UNREADABLE = diverged("a call cannot be read");
const NO_STEP = diverged("an outcome came for what is no step under way");
const NO_LIST = diverged("a list of deliveries");

describe("a number that is no number of a call ends the run, and the gated call is not even asked for", () => {
  test.each(["negative", "fraction", "nan", "infinite", "beyond", "far", "text", "object", "list", "nothing", "absent", "big", "yes"])("%s", async (what) => {
    expect(await world.attack("odd", what)).toMatchObject({ ...UNREADABLE, calls: [] });
  });
});

describe("numbers out of order end the run", () => {
  test.each([
    ["a first call that is not 0", "1", 0, "operation 1 came where 0 was next"],
    ["the greatest number there is", "1073741823", 0, "operation 1073741823 came where 0 was next"],
    ["a gap", "0,2", 1, "operation 2 came where 1 was next"],
    ["a repetition", "0,0", 1, "call 0 (lab.echo) came twice"],
    ["a return to an earlier one", "0,1,0", 2, "call 0 (lab.echo) came twice"],
  ])("%s", async (_what, numbers, ran, text) => {
    const gains = Array.from({ length: ran }, () => 'echo "same"');
    expect(await world.attack("numbers", numbers, {}, gains)).toMatchObject(diverged(text));
  });

  test("a call sent again while it is under way; its outcome is recorded when it comes", async () => {
    const output = await world.attack("twiceAtOnce", "", {}, ["hold {}"]);
    expect(output).toMatchObject(diverged("call 0 (lab.hold) came twice"));
    await world.released(output.executionId);
    expect((await world.execution(output.executionId)).log).toMatchObject([{ method: "hold", state: "applied", result: "released" }]);
  });
});

test.each([
  ["timer", "1"],
  ["local work", "3"],
])("an operation of the kind %s is no call", async (_what, kind) => {
  expect(await world.attack("kind", kind)).toMatchObject({ ...UNREADABLE, calls: [] });
});

test("a gated call sent as a lookup is answered by the runtime's own catalogue: there is no such lookup", async () => {
  const output = await world.attack("kind", "2");
  expect(output).toMatchObject({ status: "completed", logs: [expect.stringMatching(/^einvalid_input /), LAST], calls: [] });
});

test("lookups that are none are failures", async () => {
  const output = await world.attack("lookups");
  expect(output).toMatchObject({ status: "completed", calls: [] });
  expect(output.logs).toHaveLength(8);
  for (const line of output.logs?.slice(0, -1) ?? []) expect(line).toMatch(/^einvalid_input /);
});

describe("a key that is none ends the run", () => {
  test.each(['""', '"lab"', '"lab\\u0000gate"', "5", "null", "[]", JSON.stringify(`${"l".repeat(1_000)}\0gate\0{}`)])("%.40s", async (key) => {
    expect(await world.attack("key", key)).toMatchObject({ ...UNREADABLE, calls: [] });
  });
});

describe("connectors and methods that are not configured are failures of that call", () => {
  test.each([
    ["github\0x", "missing_connector"],
    ["__proto__\0x", "missing_connector"],
    ["constructor\0constructor", "missing_connector"],
    ["codemode\0search", "missing_connector"],
    ["LAB\0gate", "missing_connector"],
    ["lab \0gate", "missing_connector"],
    ["\0", "missing_connector"],
    ["lab\0__proto__", "not_found"],
    ["lab\0constructor", "not_found"],
    ["lab\0toString", "not_found"],
    ["lab\0then", "not_found"],
    ["lab\0execute", "not_found"],
    ["lab\0gate\ud83d", "not_found"],
    ["lab\0", "not_found"],
  ])("%j", async (path, code) => {
    const output = await world.attack("key", JSON.stringify(`${path}\0{}`));
    expect(output).toMatchObject({ status: "completed", logs: [expect.stringMatching(new RegExp(`^e${code} `)), LAST], calls: [{ state: "error" }] });
  });

  test("arguments that hide more fields are arguments that cannot be read", async () => {
    const output = await world.attack("key", JSON.stringify("lab\0gate\0{}\0{}"));
    expect(output).toMatchObject({ status: "completed", logs: [expect.stringMatching(/^einvalid_input .*not readable/), LAST] });
  });
});

test("refusals that a sandbox makes up are failures of that call, and as short as values", async () => {
  const output = await world.attack("refused");
  expect(output.status).toBe("completed");
  expect(output.logs?.map((line) => line.split(" ")[0])).toEqual([
    ...Array.from({ length: 5 }, () => "einvalid_input"), "etoo_large", "etoo_large", "reached",
  ]);
  expect(output.calls?.every(({ state }) => state === "error")).toBe(true);
  expect(JSON.stringify(await world.execution(output.executionId)).length).toBeLessThan(20_000);
});

describe("what is no text ends the run", () => {
  test.each(["function", "target", "bridge", "stream", "bytes", "date", "error", "request"])("%s as a key", async (what) => {
    expect(await world.attack("things", what)).toMatchObject({ ...UNREADABLE, calls: [] });
  });
  test.each(["delivered function", "console stream", "outcome target", "outcome bytes", "delivered bridge"])("as %s", async (what) => {
    expect(await world.attack("thingElsewhere", what)).toMatchObject({ ...UNREADABLE, calls: [] });
  });
  test.each(["function", "bytes"])("%s as the number of a page is a page that is not there", async (what) => {
    expect(await world.attack("thingElsewhere", `page ${what}`)).toMatchObject({ status: "completed", logs: ["[]", LAST] });
  });
});

test("the bridge has three methods and nothing behind them", async () => {
  const output = await world.attack("methods", world.waiting, {}, ['echo "still"']);
  expect(output.status).toBe("completed");
  const lines = output.logs?.slice(0, -3).map((line) => JSON.parse(line) as [string, string]) ?? [];
  expect(lines.length).toBeGreaterThan(10);
  // Not there at all, refused by the platform, or the stub's own name for itself.
  for (const [name, answer] of lines) expect([name, answer ?? "threw"]).toEqual([name, expect.stringMatching(/^threw|^\[object JsRpcStub\]$/)]);
  expect(output.logs?.slice(-2)).toEqual([JSON.stringify(["still", 'v"still"']), LAST]);
});

describe("an outcome for what is no step under way ends the run", () => {
  test.each([
    ["that was never begun", "none v1", []],
    ["of a call that has its outcome", "echo v1", ["echo {}"]],
    ["of a call that waits for a person", "gate v1", []],
    ["of a step that has its outcome", "stepTwice v2", []],
  ])("%s", async (_what, given, gains) => {
    expect(await world.attack("settles", given, {}, gains)).toMatchObject(NO_STEP);
  });

  test("of a call that is under way at the host: what the host says later is what is recorded", async () => {
    const output = await world.attack("settles", 'hold v"forged"', {}, ["hold {}"]);
    expect(output).toMatchObject(NO_STEP);
    await world.released(output.executionId);
    expect((await world.execution(output.executionId)).log).toMatchObject([{ method: "hold", state: "applied", result: "released" }]);
  });
});

test.each([
  ["that is none", "zzz", { state: "error", error: expect.stringContaining("cannot be read") }],
  ["that is a failure without an error", "e", { state: "error" }],
  ["with an unknown code", "eroot 5", { state: "error", code: "exception" }],
  ["with a value that is none", "v@[[", { state: "applied", result: { unreadable: expect.any(String) } }],
])("a step's outcome %s spoils that step alone", async (_what, outcome, entry) => {
  const output = await world.attack("settles", `step ${outcome}`);
  expect(output).toMatchObject({ status: "completed", result: "the end" });
  expect((await world.execution(output.executionId)).log).toMatchObject([{ connector: "codemode", method: "step", ...entry }]);
});

test("a step named like a gated call calls nobody, and a connector has no steps", async () => {
  expect(await world.attack("stepAs")).toMatchObject({ ...NO_STEP, calls: [{ method: "step", state: "applied" }, { method: "step", state: "error" }] });
});

describe("forged deliveries", () => {
  test.each(["1", "1,2,3", "a,b", "-1,0", "4294967296,0", "1,1e3", " 1,2", "1,0,", ","])("%j ends the run", async (list) => {
    expect(await world.attack("delivered", list)).toMatchObject({ ...NO_LIST, calls: [] });
  });
  test.each(["0,99999999", "7,4294967295", "0,0,0,0"])("%j is the run's own order, and harms only its replay", async (list) => {
    expect(await world.attack("delivered", list, {}, ['echo "d"'])).toMatchObject({ status: "completed", logs: [expect.any(String), LAST] });
  });
});
