/** Attempts to find what is not on the list of globals, and to reach out with it. */

import { type Attempt, type Without, holdsHarness, tells } from "./attempt.ts";

const allowed = (name: string): Without => ({
  defence: `${name} is not on the list`,
  patches: [{ file: "js-shim/harness/globals.ts", from: `"connect", "fetch",\n];`, to: `"connect", "fetch", "${name}",\n];` }],
});

/** Name, an expression that uses it, and what that gives where it is there. Without a text: the platform has no such thing to give. */
const absent: [name: string, use: string, gives?: string][] = [
  ["WeakRef", "typeof new WeakRef({}).deref()", "object"],
  ["FinalizationRegistry", "text(new FinalizationRegistry(() => {}))", "[object FinalizationRegistry]"],
  ["SharedArrayBuffer", "new SharedArrayBuffer(8).byteLength + ' shared'", "8 shared"],
  ["Atomics", "Atomics.add(new Int32Array([41]), 0, 1) + Atomics.load(new Int32Array([1]), 0) + ' by Atomics'", "42 by Atomics"],
  ["WebAssembly", "WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) + ' wasm'", "true wasm"],
  ["scheduler", "typeof scheduler.wait", "function"],
  ["AbortSignal", "text(AbortSignal.timeout(1))", "[object AbortSignal]"],
  ["MessageChannel", "text(new MessageChannel().port1)", "[object MessagePort]"],
  ["Event", "typeof new Event('x').timeStamp", "number"],
  ["File", "typeof new File([], 'x').lastModified", "number"],
  ["navigator", "navigator.userAgent", "Cloudflare-Workers"],
  ["caches", "text(caches.default)", "[object Cache]"],
  ["HTMLRewriter", "text(new HTMLRewriter())", "[object HTMLRewriter]"],
  ["Response", "await new Response('body of a response').text()", "body of a response"],
  ["ReadableStream", "text(new ReadableStream())", "[object ReadableStream]"],
  ["Temporal", "typeof Temporal.Now"],
  ["process", "text(process.env)"],
  ["Buffer", "Buffer.from('x').constructor.name"],
  ["setImmediate", "text(setImmediate(() => {}))"],
];

const closed = { defence: "the sandbox has neither the names nor the network", isOpen: true } as const;

export const globals: Attempt[] = [
  ...absent.map(([name, use, gives]): Attempt => ({
    name: `${name}`,
    body: `loot = ${use};`,
    obtained: ({ told }) => (gives === undefined ? !told.some((piece) => piece.startsWith("refused: ReferenceError")) : told.includes(gives)),
    ...(gives !== undefined && { without: allowed(name) }),
  })),
  {
    name: "what the global object inherits",
    body: `loot = []; for (let at = Object.getPrototypeOf(globalThis); at; at = Object.getPrototypeOf(at)) loot.push(...ownKeys(at).map(text));`,
    obtained: tells("addEventListener"),
    without: {
      defence: "the global object inherits from Object.prototype alone",
      patches: [{ file: "js-shim/harness/realm.ts", from: "  Object.setPrototypeOf(realm, ObjectPrototype);", to: "" }],
    },
  },
  {
    name: "what another version of the platform adds",
    body: `loot = ownKeys(globalThis).map(text).filter((name) => /^(cloudflare|Cloudflare|self|onmessage|origin|postMessage|ServiceWorkerGlobalScope|WorkerGlobalScope|EventTarget|gc|Worker|RpcTarget|Fetcher)$/.test(name));`,
    obtained: ({ told }) => told.some((piece) => /^(Cloudflare|self|ServiceWorkerGlobalScope|EventTarget)$/.test(piece)),
    without: {
      defence: "what is not on the list goes",
      patches: [{ file: "js-shim/harness/realm.ts", from: "if (allowed.has(name) || Reflect.deleteProperty(realm, name)) continue;", to: "continue;" }],
    },
  },
  {
    name: "the network, by fetch",
    body: `loot = text(await fetch(SERVER).then((response) => response.status, (error) => error));`,
    obtained: ({ heard }) => heard > 0,
    without: {
      ...closed,
      patches: [{ file: "js-shim/harness/index.ts", from: `else fixGlobal("fetch", `, to: `else void (` }],
    },
  },
  {
    name: "the network, by fetch with what it takes otherwise",
    body: `loot = []; for (const given of [new URL(SERVER), { url: SERVER, toString: () => SERVER }, undefined]) loot.push(text(await fetch(given, { method: "POST", body: "x" }).catch((error) => error)));
      loot.push(text(await refused(() => Reflect.construct(fetch, [SERVER]))), text(await fetch.call(globalThis, SERVER).catch((error) => error)), text(await refused(() => connect({ hostname: "127.0.0.1", port: new URL(SERVER).port })).catch((error) => error)));`,
    obtained: ({ heard }) => heard > 0,
  },
  {
    name: "the network, by a WebSocket",
    body: `setTimeout(() => {}, 300); new WebSocket(SERVER.replace("http", "ws")); await lab.sleep({ ms: 200 });`,
    obtained: ({ heard }) => heard > 0,
    without: { ...closed, patches: allowed("WebSocket").patches },
  },
  {
    name: "the network, by an EventSource",
    body: `setTimeout(() => {}, 300); new EventSource(SERVER); await lab.sleep({ ms: 200 });`,
    obtained: ({ heard }) => heard > 0,
    without: { ...closed, patches: allowed("EventSource").patches },
  },
  {
    name: "the network, by names that a URL object makes",
    body: `loot = [typeof URL.createObjectURL, typeof URL.revokeObjectURL, typeof new URL(SERVER).fetch];`,
    obtained: tells("function"),
  },
  ...([
    ["eval", `(0, eval)("'code' + ' was made'")`],
    ["Function", `new Function("return 'code' + ' was made'")()`],
    ["the constructor of an async function", `await (async () => {}).constructor("return 'code' + ' was made'")()`],
    ["the constructor of a generator", `(function* () {}).constructor("yield 'code' + ' was made'")().next().value`],
    ["the constructor of an async generator", `(await (async function* () {}).constructor("yield 'code' + ' was made'")().next()).value`],
    ["the constructor of a method", `lab.echo.constructor("return 'code' + ' was made'")()`],
    ["a timer", `refused(() => setTimeout("log('code' + ' was made')", 1)) && ""`],
    ["the constructor of the constructor of a result", `(await lab.echo({})).constructor.constructor("return 'code' + ' was made'")()`],
  ] as const).map(([name, expression]): Attempt => ({
    name: `code made at run time, by ${name}`,
    body: `loot = ${expression};`,
    obtained: tells("code was made"),
  })),
  {
    name: "the harness, by the namespaces and what they are made of",
    body: `loot = []; for (const it of [lab, codemode, lab.echo, codemode.step, console, crypto, crypto.subtle, performance, Date])
      for (const key of ["constructor", "__proto__", "prototype", "caller", "arguments", "handler", "target", "issuer", "pass"]) { const found = refused(() => it[key]); if (typeof found === "function" || (typeof found === "object" && found !== null)) for (const inner of ownKeys(found)) loot.push(text(refused(() => found[inner]?.prototype?.run ?? found.run))) }`,
    obtained: holdsHarness,
  },
];
