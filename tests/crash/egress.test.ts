/**
 * A step that reaches a real server on this machine, and workerd or the Agent dies in the middle of it: nobody can know whether
 * it happened, so it is in doubt. A step without a way out simply runs again.
 */

import { expect, test } from "vitest";

import { Door } from "./door.ts";
import { runtime, setStage, witness } from "./stage.ts";

setStage();

/** Posts to the witness from inside a step, under a name in place of an execution's id. */
function posting(name: string, n: number, then = ""): string {
  const effect = { executionId: name, seq: 0, attempt: 1, idempotencyKey: name, method: "send", args: { n, hold: then === "" } };
  return `return codemode.step("post", async ({ env }) => {
    const response = await fetch(env.WITNESS, { method: "POST", body: ${JSON.stringify(JSON.stringify(effect))} });
    ${then}
    return [response.status, (await response.json()).value];
  })`;
}

test("a step that was posting when workerd was killed is in doubt; made again, it runs once more", async () => {
  const door = new Door(() => runtime.url, "killed", true);
  const lost = door.execute(posting("killed", 1)).catch(() => undefined);
  await witness.seen({ executionId: "killed", n: 1 });
  await runtime.crash();
  await lost;
  const { id, log } = await door.only();
  expect(log).toMatchObject([{ connector: "codemode", method: "step", state: "executing" }]);
  expect(await door.recover(id)).toMatchObject({ status: "paused", pending: [], inDoubt: [{ seq: 0, connector: "codemode", method: "step", args: "post" }] });
  expect(await witness.effects("killed")).toHaveLength(1);

  const seen = witness.count;
  const again = door.rerun(id, 0);
  await witness.reaches(seen + 1);
  const [, effect] = await witness.effects("killed");
  if (effect === undefined) throw new Error("the step did not post again");
  witness.release(effect, "done");
  expect(await again).toMatchObject({ status: "completed", result: [200, "done"] });
  expect((await door.execution(id)).log).toMatchObject([{ state: "applied", attempt: 2 }]);
});

test("a step whose Agent dies under it is in doubt, and what it did before is done", async () => {
  const door = new Door(() => runtime.url, "aborted", true);
  await expect(door.execute(posting("aborted", 2, "await env.AGENT.die();"))).rejects.toThrow("provoked");
  const { id, status } = await door.only();
  expect(status).toBe("running");
  expect(await door.recover(id)).toMatchObject({ status: "paused", inDoubt: [{ seq: 0, method: "step" }] });
  expect(await witness.effects("aborted")).toHaveLength(1);
});

test("a step without a way out simply runs again", async () => {
  const door = new Door(() => runtime.url, "closed");
  const step = `codemode.step("compute", async () => { await new Promise((done) => setTimeout(done, 200)); return 7 })`;
  const lost = door.execute(`return Promise.all([${step}, service.put({ n: 3, hold: true })])`).catch(() => undefined);
  const first = await witness.seen({ n: 3, attempt: 1 });
  await runtime.crash();
  await lost;
  expect((await door.only()).log).toMatchObject([{ method: "step", state: "executing" }, { method: "put", state: "executing" }]);
  const recovered = door.recover(first.executionId);
  witness.release(await witness.seen({ executionId: first.executionId, n: 3, attempt: 2 }), "put");
  expect(await recovered).toMatchObject({ status: "completed", result: [7, "put"] });
});
