/** A document of ten megabytes: it crosses once, its methods are found and called, and the core's memory stays small. */

import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";

import github from "../../node_modules/@octokit/openapi/generated/api.github.com.json?raw";
import { createCodemodeRuntime, type ConnectorTool } from "../../js-shim/client/index.ts";
import { DerivedConnector, type Source } from "../../js-shim/client/derived.ts";
import { Core } from "../../js-shim/core.ts";
import type { MethodRecord } from "../../js-shim/wire.ts";

const MiB = 1024 * 1024;
/** The contract's limit, the document included. */
const MOST = 64 * MiB;

let asked = 0;

/** Answers a call with the operation that was derived for it. */
class GitHub extends DerivedConnector {
  static readonly source: Source = { format: "openapi", text: github };
  down = false;

  override name() {
    return "github";
  }
  protected override source() {
    if (this.down) throw new Error("the document cannot be fetched");
    asked += 1;
    return GitHub.source;
  }
  protected override toolFor(record: MethodRecord): ConnectorTool {
    return { inputSchema: record.inputSchema as object, execute: (args) => ({ path: record.operation?.path, args }) };
  }
}

test("GitHub's document: learnt within 64 MiB, searched, described and called, also while it cannot be fetched", { timeout: 120_000 }, async () => {
  const memory = await runInDurableObject(env.TEST_AGENT.getByName("document"), async (_, state) => {
    const connector = new GitHub(state, env);
    const handle = () => createCodemodeRuntime({ ctx: state, binding: env.CODEMODE, connectors: [connector] });
    const started = Date.now();
    const { results, total } = await handle().search("list issues of a repository", { connector: "github" });
    console.log(`GitHub's document of ${(github.length / MiB).toFixed(1)} MiB: learnt and searched in ${Date.now() - started} ms`);
    expect(total).toBeGreaterThan(100);
    expect(results.map(({ method }) => method)).toContain("issues_list_for_repo");
    expect((await handle().describe("github.issues_list_for_repo")).types).toMatch(/owner: ?string;[^]*repo: ?string;/);
    const called = await handle().execute({ code: `async () => github.issues_get({ owner: "o", repo: "r", issue_number: 7 })` });
    expect(called).toMatchObject({ status: "completed", result: { path: "/repos/{owner}/{repo}/issues/{issue_number}", args: { issue_number: 7 } } });
    const wrong = await handle().execute({ code: `async () => github.issues_get({ owner: "o", repo: "r" })` });
    expect(wrong).toMatchObject({ status: "error", error: expect.stringContaining("args.issue_number is required") });
    connector.down = true;
    expect((await handle().search("create an issue")).results.length).toBeGreaterThan(0);
    const away = await handle().execute({ code: `async () => github.issues_get({ owner: "o", repo: "r", issue_number: 7 })` });
    expect(away).toMatchObject({ status: "error", code: "missing_connector" });
    return runInDurableObject(env.CODEMODE.getByName("memory/document"), (__, other) =>
      new Core(other, {}).use((inner) => Reflect.get(inner, "memoryBytes").call(inner) as number),
    );
  });
  console.log(`the core's memory: ${memory / MiB} MiB`);
  expect(memory).toBeLessThanOrEqual(MOST);
  expect(asked).toBe(4);
});
