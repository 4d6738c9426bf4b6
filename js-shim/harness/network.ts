/**
 * The network inside steps: `fetch`, and the platform's own `Request`, `Response` and `Headers` in as much as they are data.
 *
 * The isolate itself has no network, with this as without: a request leaves as text, over the bridge, and its answer comes
 * back whole. What would hand out more than data is taken off the classes: streams, signals (their timers are in no record),
 * sockets. A body is read inside the step, for the platform reads it in turns that no replay knows.
 */

import { decodeBase64, encodeBase64 } from "../value/base64.ts";
import { currentStep } from "./context.ts";
import { failure, rejected } from "./failures.ts";
import type { Pass } from "./pass.ts";
import {
  apply,
  defineProperty,
  hiddenValue,
  NativePromise,
  NativeTypeError,
  NativeUint8Array,
  ObjectPrototype,
  ownData,
  parse,
  stringify,
  whenSettled,
} from "./primordials.ts";
import { reachingStep, reachOut } from "./reach.ts";
import { fixGlobal } from "./realm.ts";
import type { StepContext } from "./steps.ts";

const NativeRequest = Request;
const NativeResponse = Response;
const NativeHeaders = Headers;
const { forEach: headersForEach, append: headersAppend } = Headers.prototype;
const arrayBuffer = memberOf(Request.prototype, "arrayBuffer").value as () => Promise<ArrayBuffer>;
const bodyOf = getterOf(Request.prototype, "body");
const methodOf = getterOf(Request.prototype, "method");
const urlOf = getterOf(Request.prototype, "url");
const redirectOf = getterOf(Request.prototype, "redirect");
const headersOf = getterOf(Request.prototype, "headers");

/** What is left of the classes. Read as an allow-list: what the platform adds is not there. */
const KEPT: readonly PropertyKey[] = [
  "constructor", Symbol.toStringTag, "method", "url", "redirect", "headers", "bodyUsed", "clone", "status", "statusText", "ok", "redirected", "type",
];
const KEPT_STATIC: readonly PropertyKey[] = ["prototype", "length", "name", "json", "redirect", "error"];
const READERS = ["text", "json", "arrayBuffer", "bytes"];
const MISSING = ["body", "blob", "formData"];

/** Before the program comes: puts `fetch` and the classes in place. */
export function openNetwork(pass: Pass): void {
  const kept = new Set(KEPT);
  // Both classes inherit their readers from a third one, which loses them.
  const readers = READERS.map((name) => ({ name, read: memberOf(NativeResponse.prototype, name).value as () => Promise<unknown> }));
  for (const top of [NativeRequest, NativeResponse]) {
    for (let prototype: object = top.prototype; prototype !== ObjectPrototype; prototype = Object.getPrototypeOf(prototype) as object) {
      for (const key of Reflect.ownKeys(prototype)) {
        if (!kept.has(key) || (key === "constructor" && prototype !== top.prototype)) Reflect.deleteProperty(prototype, key);
      }
    }
    for (let statics: object = top; statics !== Function.prototype; statics = Object.getPrototypeOf(statics) as object) {
      for (const key of Reflect.ownKeys(statics)) if (!KEPT_STATIC.includes(key)) Reflect.deleteProperty(statics, key);
    }
    for (const { name, read } of readers) defineProperty(top.prototype, name, hiddenValue(readInStep(name, read)));
    for (const name of MISSING) defineProperty(top.prototype, name, { get: () => refuseStream(name), configurable: true, enumerable: false });
  }
  for (const [name, value] of Object.entries({ Request: NativeRequest, Response: NativeResponse, Headers: NativeHeaders })) {
    const get = (): unknown => (currentStep()?.reaches === true ? value : undefined);
    defineProperty(globalThis, name, { get, configurable: false, enumerable: false });
  }
  fixGlobal("fetch", (input?: unknown, init?: unknown) => fetchInStep(pass, input, init));
}

function readInStep(name: string, read: () => Promise<unknown>): unknown {
  const method = {
    [name](this: unknown): Promise<unknown> {
      const step = reachingStep(`${name}() of a body`);
      return step instanceof Error ? rejected(step) : apply(read, this, []);
    },
  };
  return method[name];
}

function refuseStream(name: string): never {
  throw failure("invalid_input", `${name} is not there: streams, blobs and forms are not in the sandbox; use text(), json(), arrayBuffer() or bytes(), inside the step`);
}

function fetchInStep(pass: Pass, input: unknown, init: unknown): Promise<unknown> {
  const step = reachingStep("fetch");
  if (step instanceof Error) return rejected(step);
  return new NativePromise((resolve, reject) => {
    // Throws what the platform says of a request that is none; the promise rejects with it.
    const request = new NativeRequest(input as RequestInfo, init as RequestInit);
    if (apply(bodyOf, request, []) === null) return send(pass, step, request, undefined, resolve, reject);
    step.sent();
    whenSettled(
      apply(arrayBuffer, request, []) as Promise<ArrayBuffer>,
      (bytes) => {
        if (step.isOpen) send(pass, step, request, new NativeUint8Array(bytes), resolve, reject);
        step.answered();
      },
      (error) => {
        if (step.isOpen) reject(error);
        step.answered();
      },
    );
  });
}

/** The head is put together from texts: `JSON.stringify` of an object would ask for a `toJSON`. */
function send(
  pass: Pass,
  step: StepContext,
  request: Request,
  body: Uint8Array | undefined,
  resolve: (response: unknown) => void,
  reject: (error: unknown) => void,
): void {
  let headers = "";
  const add = (value: string, name: string): void => {
    headers += `${headers === "" ? "" : ","}${stringify(name)},${stringify(value)}`;
  };
  apply(headersForEach, apply(headersOf, request, []) as Headers, [add]);
  const told = (get: () => unknown): string => stringify(apply(get, request, []));
  let text = `{"method":${told(methodOf)},"url":${told(urlOf)},"redirect":${told(redirectOf)},"headers":[${headers}]`;
  if (body !== undefined) text += `,"body":"${encodeBase64(body)}"`;
  const answered = (value: string): void => {
    let response: unknown;
    try {
      response = responseOf(parse(value) as object);
    } catch (error) {
      return reject(error);
    }
    resolve(response);
  };
  reachOut(pass, step, "fetch", `${text}}`, answered, reject);
}

function responseOf(answer: object): unknown {
  const status = ownData(answer, "status") as number;
  const pairs = ownData(answer, "headers") as string[];
  const base64 = ownData(answer, "body");
  const headers = new NativeHeaders();
  for (let i = 0; i + 1 < pairs.length; i += 2) apply(headersAppend, headers, [pairs[i], pairs[i + 1]]);
  const body = typeof base64 === "string" ? decodeBase64(base64) : null;
  if (body === undefined) throw new NativeTypeError("fetch: the body of the answer cannot be read");
  const init = { __proto__: null, status, statusText: ownData(answer, "statusText"), headers };
  const response = new NativeResponse(body as BodyInit | null, init as ResponseInit);
  // What the constructor does not take.
  defineProperty(response, "url", hiddenValue(ownData(answer, "url")));
  defineProperty(response, "redirected", hiddenValue(ownData(answer, "redirected")));
  return response;
}

/** Runs when this module loads, before the program. */
function memberOf(prototype: object, name: string): PropertyDescriptor {
  for (let at: object | null = prototype; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const member = Object.getOwnPropertyDescriptor(at, name);
    if (member !== undefined) return member;
  }
  throw new Error(`no member ${name}`);
}

function getterOf(prototype: object, name: string): () => unknown {
  const { get } = memberOf(prototype, name);
  if (get === undefined) throw new Error(`no getter ${name}`);
  return get;
}
