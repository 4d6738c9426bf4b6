/**
 * What is asked before anything is decided: of a host, whether its connectors take arguments that a person edited; of a
 * schema, whether it takes a snippet's input. A refusal is an answer; nothing has happened then.
 */

import { complaint } from "./client/schema.ts";
import type { Core } from "./core.ts";
import { parse } from "./frame.ts";
import { decode, MalformedValue } from "./value/index.ts";
import type { HostFunction, Reply, ValueText } from "./wire.ts";

/** Arguments that a person edited are checked by their connector before the decision is recorded. */
export async function checkEdited(core: Core, request: string, host: HostFunction): Promise<Reply<never> | undefined> {
  const message = parse<Reply<string | null>>(core.use((inner) => inner.checkEdited(request)));
  if (!message.ok) return message;
  if (message.value === null) return undefined;
  const answer = await host(message.value);
  const verdict = parse<Reply<null>>(core.use((inner) => inner.editedVerdict(answer)));
  return verdict.ok ? undefined : verdict;
}

/** Why a snippet's input does not fit its schema; empty when it does. The input comes from a sandbox. */
export function inputComplaint(question: string): string {
  const { schema, input } = parse<{ schema: string; input: ValueText }>(question);
  try {
    return complaint(parse(schema), decode(input), "input") ?? "";
  } catch (error) {
    if (!(error instanceof MalformedValue)) throw error;
    return `input is not readable: ${error.message}`;
  }
}
