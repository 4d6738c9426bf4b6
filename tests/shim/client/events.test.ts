/** The stream of events: when it asks, with what, and how it ends. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { createCodemodeRuntime, type RuntimeEvent } from "../../../js-shim/client/index.ts";
import { context, RuntimeDouble } from "./double.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const event = (seq: number): RuntimeEvent => ({ executionId: "e1", at: 1, kind: "intent", seq });

/** Answers one after the other; after the last one nothing comes. What is thrown breaks on the way. */
function scripted(...answers: unknown[]): { double: RuntimeDouble; events: (executionId?: string) => ReadableStream<RuntimeEvent> } {
  const double = new RuntimeDouble();
  double.answers["events"] = () => {
    const answer = answers.length > 0 ? answers.shift() : new Promise(() => {});
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const runtime = createCodemodeRuntime({ ctx: context, binding: double.binding, connectors: [] });
  return { double, events: (executionId) => runtime.events(executionId) };
}

function answer(cursor: string, seqs: number[], over?: boolean): unknown {
  return { ok: true, value: { events: seqs.map(event), cursor, ...(over !== undefined && { over }) } };
}

test("nothing is asked before somebody reads, and one answer is held at a time", async () => {
  const { double, events } = scripted(answer("c1", [0, 1, 2]), answer("c2", [3]));
  const reader = events().getReader();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(double.asked).toEqual([]);
  for (const seq of [0, 1, 2]) expect(await reader.read()).toEqual({ done: false, value: event(seq) });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(double.asked).toEqual([{ method: "events", request: { waitMs: 10_000 } }]);
  expect((await reader.read()).value).toEqual(event(3));
  expect(double.last().request).toEqual({ cursor: "c1", waitMs: 10_000 });
  expect([double.opened, double.disposed]).toEqual([2, 2]);
});

test("an answer without events is followed by the next question, from its cursor", async () => {
  const { double, events } = scripted(answer("c1", []), answer("c2", []), answer("c3", [0], true));
  const told: RuntimeEvent[] = [];
  for await (const one of events("e1")) told.push(one);
  expect(told).toEqual([event(0)]);
  expect(double.asked.map(({ request }) => request)).toEqual([undefined, "c1", "c2"].map((cursor) => ({ executionId: "e1", cursor, waitMs: 10_000 })));
});

test("what broke on the way is asked again with the same cursor, after longer and longer pauses", async () => {
  const { double, events } = scripted(answer("c1", [0]), new Error("it was evicted"), { ok: false, code: "interrupted", error: "rebuilt" }, answer("c2", [1]));
  const reader = events().getReader();
  await reader.read();
  const next = reader.read();
  await vi.advanceTimersByTimeAsync(99);
  expect(double.asked).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1 + 199);
  expect(double.asked).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(1);
  expect((await next).value).toEqual(event(1));
  expect(double.asked.slice(1).map(({ request }) => request["cursor"])).toEqual(["c1", "c1", "c1"]);
});

test("a runtime that cannot be reached for half a minute fails the stream", async () => {
  const { double, events } = scripted(...Array.from({ length: 12 }, () => new Error("nobody there")), answer("c1", [0]));
  const read = events().getReader().read();
  const refused = expect(read).rejects.toMatchObject({ name: "CodemodeError", code: "interrupted", message: expect.stringContaining("nobody there") });
  await vi.advanceTimersByTimeAsync(29_000);
  expect(double.asked.length).toBeLessThan(12);
  await vi.advanceTimersByTimeAsync(6_000);
  await refused;
  expect(double.asked).toHaveLength(12);
});

test("a refusal fails the stream at once", async () => {
  const { double, events } = scripted({ ok: false, code: "not_found", error: "there is no execution e9" });
  await expect(events("e9").getReader().read()).rejects.toMatchObject({ code: "not_found", message: "there is no execution e9" });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(double.asked).toHaveLength(1);
});

test("a stream that is cancelled asks no more: not behind an answer, not after a pause", async () => {
  const waiting = Promise.withResolvers<unknown>();
  const first = scripted(waiting.promise, answer("c2", [1]));
  const reader = first.events().getReader();
  const read = reader.read();
  await vi.advanceTimersByTimeAsync(0);
  await reader.cancel();
  expect(await read).toEqual({ done: true, value: undefined });
  waiting.resolve(answer("c1", []));
  const second = scripted(new Error("away"), answer("c1", [0]));
  const other = second.events().getReader();
  const pausing = other.read();
  await vi.advanceTimersByTimeAsync(50);
  await other.cancel();
  expect((await pausing).done).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([first.double.asked.length, second.double.asked.length]).toEqual([1, 1]);
});
