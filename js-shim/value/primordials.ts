/**
 * The intrinsics that the codec uses, captured while this module loads. In the sandbox a program may patch any prototype
 * afterwards; whoever imports from here neither notices nor is noticed. So the rest of this room calls no method through
 * a prototype, uses no iterator (`for of`, spread of arrays, destructuring of arrays) and writes array elements only where
 * an own element is already there: an index setter on `Array.prototype` would see any other write.
 *
 * No logic lives here. Intrinsics that some host lacks are `undefined`; who needs one says what happens then. What makes a
 * capture is marked as free of effects, so that a bundle has only those that it uses.
 */

type Getter = (self: unknown) => unknown;
type Owner = { readonly prototype: object };

const { call } = Function.prototype;
/**
 * A method or getter of a class as a function of its receiver: `call` bound to it asks no prototype when it is called.
 * `undefined` where the host lacks it. One function for all, as every further one would be compiled in every sandbox.
 */
/* @__NO_SIDE_EFFECTS__ */
export function captured<Args extends unknown[], Result>({ prototype }: Owner, key: PropertyKey): (self: unknown, ...args: Args) => Result {
  const slot = Reflect.getOwnPropertyDescriptor(prototype, key);
  const found: unknown = slot?.get ?? slot?.value;
  return (typeof found === "function" ? call.bind(found as () => unknown) : undefined) as never;
}
/** What a host may lack. */
type Optional<Type> = Type | undefined;

export const reflectApply = Reflect.apply;
export const reflectConstruct = Reflect.construct;
export const defineProperty = Reflect.defineProperty;
export const ownKeys = Reflect.ownKeys;
export const getPrototypeOf = Reflect.getPrototypeOf;
export const getOwnPropertyDescriptor = Reflect.getOwnPropertyDescriptor;
export const objectKeys: (object: object) => string[] = Object.keys;
export const objectValues: (object: object) => unknown[] = Object.values;
export const objectSymbols: (object: object) => symbol[] = Object.getOwnPropertySymbols;
export const freeze = Object.freeze;
export const hasOwn: (object: object, key: PropertyKey) => boolean = Object.hasOwn;
export const isArray: (value: unknown) => value is unknown[] = Array.isArray;
export const isFiniteNumber: (value: unknown) => boolean = Number.isFinite;
export const isInteger: (value: unknown) => value is number = Number.isSafeInteger as (value: unknown) => value is number;
export const isView: (value: unknown) => value is ArrayBufferView = ArrayBuffer.isView;
export const jsonParse = JSON.parse;
export const jsonStringify = JSON.stringify;
export const fromCharCode = String.fromCharCode;

export const toStringTag: symbol = Symbol.toStringTag;

export const BigIntOf = BigInt;
export const DateOf = Date;
export const ErrorOf = Error;
export const MapOf = Map;
export const RegExpOf = RegExp;
export const SetOf = Set;
export const Uint8ArrayOf = Uint8Array;

export const objectPrototype: object = Object.prototype;
export const arrayPrototype: object = Array.prototype;
export const errorPrototype: object = Error.prototype;
export const rangeErrorPrototype: object = RangeError.prototype;
export const promisePrototype: object = Promise.prototype;
export const uint8ArrayPrototype: object = Uint8Array.prototype;
export const domExceptionPrototype = (globalThis as { DOMException?: Owner }).DOMException?.prototype;

export const charCodeAt = captured<[number], number>(String, "charCodeAt");
export const stringSlice = captured<[number, number?], string>(String, "slice");
export const arraySort = captured<[compare?: unknown], unknown>(Array, "sort");
export const regExpExec = captured<[string], unknown>(RegExp, "exec");
export const dateTime = captured<[], number>(Date, "getTime");
export const dateIso = captured<[], string>(Date, "toISOString");
export const symbolText = captured<[], string>(Symbol, "toString");

export const mapGet = captured<[unknown], unknown>(Map, "get") as <K, V>(map: ReadonlyMap<K, V>, key: unknown) => V | undefined;
export const mapSet = captured<[unknown, unknown], unknown>(Map, "set");
export const mapDelete = captured<[unknown], unknown>(Map, "delete");
export const mapEach = captured<[(value: unknown, key: unknown) => void], void>(Map, "forEach");
export const mapSize = captured<[], number>(Map, "size");
export const setAdd = captured<[unknown], unknown>(Set, "add");
export const setEach = captured<[(item: unknown) => void], void>(Set, "forEach");
export const setSize = captured<[], number>(Set, "size");

/** The letters of a RegExp's flags with their getters. The getter `flags` itself reads the others through the prototype. */
export const flagGetters: readonly { letter: string; has: Optional<Getter> }[] = [
  { letter: "d", has: captured(RegExp, "hasIndices") },
  { letter: "g", has: captured(RegExp, "global") },
  { letter: "i", has: captured(RegExp, "ignoreCase") },
  { letter: "m", has: captured(RegExp, "multiline") },
  { letter: "s", has: captured(RegExp, "dotAll") },
  { letter: "u", has: captured(RegExp, "unicode") },
  { letter: "v", has: captured(RegExp, "unicodeSets") },
  { letter: "y", has: captured(RegExp, "sticky") },
];
export const regExpSource = captured<[], string>(RegExp, "source");

const TypedArray = /* @__PURE__ */ Object.getPrototypeOf(Uint8Array) as Owner;
/** The class name of a typed array, `undefined` for anything else; never throws. */
export const typedArrayName = captured<[], string | undefined>(TypedArray, Symbol.toStringTag);
export const typedArrayBuffer = captured<[], ArrayBuffer>(TypedArray, "buffer");
export const typedArrayOffset = captured<[], number>(TypedArray, "byteOffset");
export const typedArrayLength = captured<[], number>(TypedArray, "length");
export const typedArrayBytes = captured<[], number>(TypedArray, "byteLength");
export const dataViewBuffer = captured<[], ArrayBuffer>(DataView, "buffer");
export const dataViewOffset = captured<[], number>(DataView, "byteOffset");
export const dataViewLength = captured<[], number>(DataView, "byteLength");
export const bufferLength = captured<[], number>(ArrayBuffer, "byteLength");
export const bufferResizable: Optional<Getter> = captured(ArrayBuffer, "resizable");

export const toBase64: Optional<(bytes: unknown) => string> = captured(Uint8Array, "toBase64");
type FromBase64 = (text: string, options: object) => Uint8Array<ArrayBuffer>;
export const fromBase64 = (Uint8Array as { fromBase64?: FromBase64 }).fromBase64;
export const isErrorBrand = (Error as { isError?: (value: unknown) => boolean }).isError;

type Constructor = new (...args: never[]) => object;
export type ErrorType = { name: string; prototype: object; constructor: Constructor };
type ViewConstructor = new (buffer: ArrayBuffer, offset: number, length: number) => object;
export type ViewType = { name: string; prototype: object; constructor: ViewConstructor };

/** Constructors of this realm by name, and by prototype. Maps, because a lookup in an object would see `Object.prototype`. */
/* @__NO_SIDE_EFFECTS__ */
function registry<Type extends { name: string; prototype: object }>(names: string, more = ""): ReadonlyMap<unknown, Type> {
  const types = new Map<unknown, Type>();
  for (const name of `${names} ${more}`.split(" ")) {
    const constructor = (globalThis as unknown as Record<string, unknown>)[name] as (Constructor & { prototype: object }) | undefined;
    if (constructor === undefined) continue;
    const type = { name, prototype: constructor.prototype, constructor } as unknown as Type;
    types.set(name, type).set(constructor.prototype, type);
  }
  return types;
}
const VIEWS =
  "Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float16Array Float32Array Float64Array " +
  "BigInt64Array BigUint64Array DataView";
export const errorTypes = registry<ErrorType>(
  "Error EvalError RangeError ReferenceError SyntaxError TypeError URIError AggregateError SuppressedError",
);
export const viewTypes = registry<ViewType>(VIEWS);
/** The intrinsic classes by the prototype of their instances. */
export const intrinsics = registry<{ name: string; prototype: object }>(VIEWS, "Date RegExp Map Set ArrayBuffer");
