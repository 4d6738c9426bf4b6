import { env } from "cloudflare:workers";
import { evictDurableObject } from "cloudflare:test";
import { test } from "vitest";
import { newAgent } from "../story.ts";
test.each([
  ["completes", `return 1`],
  ["throws", `throw new Error("x")`],
  ["stuck", `await new Promise(() => {})`],
  ["pauses", `await t.gate(1)`],
  ["makes too many calls", `for (let n = 0; n < 9; n++) await t.echo(n)`],
  ["takes too long", `await t.sleep({ ms: 1000 })`],
  ["is left by its host", `await new Promise((resolve) => setTimeout(resolve, 60_000))`],
  ["interval", `setInterval(() => {}, 10); await new Promise(() => {})`],
  ["returns what cannot cross", `return () => {}`],
  ["unawaited timer", `setTimeout(() => {}, 60_000); return 1`],
  ["computes through its stack", `const f = () => f(); f()`],
])("%s", async (what, body) => {
  const agent = newAgent({ limits: { calls: 5, passMs: 700 } });
  const o = await agent.execute(`async () => { ${body} }`);
  await agent.execute("1");
  let r = "evicted", a = "evicted";
  const s = Date.now();
  await evictDurableObject(agent.stub).catch((e) => { a = e.message });
  const m = Date.now();
  await evictDurableObject(env.CODEMODE.getByName(`${agent.stub.id.toString()}/default`)).catch((e) => { r = e.message });
  console.log(what, o.status, "agent", a, m - s, "runtime", r, Date.now() - m);
}, 120_000);
