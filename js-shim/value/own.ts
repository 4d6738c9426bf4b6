/** Own properties, read past getters and written past setters: neither the value's nor those of a patched prototype run. */
import { defineProperty, getOwnPropertyDescriptor, hasOwn } from "./primordials.ts";

/** An own property's value, `undefined` when there is none or it has a getter. */
export function ownData(object: object, key: PropertyKey): unknown {
  const descriptor = getOwnPropertyDescriptor(object, key);
  return descriptor !== undefined && hasOwn(descriptor, "value") ? descriptor.value : undefined;
}

/** For objects and arrays of this codec's own making, which have no property `key` yet or a plain one. */
export function setOwn(object: object, key: PropertyKey, value: unknown): void {
  define(object, key, value, enumerable);
}

/** An own property that is not enumerable, as the constructors of Errors make theirs. */
export function setHidden(object: object, key: PropertyKey, value: unknown): void {
  define(object, key, value, hidden);
}

export function append<Item>(list: Item[], item: Item): void {
  setOwn(list, list.length, item);
}

export function isHidden(object: object, key: PropertyKey): boolean {
  return getOwnPropertyDescriptor(object, key)?.enumerable === false;
}

/**
 * Without a prototype: `defineProperty` would find a `get` or `set` that somebody left on `Object.prototype`. Two for all
 * uses, as such an object is slow to make; nothing runs between setting the value and clearing it.
 */
const enumerable: PropertyDescriptor = { value: undefined, writable: true, enumerable: true, configurable: true };
const hidden: PropertyDescriptor = { value: undefined, writable: true, enumerable: false, configurable: true };
Object.setPrototypeOf(enumerable, null);
Object.setPrototypeOf(hidden, null);

function define(object: object, key: PropertyKey, value: unknown, descriptor: PropertyDescriptor): void {
  descriptor.value = value;
  defineProperty(object, key, descriptor);
  descriptor.value = undefined;
}
