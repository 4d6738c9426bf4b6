/**
 * What both implementations are given to call: the same records, in the shape that both read. `readOnly` is said where it
 * is true; the ancestor knows no such word and passes over it.
 */

type Schema = { type: "object"; properties: Record<string, object>; required?: string[] };

export type Method = {
  description: string;
  inputSchema?: Schema;
  readOnly?: boolean;
  requiresApproval?: boolean;
  execute(args: unknown): unknown;
};

const same = (args: unknown): unknown => args;

export const trivial: Record<string, Method> = {
  read: { description: "Returns its argument.", readOnly: true, execute: same },
  write: { description: "Returns its argument.", execute: same },
  blob: { description: "Returns a text of the wanted length.", readOnly: true, execute: (args) => "x".repeat((args as { length: number }).length) },
  gate: { description: "Waits for a person, then returns its argument.", requiresApproval: true, execute: same },
};

const VERBS = ["list", "get", "create", "update", "delete"];
const NOUNS = ["issue", "pull_request", "repository", "user", "team", "branch", "commit", "release", "workflow", "secret"];

const pick = (words: readonly string[], index: number): string => words[index % words.length] ?? "";

const inputSchema: Schema = {
  type: "object",
  properties: {
    owner: { type: "string", description: "Name of the owner" },
    repo: { type: "string" },
    page: { type: "integer" },
    state: { enum: ["open", "closed", "all"] },
    labels: { type: "array", items: { type: "string" } },
  },
  required: ["owner", "repo"],
};

/** As many methods as wanted, with names and descriptions that share their words as those of a real service do. */
export function generated(count: number): Record<string, Method> {
  const methods: Record<string, Method> = {};
  for (let index = 0; index < count; index += 1) {
    const verb = pick(VERBS, index);
    const noun = pick(NOUNS, Math.floor(index / VERBS.length));
    const description = `${verb} one ${noun.replace("_", " ")} of project area ${index}, with filters and paging.`;
    methods[`${verb}_${noun}_${index}`] = { description, inputSchema, execute: same };
  }
  return methods;
}
