/**
 * One question to the runtime and its answer. Opens a stub, asks, disposes of the stub on every path, and reads the reply.
 * Replies are strings, so nothing else is held open. What breaks on the way is `interrupted`: nobody knows what became of it.
 */

import type { HostFunction, Reply } from "../wire.ts";
import { messageOf } from "./errors.ts";
import type { OpenStub, RuntimeStub } from "./placement.ts";

type WithHost = "execute" | "approve" | "reject" | "recover" | "resolve" | "cancel" | "rollback" | "saveSnippet" | "search" | "describe";
type WithoutHost = "pending" | "executions" | "execution" | "events" | "expirePaused" | "deleteExecution" | "pruneExecutions" | "snippets" | "deleteSnippet";

/** A reply, and the value text behind it where there is one. */
export type Answer<T> = { reply: Reply<T>; result: string };

/** Never rejects. `T` is what the runtime promises for this method; its replies are trusted, its values are not. */
export function askWithHost<T>(open: OpenStub, method: WithHost, request: object, host: HostFunction): Promise<Answer<T>> {
  return ask(open, (stub) => stub[method](JSON.stringify(request), host));
}

/** Never rejects. */
export function askAlone<T>(open: OpenStub, method: WithoutHost, request: object): Promise<Answer<T>> {
  return ask(open, (stub) => stub[method](JSON.stringify(request)));
}

async function ask<T>(open: OpenStub, call: (stub: RuntimeStub) => Promise<string>): Promise<Answer<T>> {
  let stub: RuntimeStub | undefined;
  try {
    stub = open();
    return unframed<T>(await call(stub));
  } catch (thrown) {
    const error = `the runtime could not be reached or went away: ${messageOf(thrown).replace(/\.+$/, "")}. What was under way may have happened`;
    return { reply: { ok: false, code: "interrupted", error }, result: "" };
  } finally {
    dispose(stub);
  }
}

/** Replies that can end in a large value are `<length of JSON> \n <JSON> <value text>`; JSON itself never begins with a digit. */
function unframed<T>(text: string): Answer<T> {
  const head = /^(\d+)\n/.exec(text);
  if (head === null) return { reply: replyOf(text), result: "" };
  const start = head[0].length;
  const end = start + Number(head[1]);
  return { reply: replyOf(text.slice(start, end)), result: text.slice(end) };
}

function replyOf<T>(json: string): Reply<T> {
  const reply: unknown = JSON.parse(json);
  if (typeof reply !== "object" || reply === null || !("ok" in reply)) throw new TypeError("its reply is not one this client knows");
  return reply as Reply<T>;
}

function dispose(stub: object | undefined): void {
  if (stub === undefined) return;
  try {
    const end: unknown = Reflect.get(stub, Symbol.dispose);
    if (typeof end === "function") end.call(stub);
  } catch {
    // The answer is already here; a stub that cannot be closed is the platform's to collect.
  }
}
