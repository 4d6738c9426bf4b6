/** The snippets that generated programs run: calls, a failure that is caught, microtasks and another snippet. */

import type { CodemodeRuntimeHandle } from "../../js-shim/client/index.ts";

const SNIPPETS: Readonly<Record<string, string>> = {
  pair: `async (input) => {
    if (input === undefined) return;
    const first = await t.get(input);
    await null;
    return [first, await t.flaky({ ...input, at: Date.now() }).catch((error) => error.message)];
  }`,
  nest: `async (input) => input && Promise.all([codemode.run("pair", { ...input, nested: 1 }), t.list(input), codemode.run("pair", { ...input, nested: 2 })])`,
  late: `async (input) => { if (input) throw new RangeError("late " + (await t.get({ ...input, r: Math.random() })).length); }`,
};

/** Each is run once without an input, which calls nobody, and saved. */
export async function saveSnippets(handle: CodemodeRuntimeHandle): Promise<void> {
  for (const [name, code] of Object.entries(SNIPPETS)) {
    const { executionId } = await handle.execute({ code });
    await handle.saveSnippet(name, { executionId });
  }
}
