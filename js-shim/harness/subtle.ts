/**
 * `crypto.subtle`: asynchronous work of the platform as recorded operations. Only what is a function of its input is there:
 * `digest`, and HMAC keys with `importKey`, `sign` and `verify`.
 *
 * When the platform is done differs from pass to pass, so the moment of delivery has a place in the order; the outcome is
 * computed anew each time. Inside a step the platform answers directly.
 */

import { LOCAL, operationOf } from "./messages.ts";
import { refused } from "./failures.ts";
import { Local } from "./operation.ts";
import type { Pass } from "./pass.ts";
import { apply, freeze, whenReturned } from "./primordials.ts";
import { StackRoom } from "./room.ts";
import { currentStep } from "./context.ts";

const { subtle } = crypto;
const { digest, importKey, sign, verify } = subtle;

export function createSubtle(pass: Pass): object {
  const room = new StackRoom();
  const work = (method: (...args: never[]) => unknown, args: unknown[]): Promise<unknown> => {
    const start = (): Promise<unknown> => apply(method as (...args: unknown[]) => Promise<unknown>, subtle, args);
    if (currentStep() !== undefined) return start();
    room.take();
    const local = new Local(operationOf(LOCAL, pass.takeNumber(LOCAL)));
    if (pass.phase === "ended") return local.promise;
    pass.open(local);
    local.state = "working";
    pass.working++;
    const arrive = (fulfilled: boolean, value: unknown): void => {
      pass.working--;
      local.arrive(fulfilled, value);
      if (pass.phase === "live") pass.ready.push(local);
      pass.kick();
    };
    whenReturned(
      start,
      (value) => arrive(true, value),
      (reason) => arrive(false, reason),
    );
    return local.promise;
  };
  const hmac = (algorithm: unknown): boolean => {
    const name = algorithmName(algorithm);
    return name === "HMAC" || name === "hmac";
  };
  const only = (what: string): Promise<never> => refused(`crypto.subtle.${what} knows HMAC only here`);

  return freeze({
    digest: (algorithm?: unknown, data?: unknown) => work(digest, [algorithmName(algorithm), data]),
    importKey(format?: unknown, key?: unknown, algorithm?: unknown, extractable?: unknown, usages?: unknown): Promise<unknown> {
      if (!hmac(algorithm)) return only("importKey");
      if (format !== "raw" && format !== "jwk") return refused('crypto.subtle.importKey knows the formats "raw" and "jwk" here');
      const { hash, length } = algorithm as { hash?: unknown; length?: unknown };
      const parameters = { __proto__: null, name: "HMAC", hash: algorithmName(hash), ...(length === undefined ? {} : { length }) };
      return work(importKey, [format, key, parameters, extractable, usages]);
    },
    sign: (algorithm?: unknown, key?: unknown, data?: unknown) =>
      hmac(algorithm) ? work(sign, ["HMAC", key, data]) : only("sign"),
    verify: (algorithm?: unknown, key?: unknown, signature?: unknown, data?: unknown) =>
      hmac(algorithm) ? work(verify, ["HMAC", key, signature, data]) : only("verify"),
  });
}

/** An algorithm is a name, or an object that has one; its getters are asked once. */
function algorithmName(algorithm: unknown): unknown {
  if (typeof algorithm !== "object" || algorithm === null) return algorithm;
  return (algorithm as { name?: unknown }).name;
}
