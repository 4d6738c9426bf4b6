/**
 * The events of a runtime as a stream. It asks only when someone reads, and holds no more than the last answer: whoever is
 * slow is waited for by the journal. Its cursor is all it knows, so a runtime that was evicted or deployed anew meanwhile
 * goes on where it was.
 */

import type { WireEvents } from "../wire.ts";
import { CodemodeError, errorCode } from "./errors.ts";
import { askAlone } from "./link.ts";
import type { OpenStub } from "./placement.ts";
import type { RuntimeEvent } from "./types.ts";

/** How long the runtime may wait for an event before it answers that there is none, ms. */
const WAIT_MS = 10_000;
/** The first pause after a question that got no answer, ms; each further one is twice as long. */
const PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** So many questions without an answer, half a minute in all, and the stream fails: the runtime is not there. */
const MOST_TRIES = 12;

/** @param executionId Only this run; the stream ends with it. */
export function eventsOf(open: OpenStub, executionId: string | undefined): ReadableStream<RuntimeEvent> {
  const cancelled = new AbortController();
  let cursor: string | undefined;
  return new ReadableStream<RuntimeEvent>(
    {
      // Resolves with at least one event, or when there are no more: a pull that gave nothing would not come again.
      async pull(controller) {
        for (;;) {
          const answer = await answered(open, { executionId, cursor, waitMs: WAIT_MS }, cancelled.signal);
          if (answer === undefined) return;
          cursor = answer.cursor;
          for (const event of answer.events) controller.enqueue(event);
          if (answer.over === true) controller.close();
          if (answer.over === true || answer.events.length > 0) return;
        }
      },
      cancel() {
        cancelled.abort();
      },
    },
    // Nothing is asked for that nobody reads.
    { highWaterMark: 0 },
  );
}

/** `undefined` once nobody wants it any more. @throws {CodemodeError} what the runtime said, or that it is not there. */
async function answered(open: OpenStub, request: object, cancelled: AbortSignal): Promise<WireEvents | undefined> {
  for (let tries = 1; !cancelled.aborted; tries += 1) {
    const { reply } = await askAlone<WireEvents>(open, "events", request);
    if (cancelled.aborted) return undefined;
    if (reply.ok) return reply.value;
    // What broke on the way can be asked again: the question changes nothing, and the cursor is here.
    if (reply.code !== "interrupted" || tries === MOST_TRIES) throw new CodemodeError(errorCode(reply.code), reply.error);
    await pause(Math.min(PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS), cancelled);
  }
  return undefined;
}

function pause(ms: number, cancelled: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      cancelled.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    cancelled.addEventListener("abort", end);
  });
}
