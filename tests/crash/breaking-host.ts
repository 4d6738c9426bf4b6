/**
 * A host that breaks: two calls reach it, both act, and then both HostFunction calls reject in the same turn. The runtime is
 * asked directly, because the client library's HostFunction never rejects.
 */

import type { HostMessage, HostReply, Reply, WireOutput } from "../../js-shim/wire.ts";
import type { RuntimeStub } from "../../js-shim/client/placement.ts";

type CallMessage = Extract<HostMessage, { kind: "call" }>;

const METHODS = ["send", "put"].map((name) => ({ name, requiresApproval: false, ...(name === "put" && { idempotent: true }) }));
const CATALOGUE: HostReply = { kind: "catalogue", format: "records", text: JSON.stringify(METHODS), parts: 1 };

export async function breakingHost(object: object, code: string, act: (message: CallMessage) => Promise<unknown>): Promise<WireOutput> {
  const broken = Promise.withResolvers<never>();
  let acted = 0;
  const host = async (text: string): Promise<string> => {
    const message = JSON.parse(text) as HostMessage;
    if (message.kind === "catalogue") return JSON.stringify(CATALOGUE);
    if (message.kind !== "call") throw new Error(`${message.kind} was not expected`);
    await act(message);
    acted += 1;
    if (acted === 2) broken.reject(new Error("the host broke"));
    return broken.promise;
  };
  const contact = { connectors: [{ name: "service", digest: "breaking" }] };
  const frame = await (object as RuntimeStub).execute(JSON.stringify({ contact, code }), host);
  const newline = frame.indexOf("\n");
  const reply = JSON.parse(frame.slice(newline + 1, newline + 1 + Number(frame.slice(0, newline)))) as Reply<WireOutput>;
  if (!reply.ok) throw new Error(`${reply.code}: ${reply.error}`);
  return reply.value;
}
