/**
 * Every global of a program, beside `codemode` and its connectors. What is not on this list is not there, and that includes
 * whatever the platform will add: an allow-list needs no news.
 *
 * The list is data, for the documentation and for the check of connector names. Not on it, on purpose: what sees time,
 * chance, memory or other threads (WeakRef, FinalizationRegistry, Atomics, SharedArrayBuffer, WebAssembly, scheduler,
 * Temporal), what reaches out (WebSocket, EventSource, caches, navigator), and what does its work in turns that are not
 * recorded (streams, Request, Response, Blob, events, AbortSignal).
 */
export const ALLOWED_GLOBALS: readonly string[] = [
  // The language.
  "AggregateError", "Array", "ArrayBuffer", "AsyncDisposableStack", "BigInt", "BigInt64Array", "BigUint64Array", "Boolean",
  "DataView", "Date", "DisposableStack", "Error", "EvalError", "Float16Array", "Float32Array", "Float64Array", "Function",
  "Infinity", "Int16Array", "Int32Array", "Int8Array", "Intl", "Iterator", "JSON", "Map", "Math", "NaN", "Number", "Object",
  "Promise", "Proxy", "RangeError", "ReferenceError", "Reflect", "RegExp", "Set", "String", "SuppressedError", "Symbol",
  "SyntaxError", "TypeError", "URIError", "Uint16Array", "Uint32Array", "Uint8Array", "Uint8ClampedArray", "WeakMap",
  "WeakSet", "decodeURI", "decodeURIComponent", "encodeURI", "encodeURIComponent", "escape", "eval", "globalThis", "isFinite",
  "isNaN", "parseFloat", "parseInt", "undefined", "unescape",
  // The platform.
  "DOMException", "TextDecoder", "TextEncoder", "URL", "URLSearchParams", "atob", "btoa", "clearInterval", "clearTimeout",
  "console", "crypto", "performance", "queueMicrotask", "setInterval", "setTimeout", "structuredClone",
  // There, and refused with the reason.
  "connect", "fetch",
];

/** There inside `codemode.step` only, and only where the application gives steps a network. */
export const STEP_GLOBALS: readonly string[] = ["Request", "Response", "Headers"];
