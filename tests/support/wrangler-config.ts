// What tests must have in common with the deployed Worker, read from the one place where it is written.

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The repository. */
export const ROOT = join(import.meta.dirname, "..", "..");

export const COMPATIBILITY_DATE = field("compatibility_date");

/** The runtime Worker's name, to which an Agent's binding refers. */
export const RUNTIME_NAME = field("name");

export const RUNTIME_MAIN = field("main");

function field(name: string): string {
  const text = readFileSync(join(ROOT, "wrangler.toml"), "utf8");
  const value = new RegExp(`^${name} = "([^"]+)"$`, "m").exec(text)?.[1];
  if (value === undefined) throw new Error(`wrangler.toml has no ${name}`);
  return value;
}
