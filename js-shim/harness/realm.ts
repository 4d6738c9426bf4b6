/**
 * The realm before the program comes: what is not allowed goes, what must not be real is replaced, and what the harness
 * itself leans on is fixed.
 *
 * Runs once, before any code of the program; so here, and only here, ordinary JavaScript is safe.
 */

import { ALLOWED_GLOBALS } from "./globals.ts";
import { NativePromise, ObjectPrototype, PromisePrototype, species } from "./primordials.ts";

/** Removes every global that is not on the list, and the chain of classes that the global object inherits from. */
export function closeRealm(): void {
  const allowed = new Set<PropertyKey>(ALLOWED_GLOBALS);
  const realm = globalThis as unknown as Record<PropertyKey, unknown>;
  for (const name of ALLOWED_GLOBALS) {
    if (!Object.hasOwn(realm, name) && name in realm) {
      Object.defineProperty(realm, name, { value: realm[name], writable: true, configurable: true, enumerable: false });
    }
  }
  for (const name of Reflect.ownKeys(realm)) {
    if (allowed.has(name) || Reflect.deleteProperty(realm, name)) continue;
    Reflect.defineProperty(realm, name, { value: undefined, writable: false, configurable: false });
  }
  Object.setPrototypeOf(realm, ObjectPrototype);
  // Nothing on it is enumerable, so it would pass for an empty object; with a tag it is told from data.
  Object.defineProperty(realm, Symbol.toStringTag, { value: "globalThis", writable: false, configurable: false, enumerable: false });
  // Beside the globals: what hangs on an allowed one and makes names that outlive the pass.
  for (const name of ["createObjectURL", "revokeObjectURL"]) Reflect.deleteProperty(URL, name);
  Reflect.deleteProperty(Date.prototype, "toTemporalInstant");
}

/** A global that the program cannot replace. */
export function fixGlobal(name: string, value: unknown): void {
  if (typeof value === "function") Object.defineProperty(value, "name", { value: name, configurable: true });
  Object.defineProperty(globalThis, name, { value, writable: false, configurable: false, enumerable: false });
}

/**
 * The engine reads `promise.constructor` whenever a promise is waited for, also for the promises of the platform's RPC, so
 * a program could have got hold of raw replies there. An assignment is taken and ignored: as an own property of a promise
 * it still works.
 */
export function fixPromise(): void {
  Object.defineProperty(PromisePrototype, "constructor", {
    get: () => NativePromise,
    set(this: object, value: unknown) {
      if (this === PromisePrototype) return;
      Reflect.defineProperty(this, "constructor", { value, writable: true, configurable: true, enumerable: true });
    },
    configurable: false,
    enumerable: false,
  });
  Object.defineProperty(NativePromise, species, { configurable: false });
}
