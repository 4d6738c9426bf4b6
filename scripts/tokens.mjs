// What discovery costs a model, in tokens (`o200k_base`): `npm run tokens`. Descriptions and results of GitHub's own document
// come from the library as it is built, beside the figures of the ancestor for the same.
// Started through setup.mjs, which puts the pinned Node and the tools of node_modules first in PATH.

import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

const root = join(import.meta.dirname, "..");
const document = join(root, "node_modules/@octokit/openapi/generated/api.github.com.json");

/** Queries of several kinds, each of which fills a page. */
const QUERIES = ["list issues", "create a pull request", "delete branch protection", "workflow runs", "add a label", "secret scanning alerts", "deploy keys", "merge", "star a repository", "emails of a user"];

/** The ancestor on the dereferenced document: of 50 operations, of a connector, of a page of ten. */
const ANCESTOR = { describe: { median: 136, p95: 342 }, connector: 197_701, page: { median: 610, p95: 1_890 } };

/** @param {readonly string[]} asked @returns {unknown[]} */
function described(...asked) {
  const args = ["run", "--quiet", "--locked", "--example", "described", "--", "openapi", "github", document, ...asked];
  const text = execFileSync("cargo", args, { cwd: root, encoding: "utf8", maxBuffer: 64 << 20 });
  return text.trim().split("\n").map((line) => JSON.parse(line));
}

/** @param {readonly unknown[]} values */
function figures(values) {
  const counts = values.map((value) => countTokens(JSON.stringify(value))).sort((a, b) => a - b);
  const at = (/** @type {number} */ part) => counts[Math.min(counts.length - 1, Math.floor(counts.length * part))] ?? 0;
  return { n: counts.length, median: at(0.5), p95: at(0.95), most: at(1) };
}

/** Every operation of the document: a sample of fifty has figures that move with where it begins. */
export function measured() {
  const all = described("every", "100000");
  const pages = described("search", ...QUERIES);
  return {
    operations: figures(all),
    connector: figures(described("github")),
    pages: figures(pages),
  };
}

if (import.meta.main) {
  const { operations, connector, pages } = measured();
  console.table({
    "describe, one operation": { ...operations, "ancestor, median": ANCESTOR.describe.median, "ancestor, p95": ANCESTOR.describe.p95 },
    'describe("github")': { ...connector, "ancestor, median": ANCESTOR.connector },
    "search, a page of ten": { ...pages, "ancestor, median": ANCESTOR.page.median, "ancestor, p95": ANCESTOR.page.p95 },
  });
}
