/**
 * The intrinsics that the codec uses, captured while this module loads. In the sandbox a program may patch any prototype
 * afterwards; whoever imports from here neither notices nor is noticed. So the rest of this room calls no method through
 * a prototype, uses no iterator (`for of`, spread of arrays, destructuring of arrays) and writes array elements only where
 * an own element is already there: an index setter on `Array.prototype` would see any other write.
 *
 * No logic lives here. Intrinsics that some host lacks are `undefined`; who needs one says what happens then.
 */

type Method = (...args: never[]) => unknown;
type Getter = (self: unknown) => unknown;

const { bind, call } = Function.prototype;
/** `uncurry(f)(self, a)` is `f.call(self, a)` without a look at `Function.prototype.call`. */
const uncurry = bind.bind(call) as unknown as (method: Method) => unknown;
const get = (object: object, key: PropertyKey): unknown => Reflect.get(object, key);

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
export const domExceptionPrototype = get((get(globalThis, "DOMException") ?? {}) as object, "prototype") as object | undefined;

type Uncurried<Args extends unknown[], Result> = (self: unknown, ...args: Args) => Result;
const method = <Args extends unknown[], Result>(prototype: object, key: PropertyKey) =>
  uncurry(get(prototype, key) as Method) as Uncurried<Args, Result>;
const getter = (prototype: object, key: PropertyKey): Getter =>
  uncurry(Reflect.getOwnPropertyDescriptor(prototype, key)?.get as Method) as Getter;
const optionalGetter = (prototype: object, key: PropertyKey): Getter | undefined =>
  Reflect.getOwnPropertyDescriptor(prototype, key)?.get ? getter(prototype, key) : undefined;

export const charCodeAt = method<[number], number>(String.prototype, "charCodeAt");
export const stringSlice = method<[number, number?], string>(String.prototype, "slice");
export const arraySort = method<[], unknown>(Array.prototype, "sort");
export const regExpExec = method<[string], unknown>(RegExp.prototype, "exec");
export const dateTime = method<[], number>(Date.prototype, "getTime");
export const dateIso = method<[], string>(Date.prototype, "toISOString");
export const symbolText = method<[], string>(Symbol.prototype, "toString");

export const mapGet = method<[unknown], unknown>(Map.prototype, "get") as <K, V>(map: Map<K, V>, key: unknown) => V | undefined;
export const mapSet = method<[unknown, unknown], unknown>(Map.prototype, "set");
export const mapDelete = method<[unknown], unknown>(Map.prototype, "delete");
export const mapEach = method<[(value: unknown, key: unknown) => void], void>(Map.prototype, "forEach");
export const mapSize = getter(Map.prototype, "size");
export const setAdd = method<[unknown], unknown>(Set.prototype, "add");
export const setEach = method<[(item: unknown) => void], void>(Set.prototype, "forEach");
export const setSize = getter(Set.prototype, "size");

/** The letters of a RegExp's flags with their getters. The getter `flags` itself reads the others through the prototype. */
export const flagGetters: readonly { letter: string; has: Getter | undefined }[] = [
  { letter: "d", has: optionalGetter(RegExp.prototype, "hasIndices") },
  { letter: "g", has: optionalGetter(RegExp.prototype, "global") },
  { letter: "i", has: optionalGetter(RegExp.prototype, "ignoreCase") },
  { letter: "m", has: optionalGetter(RegExp.prototype, "multiline") },
  { letter: "s", has: optionalGetter(RegExp.prototype, "dotAll") },
  { letter: "u", has: optionalGetter(RegExp.prototype, "unicode") },
  { letter: "v", has: optionalGetter(RegExp.prototype, "unicodeSets") },
  { letter: "y", has: optionalGetter(RegExp.prototype, "sticky") },
];
export const regExpSource = getter(RegExp.prototype, "source");

const typedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype) as object;
/** The class name of a typed array, `undefined` for anything else; never throws. */
export const typedArrayName = getter(typedArrayPrototype, Symbol.toStringTag) as (self: unknown) => string | undefined;
export const typedArrayBuffer = getter(typedArrayPrototype, "buffer") as (self: unknown) => ArrayBuffer;
export const typedArrayOffset = getter(typedArrayPrototype, "byteOffset") as (self: unknown) => number;
export const typedArrayLength = getter(typedArrayPrototype, "length") as (self: unknown) => number;
export const typedArrayBytes = getter(typedArrayPrototype, "byteLength") as (self: unknown) => number;
export const dataViewBuffer = getter(DataView.prototype, "buffer") as (self: unknown) => ArrayBuffer;
export const dataViewOffset = getter(DataView.prototype, "byteOffset") as (self: unknown) => number;
export const dataViewLength = getter(DataView.prototype, "byteLength") as (self: unknown) => number;
export const bufferLength = getter(ArrayBuffer.prototype, "byteLength") as (self: unknown) => number;
export const bufferResizable = optionalGetter(ArrayBuffer.prototype, "resizable");

const optionalMethod = <Args extends unknown[], Result>(prototype: object, key: PropertyKey) =>
  typeof get(prototype, key) === "function" ? method<Args, Result>(prototype, key) : undefined;
export const toBase64 = optionalMethod<[], string>(Uint8Array.prototype, "toBase64");
type FromBase64 = (text: string, options: object) => Uint8Array<ArrayBuffer>;
export const fromBase64 = get(Uint8Array, "fromBase64") as FromBase64 | undefined;
export const isErrorBrand = get(Error, "isError") as ((value: unknown) => boolean) | undefined;

type Constructor = new (...args: never[]) => object;
export type ErrorType = { name: string; prototype: object; constructor: Constructor };
type ViewConstructor = new (buffer: ArrayBuffer, offset: number, length: number) => object;
export type ViewType = { name: string; prototype: object; constructor: ViewConstructor };

/** Constructors of this realm by name, and by prototype. Maps, because a lookup in an object would see `Object.prototype`. */
function registry<Type extends { name: string; prototype: object }>(names: readonly string[]) {
  const byName = new Map<string, Type>();
  const byPrototype = new Map<object, Type>();
  for (const name of names) {
    const constructor = get(globalThis, name) as (Constructor & { prototype: object }) | undefined;
    if (constructor === undefined) continue;
    const type = { name, prototype: constructor.prototype, constructor } as unknown as Type;
    byName.set(name, type);
    byPrototype.set(constructor.prototype, type);
  }
  return { byName, byPrototype };
}
const errors = registry<ErrorType>([
  "Error", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError", "AggregateError", "SuppressedError",
]);
const views = registry<ViewType>([
  "Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array",
  "Float16Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array", "DataView",
]);
export const errorTypes = errors.byName;
export const errorTypesByPrototype = errors.byPrototype;
export const viewTypes = views.byName;
const containers = registry<{ name: string; prototype: object }>(["Date", "RegExp", "Map", "Set", "ArrayBuffer"]);
/** Name of the intrinsic class whose instances have this prototype. */
export const intrinsicNames = new Map<object, string>();
for (const [prototype, { name }] of views.byPrototype) intrinsicNames.set(prototype, name);
for (const [prototype, { name }] of containers.byPrototype) intrinsicNames.set(prototype, name);
