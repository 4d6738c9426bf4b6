/** What the catalogue lists can be called, and what comes back is what the method returned. */

import { expect, test } from "vitest";

import { completed, newLab, paused } from "./values-lab.ts";

test("every listed method is callable, and its result comes back, whatever its kind", async () => {
  const lab = newLab({
    plain: { description: "A sample of its kind.", execute: (args) => ["plain", args] },
    read: { description: "A sample of its kind.", readOnly: true, execute: async (args) => ["read", args] },
    put: { description: "A sample of its kind.", idempotent: true, execute: (args) => ["put", args] },
    fresh: { description: "A sample of its kind.", replay: "reexecute", execute: (args) => ["fresh", args] },
    typed: {
      description: "A sample of its kind.",
      inputSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
      outputSchema: { type: "array" },
      execute: (args) => ["typed", args],
    },
    asked: { description: "A sample of its kind.", requiresApproval: () => false, execute: (args) => ["asked", args] },
    gated: { description: "A sample of its kind.", requiresApproval: true, execute: (args) => ["gated", args] },
  });
  const program = `async () => {
    const { results } = await codemode.search("sample of its kind", { connector: "lab", limit: 50 });
    const { types } = await codemode.describe("lab");
    const listed = results.map(({ method }) => method).sort();
    const came = [];
    for (const method of listed) came.push(await lab[method]({ n: 1 }));
    return [listed.filter((method) => !types.includes(method)), came];
  }`;
  const first = paused(await lab.run(program));
  const { result } = completed(await lab.runtime.approve({ executionId: first.executionId }));
  const names = ["asked", "fresh", "gated", "plain", "put", "read", "typed"];
  expect(result).toEqual([[], names.map((name) => [name, { n: 1 }])]);
});

test("what search and describe give is plain data, also nested and as arguments", async () => {
  const lab = newLab();
  const program = `async () => {
    const hits = await Promise.all([codemode.search("echo"), codemode.search("gate"), codemode.describe("lab.echo")]);
    await lab.echo({ hits });
    return { hits };
  }`;
  const output = completed(await lab.run(program));
  expect(output.result).toMatchObject({ hits: [{ results: [{ path: "lab.echo" }] }, { results: [{ path: "lab.gate" }] }, { kind: "method" }] });
  expect(lab.ran).toEqual([{ method: "echo", args: output.result }]);
});

test("bytes up to the limit come back as the same type with the same bytes", async () => {
  const lab = newLab();
  const program = `async () => {
    const bytes = new Uint8Array(740_000).map((_, at) => at * 31);
    const back = await lab.echo({ nested: [bytes] });
    await lab.gate(1);
    return [back.nested[0] instanceof Uint8Array, back.nested[0].length, back.nested[0].every((byte, at) => byte === bytes[at])];
  }`;
  const first = paused(await lab.run(program));
  expect(lab.ran[0]?.args).toEqual({ nested: [new Uint8Array(740_000).map((_, at) => at * 31)] });
  expect(completed(await lab.runtime.approve({ executionId: first.executionId })).result).toEqual([true, 740_000, true]);
});
