/**
 * What a host is asked of its connectors before a contact: the sources that are not known here, in parts, and what its `tool()`
 * hooks change in what was derived of them. A refusal is an answer; nothing has happened then.
 */

import type { Core } from "./core.ts";
import { messageOf, parse } from "./frame.ts";
import { decode } from "./value/index.ts";
import type { HostFailure, HostFunction, HostReply, MethodChange, Reply } from "./wire.ts";

/** More parts than this do not fit the memory of an isolate (a host sends some two million characters in each). */
const MAX_PARTS = 16;

/** The host did not answer as it should: what the contact is refused with. */
class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export async function learn(core: Core, request: string, host: HostFunction): Promise<Reply<never> | undefined> {
  try {
    let wanted = wantedBy(core, request);
    if (wanted === undefined) return undefined;
    for (const [connector, message] of wanted.sources) {
      const { format, text, own } = await sourceOf(connector, message, host);
      const bytes = new TextEncoder().encode(text);
      valueOf(core.use((inner) => inner.learn(request, connector, format, bytes, own)));
    }
    // Now that they are derived their hooks can see them.
    if (wanted.sources.length > 0) wanted = wantedBy(core, request);
    for (const [connector, pages] of wanted?.changes ?? []) {
      const changes = await changesOf(core, connector, pages, host);
      valueOf(core.use((inner) => inner.change(request, connector, changes.digest, JSON.stringify(changes.changes))));
    }
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, code: error.code, error: error.message };
    throw error;
  }
}

type Wanted = { sources: [connector: string, message: string][]; changes: [connector: string, pages: number][] };

/** Nothing where all is known, which is what most contacts find. */
function wantedBy(core: Core, request: string): Wanted | undefined {
  const text = core.use((inner) => inner.wanted(request));
  return text === "" ? undefined : valueOf<Wanted>(text);
}

async function sourceOf(connector: string, message: string, host: HostFunction): Promise<{ format: string; text: string; own: string }> {
  const first = await asked(connector, message, host, "catalogue");
  const texts = [first.text];
  if (first.parts > MAX_PARTS) throw new Refusal("too_large", `connector ${connector} offers its methods in ${first.parts} parts, the limit is ${MAX_PARTS}`);
  for (let part = 1; part < first.parts; part += 1) {
    texts.push((await asked(connector, JSON.stringify({ kind: "catalogue", connector, part }), host, "catalogue")).text);
  }
  return { format: first.format, text: texts.join(""), own: first.own ?? "[]" };
}

/** The digest is that of all changes, in the order of the pages; the host knows it by the last of them. */
async function changesOf(core: Core, connector: string, pages: number, host: HostFunction): Promise<{ digest: string; changes: Record<string, MethodChange> }> {
  let changes: Record<string, MethodChange> = {};
  let digest = "";
  for (let page = 0; page < pages; page += 1) {
    const message = valueOf<string>(core.use((inner) => inner.pageToChange(connector, page)));
    const answer = await asked(connector, message, host, "changed");
    changes = { ...changes, ...answer.changes };
    digest = answer.digest;
  }
  return { digest, changes };
}

async function asked<K extends "catalogue" | "changed">(connector: string, message: string, host: HostFunction, kind: K): Promise<Extract<HostReply, { kind: K }>> {
  let text: string;
  try {
    text = await host(message);
  } catch (error) {
    throw new Refusal("interrupted", `the host did not say what ${connector} offers: ${messageOf(error)}`);
  }
  const reply = replyOf(text);
  if (reply?.kind === kind && isWhole(reply)) return reply as Extract<HostReply, { kind: K }>;
  if (reply?.kind === "failure") throw new Refusal(reply.code, `connector ${connector} gave no methods: ${messageIn(reply)}`);
  throw new Refusal("internal", `the host did not answer with the methods of ${connector}`);
}

function replyOf(text: string): HostReply | undefined {
  try {
    return (JSON.parse(text) as HostReply | null) ?? undefined;
  } catch {
    return undefined;
  }
}

function isWhole(reply: HostReply): boolean {
  switch (reply.kind) {
    case "catalogue":
      return typeof reply.format === "string" && typeof reply.text === "string" && Number.isSafeInteger(reply.parts) && (reply.own === undefined || typeof reply.own === "string");
    case "changed":
      return typeof reply.changes === "object" && reply.changes !== null && typeof reply.digest === "string";
    default:
      return false;
  }
}

function messageIn(failure: HostFailure): string {
  try {
    return messageOf(decode(failure.error));
  } catch {
    return "and no readable reason";
  }
}

function valueOf<T>(json: string): T {
  const reply = parse<Reply<T>>(json);
  if (!reply.ok) throw new Refusal(reply.code, reply.error);
  return reply.value;
}
