/** What a connector throws is what the program catches: class, name, message, code, data and cause, now and on replay. */

import { expect, test } from "vitest";

import { completed, failed, newLab, pasted, paused } from "./values-lab.ts";
import { portrait } from "./values-portrait.ts";

class HttpError extends TypeError {
  override name = "HttpError";
  status = 404;
}

const thrown: readonly { name: string; make: () => unknown; caught?: () => unknown }[] = [
  { name: "Error", make: () => new Error("plain") },
  { name: "TypeError", make: () => new TypeError("type") },
  { name: "RangeError with a cause", make: () => new RangeError("range", { cause: new SyntaxError("inner", { cause: "deepest" }) }) },
  { name: "code and data", make: () => Object.assign(new Error("no such issue"), { code: "ENOENT", data: { tried: [1, 2n], at: new Date(0) } }) },
  { name: "a name of its own", make: () => Object.assign(new Error("gone"), { name: "GoneError", status: 410 }) },
  { name: "AggregateError", make: () => new AggregateError([new TypeError("one"), "two"], "all") },
  { name: "an error that is its own cause", make: () => { const error = new Error("me"); error.cause = error; return error; } },
  { name: "a property named code of the runtime's", make: () => Object.assign(new Error("I am final"), { code: "diverged" }) },
  { name: "a lone surrogate", make: () => new Error("half \ud83d of a face") },
  { name: "a class", make: () => new HttpError("of a class"), caught: () => Object.assign(new TypeError("of a class"), { name: "HttpError", status: 404 }) },
  {
    name: "a property that cannot cross",
    make: () => Object.assign(new Error("kept"), { retry: () => 1, status: 1 }),
    caught: () => Object.assign(new Error("kept"), { status: 1 }),
  },
  { name: "a text", make: () => "just a text", caught: () => new Error("just a text", { cause: "just a text" }) },
  { name: "an object", make: () => ({ message: "like an error", n: 1 }), caught: () => new Error("like an error", { cause: { message: "like an error", n: 1 } }) },
  { name: "null", make: () => null, caught: () => new Error("null", { cause: null }) },
];

test("an error crosses with all that makes it up, and replays as the same", async () => {
  const lab = newLab({
    fail: {
      execute: (at) => {
        throw thrown[at as number]?.make();
      },
    },
  });
  const program = `async () => {
    const portrait = ${portrait};
    const told = [];
    for (let i = 0; i < ${thrown.length}; i++) {
      try { await lab.fail(i); } catch (error) { told.push(portrait(error)); }
    }
    await lab.gate(told);
    return told;
  }`;
  const expected = thrown.map(({ make, caught }) => portrait((caught ?? make)()));
  const first = paused(await lab.run(program));
  expect(first.pending[0]?.args).toEqual(expected);
  const last = completed(await lab.runtime.approve({ executionId: first.executionId }));
  expect(last.result).toEqual(expected);
  expect(lab.count("fail")).toBe(thrown.length);
  for (const entry of last.calls?.slice(0, -1) ?? []) {
    expect(entry.state).toBe("error");
    expect(entry.error).toBeTruthy();
    expect((await lab.entry(last, entry.seq)).code).toBe("exception");
  }
});

test("a step throws into the program what its function threw", async () => {
  const lab = newLab();
  const own = thrown.filter(({ name }) => name !== "a class");
  const program = `async () => {
    const portrait = ${portrait};
    const told = [];
    for (const [name, make] of ${pasted(own)}) {
      try { await codemode.step(name, () => { throw make(); }); } catch (error) { told.push(portrait(error)); }
    }
    await lab.gate(told);
    return told;
  }`;
  const expected = own.map(({ make, caught }) => portrait((caught ?? make)()));
  const first = paused(await lab.run(program));
  expect(first.pending[0]?.args).toEqual(expected);
  expect(completed(await lab.runtime.approve({ executionId: first.executionId })).result).toEqual(expected);
});

test("a failure that nobody catches is the run's error with its text, and its own code claims nothing", async () => {
  const lab = newLab({
    fail: {
      execute: () => {
        throw Object.assign(new Error("I am final"), { code: "diverged" });
      },
    },
  });
  const output = failed(await lab.run(`async () => lab.fail()`));
  expect([output.code, output.calls?.[0]?.state]).toEqual(["exception", "error"]);
  expect(output.error).toContain("I am final");
});

test("a thrown error of the program's own cannot claim a code", async () => {
  const lab = newLab();
  const output = failed(await lab.run(`async () => { throw Object.assign(new Error("mine"), { code: "cancelled", name: "diverged" }); }`));
  expect(output.code).toBe("exception");
});
