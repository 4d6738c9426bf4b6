/**
 * What three tasks on real documents cost a model's context by tools that are called one by one, by the ancestor, and by
 * ours: `npm run context-cost`. Fails when the three do not do the same.
 */

import { deepStrictEqual } from "node:assert";
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";

import { stop as stopBundler } from "esbuild";

import { withProcesses } from "../../scripts/processes.mjs";
import { startRuntime } from "../../tests/support/miniflare.ts";
import type { Runtime } from "../../tests/support/miniflare.ts";
import type { Definition } from "./hosts/agent.ts";
import { playServices } from "./service.ts";
import type { Played } from "./service.ts";
import { TASKS } from "./tasks.ts";
import type { Task } from "./tasks.ts";
import { byPrograms, byTools, definitionsOf, tokensOf } from "./turns.ts";
import type { Ask, Cost, Done } from "./turns.ts";

type Line = { task: string; by: string; calls: number; definitions: number; inputs: number; outputs: number; total: number };

const { values } = parseArgs({ options: { json: { type: "string" } } });

const KNOWING = { heart: "services known", nothing: "services unknown" };

function asking({ url }: Runtime): Ask {
  return async (question) => {
    const response = await fetch(url, { method: "POST", body: JSON.stringify(question) });
    if (!response.ok) throw new Error(await response.text());
    return JSON.parse(await response.text());
  };
}

/** With what it changed, in an order that says nothing. */
async function watched<D extends Done>(services: Played, doing: Promise<D>): Promise<{ done: D; changes: string[] }> {
  const done = await doing;
  return { done, changes: services.takeChanges().map((change) => JSON.stringify(change)).sort() };
}

function line(task: Task, by: string, definitions: number, { calls, inputs, outputs }: Cost): Line {
  return { task: task.name, by, calls, definitions, inputs, outputs, total: definitions + inputs + outputs };
}

async function measure(services: Played, ours: Ask, ancestor: Ask): Promise<Line[]> {
  const [oursTool, ancestorTool] = [await ours<Definition>({ ask: "tool" }), await ancestor<Definition>({ ask: "tool" })];
  const lines: Line[] = [];
  for (const task of TASKS) {
    const tools = await watched(services, byTools(task, services.url));
    const { all, called } = await definitionsOf(task.services, tools.done.called, ancestor);
    lines.push(line(task, "every operation is a tool", all, tools.done.cost));
    lines.push(line(task, "each called operation is a tool", called, tools.done.cost));
    for (const knows of ["heart", "nothing"] as const) {
      for (const [side, ask, tool] of [["ancestor", ancestor, ancestorTool], ["ours", ours, oursTool]] as const) {
        const { done, changes } = await watched(services, byPrograms(task, side, knows, ask));
        deepStrictEqual(done.answer, tools.done.answer);
        deepStrictEqual(changes, tools.changes);
        lines.push(line(task, `${side}, ${KNOWING[knows]}`, tokensOf(tool), done.cost));
      }
    }
  }
  return lines;
}

process.exit(
  await withProcesses(async () => {
    await using services = await playServices();
    const bindings = { SERVICE: services.url };
    await using ours = await startRuntime({ worker: "bench/context/hosts/ours.ts", agents: { AGENT: "OursAgent" }, bindings });
    await using ancestor = await startRuntime({ worker: "bench/context/hosts/ancestor.ts", agents: { AGENT: "AncestorAgent" }, placement: "embedded", bindings });
    // It would stay to the end, and be waited for.
    await stopBundler();
    const lines = await measure(services, asking(ours), asking(ancestor));
    console.table(lines);
    if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(lines, null, 2)}\n`);
  }),
);
