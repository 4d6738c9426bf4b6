/**
 * The intrinsics that the codec uses, captured while this module loads. In the sandbox a program may patch any prototype
 * afterwards; whoever imports from here neither notices nor is noticed. So the rest of this room calls no method through
 * a prototype, uses no iterator (`for of`, spread of arrays, destructuring of arrays) and writes array elements only where
 * an own element is already there: an index setter on `Array.prototype` would see any other write.
 *
 * No logic lives here. Intrinsics that some host lacks are `undefined`; who needs one says what happens then. What makes a
 * capture is marked as free of effects, so that a bundle has only those that it uses.
 */

type Method = (...args: never[]) => unknown;
type Getter = (self: unknown) => unknown;

const { bind, call } = Function.prototype;
/** `uncurry(f)(self, a)` is `f.call(self, a)` without a look at `Function.prototype.call`. */
const uncurry = /* @__PURE__ */ bind.bind(call) as unknown as (method: Method) => unknown;
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
export const domExceptionPrototype = /* @__PURE__ */ (() =>
  get((get(globalThis, "DOMException") ?? {}) as object, "prototype") as object | undefined)();

type Uncurried<Args extends unknown[], Result> = (self: unknown, ...args: Args) => Result;
type Owner = { readonly prototype: object };
/* @__NO_SIDE_EFFECTS__ */
export const methodOf = <Args extends unknown[], Result>({ prototype }: Owner, key: PropertyKey) =>
  uncurry(get(prototype, key) as Method) as Uncurried<Args, Result>;
/* @__NO_SIDE_EFFECTS__ */
export const getterOf = <Result>({ prototype }: Owner, key: PropertyKey) =>
  uncurry(Reflect.getOwnPropertyDescriptor(prototype, key)?.get as Method) as (self: unknown) => Result;
/* @__NO_SIDE_EFFECTS__ */
const optionalGetter = (owner: Owner, key: PropertyKey): Getter | undefined =>
  Reflect.getOwnPropertyDescriptor(owner.prototype, key)?.get ? getterOf(owner, key) : undefined;

export const charCodeAt = methodOf<[number], number>(String, "charCodeAt");
export const stringSlice = methodOf<[number, number?], string>(String, "slice");
export const arraySort = methodOf<[compare?: unknown], unknown>(Array, "sort");
export const regExpExec = methodOf<[string], unknown>(RegExp, "exec");
export const dateTime = methodOf<[], number>(Date, "getTime");
export const dateIso = methodOf<[], string>(Date, "toISOString");
export const symbolText = methodOf<[], string>(Symbol, "toString");

export const mapGet = methodOf<[unknown], unknown>(Map, "get") as <K, V>(map: ReadonlyMap<K, V>, key: unknown) => V | undefined;
export const mapSet = methodOf<[unknown, unknown], unknown>(Map, "set");
export const mapDelete = methodOf<[unknown], unknown>(Map, "delete");
export const mapEach = methodOf<[(value: unknown, key: unknown) => void], void>(Map, "forEach");
export const mapSize = getterOf<number>(Map, "size");
export const setAdd = methodOf<[unknown], unknown>(Set, "add");
export const setEach = methodOf<[(item: unknown) => void], void>(Set, "forEach");
export const setSize = getterOf<number>(Set, "size");

/** The letters of a RegExp's flags with their getters. The getter `flags` itself reads the others through the prototype. */
export const flagGetters: readonly { letter: string; has: Getter | undefined }[] = /* @__PURE__ */ (() => {
  const names = ["hasIndices", "global", "ignoreCase", "multiline", "dotAll", "unicode", "unicodeSets", "sticky"];
  return names.map((name, at) => ({ letter: "dgimsuvy".charAt(at), has: optionalGetter(RegExp, name) }));
})();
export const regExpSource = getterOf<string>(RegExp, "source");

const TypedArray = /* @__PURE__ */ Object.getPrototypeOf(Uint8Array) as Owner;
/** The class name of a typed array, `undefined` for anything else; never throws. */
export const typedArrayName = getterOf<string | undefined>(TypedArray, Symbol.toStringTag);
export const typedArrayBuffer = getterOf<ArrayBuffer>(TypedArray, "buffer");
export const typedArrayOffset = getterOf<number>(TypedArray, "byteOffset");
export const typedArrayLength = getterOf<number>(TypedArray, "length");
export const typedArrayBytes = getterOf<number>(TypedArray, "byteLength");
export const dataViewBuffer = getterOf<ArrayBuffer>(DataView, "buffer");
export const dataViewOffset = getterOf<number>(DataView, "byteOffset");
export const dataViewLength = getterOf<number>(DataView, "byteLength");
export const bufferLength = getterOf<number>(ArrayBuffer, "byteLength");
export const bufferResizable = optionalGetter(ArrayBuffer, "resizable");

export const toBase64 = /* @__PURE__ */ (() =>
  typeof get(Uint8Array.prototype, "toBase64") === "function" ? methodOf<[], string>(Uint8Array, "toBase64") : undefined)();
type FromBase64 = (text: string, options: object) => Uint8Array<ArrayBuffer>;
export const fromBase64 = /* @__PURE__ */ get(Uint8Array, "fromBase64") as FromBase64 | undefined;
export const isErrorBrand = /* @__PURE__ */ get(Error, "isError") as ((value: unknown) => boolean) | undefined;

type Constructor = new (...args: never[]) => object;
export type ErrorType = { name: string; prototype: object; constructor: Constructor };
type ViewConstructor = new (buffer: ArrayBuffer, offset: number, length: number) => object;
export type ViewType = { name: string; prototype: object; constructor: ViewConstructor };

/** Constructors of this realm by name, and by prototype. Maps, because a lookup in an object would see `Object.prototype`. */
/* @__NO_SIDE_EFFECTS__ */
function registry<Type extends { name: string; prototype: object }>(names: string, more = ""): ReadonlyMap<unknown, Type> {
  const types = new Map<unknown, Type>();
  for (const name of `${names} ${more}`.split(" ")) {
    const constructor = get(globalThis, name) as (Constructor & { prototype: object }) | undefined;
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
