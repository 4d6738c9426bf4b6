/**
 * The connectors as the program sees them: one object each, on which every string is a method, save those that the language
 * itself asks for. Awaiting, printing, serialising or comparing a namespace makes no call.
 */

import { argumentText } from "./crossing.ts";
import { refused } from "./failures.ts";
import { showAs } from "./inspect.ts";
import type { Issuer } from "./issue.ts";
import { looksInside, registerNamespace } from "./names.ts";
import {
  defineProperty,
  hiddenValue,
  indexOf,
  mapGet,
  mapSet,
  NativeMap,
  NativeProxy,
  ObjectPrototype,
  slice,
  toPrimitive,
  toStringTag,
  toWellFormed,
} from "./primordials.ts";
import { currentStep } from "./context.ts";

const MAX_METHOD_LENGTH = 200;
export const IN_STEP = "inside codemode.step nothing else of the program's world is reached; make the call before or after the step";

/** Names that the language asks for by itself: no connector's method can have one. */
const quiet: Map<string, true> = new NativeMap();
for (const name of Reflect.ownKeys(ObjectPrototype)) if (typeof name === "string") quiet.set(name, true);
for (const name of ["then", "catch", "finally", "toJSON"]) quiet.set(name, true);

/** Whether the language asks for this name by itself. */
export function isQuiet(key: string): boolean {
  return mapGet(quiet, key) === true;
}

export function createNamespace(name: string, issuer: Issuer): object {
  const methods: Map<string, unknown> = new NativeMap();
  const title = `[namespace ${name}]`;
  const toText = (): string => title;
  const handler = {
    __proto__: null,
    get(_: object, key: string | symbol): unknown {
      if (key === toPrimitive || key === "toString") return toText;
      if (key === toStringTag) return `namespace ${name}`;
      if (typeof key === "symbol" || isQuiet(key)) return undefined;
      let method = mapGet(methods, key);
      if (method === undefined) mapSet(methods, key, (method = createMethod(name, key, issuer)));
      return method;
    },
    has: (_: object, key: string | symbol): boolean => typeof key === "string" && !isQuiet(key),
    getPrototypeOf(): null {
      looksInside();
      return null;
    },
    ownKeys(): string[] {
      looksInside();
      return [];
    },
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
    setPrototypeOf: () => false,
    preventExtensions: () => false,
  };
  const namespace = new NativeProxy({ __proto__: null }, handler as ProxyHandler<object>);
  registerNamespace(namespace, name);
  showAs(namespace, title);
  return namespace;
}

function createMethod(connector: string, method: string, issuer: Issuer): unknown {
  const path = `${connector}.${method}`;
  const call = (...args: unknown[]): Promise<unknown> => {
    if (currentStep() !== undefined) return refused(`${path}: ${IN_STEP}`);
    const fault = faultOf(method);
    if (fault !== undefined) {
      return issuer.call(connector, presentable(method), `!invalid_input ${connector} has no such method: ${fault}`);
    }
    return issuer.call(connector, toWellFormed(method), argumentText(path, args));
  };
  defineProperty(call, "name", hiddenValue(method));
  return call;
}

function faultOf(method: string): string | undefined {
  if (method.length > MAX_METHOD_LENGTH) return `a name has at most ${MAX_METHOD_LENGTH} characters, this one ${method.length}`;
  return indexOf(method, "\0") < 0 ? undefined : "a name has no null character";
}

/** A refused name in a form that a key can carry. */
function presentable(method: string): string {
  let text = slice(method, 0, MAX_METHOD_LENGTH);
  for (let at = indexOf(text, "\0"); at >= 0; at = indexOf(text, "\0")) text = `${slice(text, 0, at)}?${slice(text, at + 1)}`;
  return toWellFormed(text);
}
