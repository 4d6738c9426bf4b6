/**
 * The host's side of the wire: answers what the runtime asks while it runs a program. Every answer is text; what a
 * connector throws is an answer too (`failure`). A HostFunction that rejects would be an outcome nobody knows.
 */

import { decode, encodeError, MalformedValue } from "../value/index.ts";
import type { HostFailure, HostFunction, HostMessage, HostReply, ValueText } from "../wire.ts";
import { type CodemodeConnector, type ConnectorTool, inform, type News, type ToolExecuteContext } from "./connector.ts";
import { fetched, used } from "./egress.ts";
import { CodemodeError, messageOf, UnknownOutcome } from "./errors.ts";
import { CLOSED, type Sandboxing } from "./executor.ts";
import type { Connected, Methods } from "./methods.ts";
import { failure, resultReply } from "./replies.ts";
import { accepted } from "./schema-of.ts";
import { isGenerator, lastOf } from "./yields.ts";

/** Never rejects. Knows only the connectors of the contact it was made for; `all` of them hear of a run's end, reachable or not. */
export function hostFunction(
  connectors: ReadonlyMap<string, Connected>,
  all: readonly CodemodeConnector[],
  sandboxing: Sandboxing = CLOSED,
): HostFunction {
  return async (message) => {
    let reply: HostReply;
    try {
      reply = await answer(connectors, all, sandboxing, JSON.parse(message) as HostMessage);
    } catch (thrown) {
      reply = thrown instanceof CodemodeError ? failure(thrown.code, thrown.message) : failure("internal", `the host could not read a message of the runtime: ${messageOf(thrown)}`);
    }
    return JSON.stringify(reply);
  };
}

async function answer(
  connectors: ReadonlyMap<string, Connected>,
  all: readonly CodemodeConnector[],
  sandboxing: Sandboxing,
  message: HostMessage,
): Promise<HostReply> {
  switch (message.kind) {
    case "catalogue": {
      const connector = connectors.get(message.connector);
      if (connector?.kind !== "ready") return missing(message.connector, connector);
      return partOf(connector.methods, message.part);
    }
    case "change": {
      const connector = connectors.get(message.connector);
      if (connector?.kind !== "ready" || connector.methods.change === undefined) return missing(message.connector, connector);
      const changes = await connector.methods.change(message.methods);
      return { kind: "changed", changes, digest: connector.methods.changes ?? "" };
    }
    case "check":
      return withTool(connectors, message, (tool, args, path) => checked(tool, args, path));
    case "call": {
      const { executionId, seq, idempotencyKey, attempt } = message;
      return withTool(connectors, message, (tool, args, path) => called(tool, args, path, { executionId, seq, idempotencyKey, attempt }));
    }
    case "revert":
      return reverted(connectors, message);
    case "fetch":
      return fetched(sandboxing.outbound, message.request);
    case "binding":
      return used(sandboxing.bindings, message);
    case "pass_end":
    case "dispose":
      return told(all, message);
    case "cancelled": {
      const { executionId, connectors: names } = message;
      return told(all.filter((connector) => names.includes(connector.name())), { kind: "cancelled", executionId });
    }
    default: {
      const unknown: never = message;
      return failure("internal", `the runtime sent a message this host does not know: ${JSON.stringify(unknown).slice(0, 100)}`);
    }
  }
}

/** UTF-16 units of one part: at most 6 MB as UTF-8. */
const PART_LENGTH = 2_000_000;

function partOf({ source: { format, text }, own }: Methods, part: number): HostReply {
  const parts = Math.max(1, Math.ceil(text.length / PART_LENGTH));
  return { kind: "catalogue", format, text: text.slice(part * PART_LENGTH, (part + 1) * PART_LENGTH), parts, ...(own !== undefined && { own }) };
}

/** Finds the method and its arguments; both `check` and `call` refuse arguments that do not fit, before anything happens. */
async function withTool(
  connectors: ReadonlyMap<string, Connected>,
  message: { connector: string; method: string; record?: string; args: ValueText },
  act: (tool: ConnectorTool, args: unknown, path: string) => Promise<HostReply>,
): Promise<HostReply> {
  const path = `${message.connector}.${message.method}`;
  const connector = connectors.get(message.connector);
  if (connector?.kind !== "ready") return missing(message.connector, connector);
  const tool = connector.methods.tool(message.method, message.record);
  if (tool === undefined) {
    return failure("invalid_input", `${path} does not exist any more: the connector's list has changed. Search for a method that does the same`);
  }
  let args: unknown;
  try {
    args = decode(message.args);
  } catch (thrown) {
    if (!(thrown instanceof MalformedValue)) throw thrown;
    return failure("invalid_input", `the arguments of ${path} are not readable: ${messageOf(thrown)}`);
  }
  const verdict = await accepted(tool.inputSchema, args);
  if (verdict.kind === "refused") return failure("invalid_input", `${path} was not called: ${verdict.reason}`);
  return act(tool, verdict.value, path);
}

async function checked(tool: ConnectorTool, args: unknown, path: string): Promise<HostReply> {
  if (typeof tool.requiresApproval !== "function") return { kind: tool.requiresApproval === true ? "ask" : "allow" };
  try {
    // A predicate that forgets to answer asks: a person who is asked once too often is the smaller harm.
    return { kind: (await tool.requiresApproval(args)) === false ? "allow" : "ask" };
  } catch (thrown) {
    return failure("exception", `${path} was not called: its requiresApproval failed: ${messageOf(thrown)}`);
  }
}

async function called(tool: ConnectorTool, args: unknown, path: string, ctx: ToolExecuteContext): Promise<HostReply> {
  let result: unknown;
  try {
    result = await tool.execute(args, ctx);
    if (isGenerator(result)) result = await lastOf(result);
  } catch (thrown) {
    return threw(tool, thrown, `${path} (call ${ctx.seq} of ${ctx.executionId}), which recover({ executionId }) asks a person about`);
  }
  return resultReply(path, result);
}

/** A derived method judges arguments and results as this file does, and says so by its code. */
function ownCode(thrown: unknown): "invalid_input" | "too_large" | "exception" {
  return thrown instanceof CodemodeError && (thrown.code === "invalid_input" || thrown.code === "too_large") ? thrown.code : "exception";
}

/** Undoes a call. Its arguments were checked before it ran, and a schema that has changed since is no reason not to undo it. */
async function reverted(connectors: ReadonlyMap<string, Connected>, message: HostMessage & { kind: "revert" }): Promise<HostReply> {
  const { executionId, seq, idempotencyKey } = message;
  const path = `${message.connector}.${message.method}`;
  const connector = connectors.get(message.connector);
  if (connector?.kind !== "ready") return missing(message.connector, connector);
  const tool = connector.methods.tool(message.method, message.record);
  if (tool === undefined) return failure("missing_connector", `${path} does not exist any more, so nobody can undo the call`);
  if (tool.revert === undefined) return { kind: "no_revert" };
  try {
    const verdict = await accepted(tool.inputSchema, decode(message.args));
    await tool.revert(verdict.kind === "accepted" ? verdict.value : verdict.given, decode(message.result), { executionId, seq, idempotencyKey, attempt: 1 });
    return { kind: "reverted" };
  } catch (thrown) {
    return threw(tool, thrown, `the revert of ${path} (call ${seq} of ${executionId})`);
  }
}

/** What nobody knows is a failure only where it does no harm to do it again. */
function threw(tool: ConnectorTool, thrown: unknown, call: string): HostReply {
  const mayRepeat = tool.readOnly === true || tool.idempotent === true || tool.replay === "reexecute";
  if (!(thrown instanceof UnknownOutcome) || mayRepeat) return { kind: "failure", code: ownCode(thrown), error: encodeError(thrown) };
  console.warn(`the outcome is unknown of ${call}: ${thrown.message}`);
  return { kind: "unknown" };
}

/** Their answers change nothing, and one that fails keeps the others from nothing. */
async function told(connectors: readonly CodemodeConnector[], news: News): Promise<HostReply> {
  await Promise.allSettled(connectors.map((connector) => inform(connector, news)));
  return { kind: "done" };
}

function missing(name: string, connector: Connected | undefined): HostFailure {
  const why = connector?.kind === "unavailable" ? `cannot be reached now (${connector.reason}); it is tried again at the next run` : "is not configured";
  return failure("missing_connector", `the connector ${name} ${why}`);
}
