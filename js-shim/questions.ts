/**
 * What a host is asked before anything is decided: what its connectors offer, and whether they take arguments that a person
 * edited. A refusal is an answer; nothing has happened then.
 */

import type { Core } from "./core.ts";
import { messageOf, parse } from "./frame.ts";
import type { HostFunction, Reply } from "./wire.ts";

/** Asks for the method lists that are not known here. */
export async function learn(core: Core, request: string, host: HostFunction): Promise<Reply<never> | undefined> {
  const wanted = parse<Reply<[connector: string, message: string][]>>(core.use((inner) => inner.wanted(request)));
  if (!wanted.ok) return wanted;
  for (const [connector, message] of wanted.value) {
    let answer: string;
    try {
      answer = await host(message);
    } catch (error) {
      return { ok: false, code: "interrupted", error: `the host did not say what ${connector} offers: ${messageOf(error)}` };
    }
    const learned = parse<Reply<null>>(core.use((inner) => inner.learn(request, connector, answer)));
    if (!learned.ok) return learned;
  }
  return undefined;
}

/** Arguments that a person edited are checked by their connector before the decision is recorded. */
export async function checkEdited(core: Core, request: string, host: HostFunction): Promise<Reply<never> | undefined> {
  const message = parse<Reply<string | null>>(core.use((inner) => inner.checkEdited(request)));
  if (!message.ok) return message;
  if (message.value === null) return undefined;
  const answer = await host(message.value);
  const verdict = parse<Reply<null>>(core.use((inner) => inner.editedVerdict(answer)));
  return verdict.ok ? undefined : verdict;
}
