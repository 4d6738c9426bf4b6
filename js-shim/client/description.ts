/**
 * What the model is told of the tool: the contract, the namespaces and how to find the rest. Its size depends on the number
 * of namespaces and their hints, never on the number of methods. A test runs every example.
 */

import type { Contact } from "../wire.ts";

/** Programs shown in the description. They work with any set of connectors. */
export const DESCRIPTION_EXAMPLES: readonly string[] = [
  'async () => codemode.search("create issue", { limit: 5 })',
  `async () => {
  const { results } = await codemode.search("create issue");
  return Promise.all(results.slice(0, 3).map((found) => codemode.describe(found.path)));
}`,
];

/**
 * The default description.
 * @param hints one line per namespace, by its name; a hint for a namespace that is not there is ignored.
 */
export function describeTool(
  namespaces: readonly string[],
  hints: Readonly<Record<string, string>> = {},
  { reach, modules }: Pick<Contact, "reach" | "modules"> = {},
): string {
  const hintOf = (name: string): string => (Object.hasOwn(hints, name) ? oneLine(hints[name] ?? "") : "");
  const plain = namespaces.filter((name) => hintOf(name) === "");
  const list = namespaces.filter((name) => hintOf(name) !== "").map((name) => `- ${name}: ${hintOf(name)}`);
  if (plain.length > 0) list.push(`- ${plain.join(", ")}`);
  return `Run one JavaScript program that calls services. Prefer one program to many tool calls: loop, join and filter in code, and return only what you need.

Namespaces, each a global object with async methods:
${list.length === 0 ? "- (none)" : list.join("\n")}
- codemode: search(query, { limit, offset, connector }), describe(target), run(name, input), step(name, fn)

Do not guess methods. Find them, then read their types:
${DESCRIPTION_EXAMPLES.map((example) => `\`\`\`js\n${example}\n\`\`\``).join("\n")}
describe takes a namespace, a path such as "namespace.method", a type it named such as "namespace#Type", or the name of a snippet. Snippets are saved programs that search finds too; run one with codemode.run(name, input). A program that may be saved takes its input as async (input) => { … }.

Rules:
- Send JavaScript or TypeScript: an async function, or statements with a top-level return. Types are not checked. What it returns is the result; console output comes back as logs.
- A method takes one object. It throws when it fails; catch it if you can go on. Promise.all works.
${reach?.egress === true ? NETWORK : NO_NETWORK}
${listed("- The function of a step is given { env } with ", reach?.bindings)}${listed("- Globals beside the namespaces: ", modules)}- Status "paused" means that calls listed in pending wait for a person. The run goes on by itself after the decision: do not send the program again.
- The program may be replayed from its record. Calls are not repeated, and Date and Math.random give what they gave before. step(name, fn) records a costly local computation: no calls inside it, and what it changes outside itself is lost in a replay.
- Status "error" has a code and says what to change. Calls made before it did happen.`;
}

const NO_NETWORK = "- There is no fetch, import, require, process or file system; the namespaces are the only way out.";
const NETWORK =
  "- fetch works inside step(name, fn) only, where the application allows the host: read the body there and return what is needed. There is no import, require, process or file system.";

function listed(what: string, names: object | undefined): string {
  const keys = Object.keys(names ?? {});
  return keys.length === 0 ? "" : `${what}${keys.join(", ")}.\n`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
