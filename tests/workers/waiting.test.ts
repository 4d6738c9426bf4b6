/** Questions for events that wait: for how long, what wakes them, and what it costs while there is none. */

import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { RuntimeCore } from "../../gen/index.js";
import { Core } from "../../js-shim/core.ts";
import { Events } from "../../js-shim/events.ts";

// Time stands still, so that what comes at which moment can be told exactly.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Around = { events: Events; core: Core; begin: () => void; asked: () => number; compared: () => number };

/** A core over the database of an object that nobody else uses. */
async function alone(act: (around: Around) => Promise<void>): Promise<void> {
  await runInDurableObject(env.CODEMODE.getByName(`waiting/${crypto.randomUUID()}`), async (_, state) => {
    const core = new Core(state, {});
    const asked = vi.spyOn(RuntimeCore.prototype, "events");
    const compared = vi.spyOn(RuntimeCore.prototype, "revision");
    const request = JSON.stringify({ contact: { connectors: [] }, code: "1" });
    await act({
      core,
      events: new Events(core),
      begin: () => expect(core.use((inner) => inner.execute(request))).toContain("open"),
      asked: () => asked.mock.calls.length,
      compared: () => compared.mock.calls.length,
    });
  });
}

/** A question that tells when it was answered, and with how many events. */
function question(events: Events, waitMs: number): { answers: number[] } {
  const answers: number[] = [];
  const ask = async (): Promise<void> => {
    const reply = JSON.parse(await events.read(JSON.stringify({ waitMs }))) as { value: { events: unknown[] } };
    answers.push(reply.value.events.length);
  };
  void ask();
  return { answers };
}

test("a record that grows fast wakes those who wait once, and tells them all of it", () =>
  alone(async ({ events, begin, asked, compared }) => {
    const waiting = [question(events, 5_000), question(events, 5_000)];
    expect(asked()).toBe(2);
    for (let n = 0; n < 100; n += 1) begin();
    // Two for those who wait, and one that will wake them.
    expect(vi.getTimerCount()).toBe(3);
    await vi.advanceTimersByTimeAsync(39);
    expect(waiting).toEqual([{ answers: [] }, { answers: [] }]);
    await vi.advanceTimersByTimeAsync(1);
    expect(waiting).toEqual([{ answers: [100] }, { answers: [100] }]);
    expect(asked()).toBe(4);
    // Nobody waits any more: nothing is looked at, and no timer is left.
    const before = compared();
    begin();
    expect([compared() - before, vi.getTimerCount()]).toEqual([0, 0]);
  }));

test("what is read meanwhile wakes nobody", () =>
  alone(async ({ core, events, asked }) => {
    const { answers } = question(events, 5_000);
    for (let n = 0; n < 10; n += 1) core.use((inner) => inner.executions("{}"));
    await vi.advanceTimersByTimeAsync(1_000);
    expect([answers, asked()]).toEqual([[], 1]);
  }));

test("a change that is of no interest is looked at once, and the wait goes on to its end", () =>
  alone(async ({ core, events, begin, asked }) => {
    begin();
    const { executionId } = JSON.parse(core.use((inner) => inner.execute(JSON.stringify({ contact: { connectors: [] }, code: "1" })))) as { executionId: string };
    const { value } = JSON.parse(await events.read(JSON.stringify({ executionId }))) as { value: { cursor: string } };
    let answered = false;
    void events.read(JSON.stringify({ executionId, cursor: value.cursor, waitMs: 5_000 })).then(() => (answered = true));
    const before = asked();
    begin();
    await vi.advanceTimersByTimeAsync(4_999);
    expect([answered, asked() - before]).toEqual([false, 1]);
    await vi.advanceTimersByTimeAsync(1);
    expect(answered).toBe(true);
  }));

test("nobody is kept for longer than ten seconds, whatever they ask for", () =>
  alone(async ({ core, events }) => {
    const { answers } = question(events, 3_600_000);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(answers).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(answers).toEqual([0]);
    expect([core.afterUse, vi.getTimerCount()]).toEqual([undefined, 0]);
  }));
