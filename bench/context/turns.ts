/**
 * How a task is done, and what of it a model reads: definitions of tools, what it writes to call them, and what comes back.
 * Counted where a chat loop puts it into the context: JSON texts, in tokens of o200k_base.
 */

import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

import { operationOf } from "./documents.ts";
import type { Definition, Question, Ran, Service } from "./hosts/agent.ts";
import type { Task, Want } from "./tasks.ts";

/** Asks an Agent. */
export type Ask = <T>(question: Question) => Promise<T>;

/** Tokens. */
export type Cost = { calls: number; inputs: number; outputs: number };
export type Done = { cost: Cost; answer: unknown };

export function tokensOf(value: unknown): number {
  return countTokens(JSON.stringify(value));
}

/** Each operation that the task needs is a tool; each answer of the service goes to the model whole. */
export async function byTools({ direct }: Task, url: string): Promise<Done & { called: [Service, string][] }> {
  const cost = { calls: 0, inputs: 0, outputs: 0 };
  const called: [Service, string][] = [];
  const answer = await direct(async (service, operationId, args) => {
    called.push([service, operationId]);
    const output = await sent(url, service, operationId, args as Record<string, unknown>);
    cost.calls += 1;
    cost.inputs += tokensOf(args);
    cost.outputs += tokensOf(output);
    return output;
  });
  return { cost, answer, called };
}

async function sent(url: string, service: Service, operationId: string, args: Record<string, unknown>): Promise<unknown> {
  const { verb, path } = operationOf(service, operationId);
  const { body, ...rest } = args;
  const query = new URLSearchParams();
  let filled = path;
  for (const [name, value] of Object.entries(rest)) {
    if (filled.includes(`{${name}}`)) filled = filled.replace(`{${name}}`, encodeURIComponent(String(value)));
    else query.set(name, String(value));
  }
  const content = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const response = await fetch(`${url}/${service}${filled}?${query}`, { method: verb, ...content });
  if (!response.ok) throw new Error(`${operationId}: ${await response.text()}`);
  return await response.json();
}

/** How many hits of a search are read at first; who has to look again with other words reads the paths of many. */
const HITS = 5;
const MANY = 50;

type Hit = string | { path: string; signature?: string };

/**
 * What the model knows of the services beforehand. `heart`: what they answer, as good models know these three; so only what
 * the hits leave open of a call is described. `nothing`: every method is described, and of one whose types do not tell what
 * is read of its answer, an answer is looked at.
 */
export type Knowledge = "heart" | "nothing";

/** Searches until everything is found, reads what is not known, then runs the task's programs. */
export async function byPrograms(task: Task, side: "ours" | "ancestor", knows: Knowledge, ask: Ask): Promise<Done> {
  const cost = { calls: 0, inputs: 0, outputs: 0 };
  const run = async (code: string): Promise<unknown> => {
    const { status, value } = await ask<Ran>({ ask: "run", code });
    if (status !== "completed") throw new Error(`${side}, ${task.name}: ${JSON.stringify(value)}`);
    cost.calls += 1;
    cost.inputs += tokensOf({ code });
    cost.outputs += tokensOf(value);
    return (value as { result: unknown }).result;
  };
  const wants = Object.values(task.wants);
  const signatures = new Map<string, string | undefined>();
  const isMissing = (want: Want): boolean => !signatures.has(want[side]);
  for (let attempt = 0; wants.some(isMissing); attempt += 1) {
    const queries = wants.filter(isMissing).flatMap((want) => want.queries.slice(attempt, attempt + 1));
    if (queries.length === 0) throw new Error(`${side} does not find ${wants.filter(isMissing).map((want) => want[side]).join(", ")}`);
    const hits = (await run(attempt === 0 ? search(queries) : searchWidely(queries))) as Record<string, Hit[]>;
    for (const hit of Object.values(hits).flat()) {
      if (typeof hit === "string") signatures.set(hit, undefined);
      else signatures.set(hit.path, hit.signature);
    }
  }
  const open = wants.filter((want) => knows === "nothing" || !tells(signatures.get(want[side]), want.args));
  const described = open.length === 0 ? [] : ((await run(describe(open.map((want) => want[side])))) as { types: string }[]);
  if (knows === "nothing") {
    const untold = open.filter(({ reads }, index) => reads !== undefined && !tells(answerOf(described[index]?.types), reads.fields));
    if (untold.length > 0) await run(look(untold.map((want) => `${want[side]}(${JSON.stringify(want.reads?.look)})`)));
  }
  const paths = Object.fromEntries(Object.entries(task.wants).map(([name, want]) => [name, want[side]]));
  const results: unknown[] = [];
  for (const program of task.programs) results.push(await run(program(paths, results)));
  return { cost, answer: results.at(-1) };
}

/** The part of a description that says what is answered. */
function answerOf(types = ""): string {
  return /Output = ([\s\S]*)$/.exec(types)?.[1] ?? /Promise<([\s\S]*)$/.exec(types)?.[1] ?? "";
}

/** Whether the types name each of these with a type that leaves nothing open. */
function tells(types: string | undefined, names: readonly string[]): boolean {
  return names.every((name) => {
    const type = new RegExp(`\\b${name}\\??: ([^;}]+)`).exec(types ?? "")?.[1];
    return type !== undefined && !/\b(object|unknown)\b/.test(type);
  });
}

function search(queries: readonly string[]): string {
  return `async () => {
  const hits = {};
  for (const query of ${JSON.stringify(queries)}) hits[query] = (await codemode.search(query, { limit: ${HITS} })).results.slice(0, ${HITS});
  return hits;
}`;
}

function searchWidely(queries: readonly string[]): string {
  return `async () => {
  const hits = {};
  for (const query of ${JSON.stringify(queries)}) hits[query] = (await codemode.search(query, { limit: ${MANY} })).results.map(({ path }) => path);
  return hits;
}`;
}

function describe(paths: readonly string[]): string {
  return `async () => Promise.all(${JSON.stringify(paths)}.map((path) => codemode.describe(path)))`;
}

/** The shape of an answer, as deep as programs read. */
function look(calls: readonly string[]): string {
  return `async () => {
  const shape = (value, depth) => {
    if (Array.isArray(value)) return value.slice(0, 1).map((item) => shape(item, depth));
    if (value === null || typeof value !== "object") return value === null ? "null" : typeof value;
    return depth === 0 ? "object" : Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shape(item, depth - 1)]));
  };
  return [${calls.map((call) => `shape(await ${call}, 2)`).join(", ")}];
}`;
}

/** All operations of these services, each as a tool, and those alone that were called. */
export async function definitionsOf(services: readonly Service[], called: readonly [Service, string][], ask: Ask): Promise<{ all: number; called: number }> {
  let all = 0;
  const used = new Map<string, number>();
  for (const service of services) {
    const operations = await ask<Definition[]>({ ask: "operations", service });
    const tokens = new Map(operations.map((operation) => [operation.name, tokensOf({ ...operation, name: `${service}_${operation.name}` })]));
    all += [...tokens.values()].reduce((sum, count) => sum + count, 0);
    for (const [, operationId] of called.filter(([of]) => of === service)) {
      const name = operationId.replace("/", "").replaceAll("-", "_");
      const count = tokens.get(name);
      if (count === undefined) throw new Error(`${service} has no tool ${name}`);
      used.set(name, count);
    }
  }
  return { all, called: [...used.values()].reduce((sum, count) => sum + count, 0) };
}
