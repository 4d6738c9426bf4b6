/**
 * One contact with the runtime: asks every connector what it offers now, and makes of it what the runtime is told
 * (`Contact`) and what it can ask back for (`HostFunction`). Both come from the same snapshot.
 * A connector that cannot be reached is marked so and costs the others nothing; it is asked again at the next contact.
 */

import type { Contact, ContactConnector, Ending, HostFunction, Limits } from "../wire.ts";
import { type CodemodeConnector, type ConnectorTools, hears, toolsOf } from "./connector.ts";
import { derivation } from "./derivation.ts";
import { DerivedConnector, type Source, sourceOf } from "./derived.ts";
import { CodemodeError, messageOf } from "./errors.ts";
import { CLOSED, type Sandboxing } from "./executor.ts";
import { hostFunction } from "./host.ts";
import { type Connected, type Methods, methodsOf } from "./methods.ts";

/** When calls wait for a person beside the ones declared so. `"unless-read-only"`: all that are not `readOnly`. */
export type Approval = "as-declared" | "unless-read-only";

/** What a runtime was configured with and tells at each contact. */
export type Settings = {
  approval?: Approval | undefined;
  limits?: Partial<Limits> | undefined;
  maxExecutions?: number | undefined;
  sandboxing?: Sandboxing | undefined;
};

const ENDINGS: readonly Ending[] = ["pass_end", "dispose"];

/** @throws {CodemodeError} `invalid_input` when a connector contradicts itself: an application's mistake, not an outage. */
export async function openContact(
  connectors: readonly CodemodeConnector[],
  settings: Settings,
): Promise<{ contact: Contact; host: HostFunction }> {
  const { sandboxing = CLOSED } = settings;
  const connected = await Promise.all(connectors.map(connect));
  const contact: Contact = {
    connectors: connected.map(introduction),
    ...(settings.approval !== undefined && { approval: settings.approval }),
    ...(settings.limits !== undefined && { limits: settings.limits }),
    ...(settings.maxExecutions !== undefined && { maxExecutions: settings.maxExecutions }),
    ...sandboxing.told,
    hears: ENDINGS.filter((ending) => connectors.some((connector) => hears(connector, ending))),
  };
  return { contact, host: hostFunction(new Map(connected.map((one) => [one.name, one])), connectors, sandboxing) };
}

// A list or a source that is the same object as last time is not read again: hashing ten megabytes at every contact is felt.
const remembered = new WeakMap<CodemodeConnector, { offered: ConnectorTools | Source; methods: Methods }>();

async function connect(connector: CodemodeConnector): Promise<Connected> {
  const name = connector.name();
  let offer: { instructions: string | undefined; offered: ConnectorTools | Source; read: () => Promise<Methods> };
  try {
    offer = await offerOf(connector);
  } catch (thrown) {
    if (thrown instanceof CodemodeError) throw thrown;
    return { kind: "unavailable", name, reason: messageOf(thrown) };
  }
  const { instructions, offered } = offer;
  const last = remembered.get(connector);
  if (last?.offered === offered) return { kind: "ready", name, instructions, methods: last.methods };
  const methods = await offer.read();
  remembered.set(connector, { offered, methods });
  return { kind: "ready", name, instructions, methods };
}

async function offerOf(connector: CodemodeConnector): Promise<{ instructions: string | undefined; offered: ConnectorTools | Source; read: () => Promise<Methods> }> {
  if (connector instanceof DerivedConnector) {
    const { instructions, source, tools } = await sourceOf(connector);
    return { instructions, offered: source, read: () => derivation(connector, source, tools) };
  }
  const { instructions, tools } = await toolsOf(connector);
  return { instructions, offered: tools, read: () => methodsOf(connector, tools) };
}

function introduction(connected: Connected): ContactConnector {
  switch (connected.kind) {
    case "ready": {
      const { name, instructions, methods } = connected;
      return { name, ...(instructions !== undefined && { instructions }), digest: methods.digest, ...(methods.changes !== undefined && { changes: methods.changes }) };
    }
    case "unavailable":
      return { name: connected.name, digest: "", unavailable: connected.reason };
    default: {
      const never: never = connected;
      return never;
    }
  }
}
