/**
 * Which objects are namespaces. A codec takes one for an empty object, since nothing in it is data; so it is found out here,
 * and told with its place, whether a namespace is among the data.
 */

import { isIdentifier } from "./inspect.ts";
import {
  isArray,
  list,
  mapForEach,
  mapGet,
  mapSet,
  NativeMap,
  NativeWeakMap,
  ownData,
  ownKeys,
  setForEach,
  stringify,
  weakGet,
  weakSet,
} from "./primordials.ts";

const names = new NativeWeakMap<object, string>();
let watching = false;
let met = false;

export function registerNamespace(namespace: object, name: string): void {
  weakSet(names, namespace, name);
}

export function namespaceName(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? weakGet(names, value) : undefined;
}

/** Told by a namespace that is asked for its keys or its prototype. */
export function looksInside(): void {
  if (watching) met = true;
}

/** Whether a namespace's insides were looked at while `run` ran: a codec takes one for an empty object. */
export function watchNamespaces(run: () => void): boolean {
  watching = true;
  met = false;
  try {
    run();
  } finally {
    watching = false;
  }
  return met;
}

/** `result.a is the namespace github; call one of its methods`, if there is one in the data. */
export function namespaceWithin(root: unknown, path: string): string | undefined {
  const seen: Map<unknown, true> = new NativeMap();
  const todo = list<{ value: unknown; path: string }>();
  const add = (value: unknown, at: string): void => {
    if (typeof value !== "object" || value === null || mapGet(seen, value) === true) return;
    mapSet(seen, value, true);
    todo[todo.length] = { value, path: at };
  };
  add(root, path);
  for (let i = 0; i < todo.length; i++) {
    const { value, path: at } = todo[i] as { value: object; path: string };
    const name = namespaceName(value);
    if (name !== undefined) return `${at} is the namespace ${name}; call one of its methods`;
    try {
      inside(value, at, add);
    } catch {
      // A proxy's trap, or not the collection it looked like: nothing of ours is in there.
    }
  }
  return undefined;
}

function inside(value: object, path: string, add: (value: unknown, path: string) => void): void {
  const keys = ownKeys(value);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    if (typeof key !== "string") continue;
    add(ownData(value, key), isArray(value) ? `${path}[${key}]` : `${path}${isIdentifier(key) ? `.${key}` : `[${stringify(key)}]`}`);
  }
  try {
    mapForEach(value as Map<unknown, unknown>, (item, key) => {
      add(key, `${path}.<key>`);
      add(item, `${path}.<value>`);
    });
  } catch {
    setForEach(value as Set<unknown>, (item) => add(item, `${path}.<item>`));
  }
}
