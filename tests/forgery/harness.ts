/**
 * What is loaded in place of the harness: the real one for every program but those that name an attack
 * (`async () => "attack:gap"`); for those, an attacker who holds the real bridge.
 */

import Honest from "../../js-shim/harness/index.ts";
import type { Bridge } from "../../js-shim/harness/messages.ts";
import { attacks } from "./attacks.ts";
import { Forge, type Wild } from "./forge.ts";

const program = (): string => "./program.js";

export default class Forged extends Honest {
  override async run(bridge: Bridge, manifest: string): Promise<string> {
    const { default: main } = (await import(program())) as { default: () => unknown };
    // The text of the module, not its result: an honest program must not run before its realm is ready.
    const named = /attack:([a-zA-Z]+)(?::([^"`]*))?/.exec(String(main));
    const name = named?.[1];
    if (name === undefined) return super.run(bridge, manifest);
    const attack = attacks[name];
    if (attack === undefined) throw new Error(`there is no attack ${name}`);
    const forge = new Forge(bridge as unknown as Wild, manifest, this.ctx, decodeURIComponent(named?.[2] ?? ""));
    return (await attack(forge)) as string;
  }
}
