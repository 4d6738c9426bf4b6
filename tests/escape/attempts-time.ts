/**
 * Attempts to see in which pass the program runs: by any clock, any chance, or the order of what the platform does. Each
 * tells before an approval what it read; a replay that tells something else has been seen through.
 */

import { type Attempt, seesThePass, type Without } from "./attempt.ts";

const INDEX = "js-shim/harness/index.ts";
const CRYPTO = "js-shim/harness/crypto.ts";
const CLOCK = "js-shim/harness/clock.ts";
const patch = (defence: string, file: string, from: string, to: string): Without => ({ defence, patches: [{ file, from, to }] });

const clocks: [name: string, read: string, without?: Without][] = [
  ["Date.now", "Date.now()", patch("Date is the program's", INDEX, `fixGlobal("Date", createDate(now));`, "")],
  ["new Date", "new Date().getTime()", patch("new Date is the program's", CLOCK, "args.length === 0 ? [now()] : args", "args")],
  ["Date as a function", "Date()", patch("Date() is the program's", CLOCK, "dateToString(new NativeDate(now()))", "dateToString(new NativeDate())")],
  [
    "the constructor of a Date",
    "[new (new Date(0).constructor)().getTime(), new Date(0).constructor.now()]",
    patch("Date.prototype.constructor is the program's", CLOCK, "defineProperty(NativeDate.prototype, \"constructor\", {\n    value: ProgramDate,", "defineProperty(NativeDate.prototype, \"constructor\", {\n    value: NativeDate,"),
  ],
  ["a subclass of Date", "new (class extends Date {})().getTime()", patch("a subclass is constructed with the program's time", CLOCK, "args.length === 0 ? [now()] : args, new.target", "args.length === 0 && new.target === ProgramDate ? [now()] : args, new.target")],
  ["Reflect.construct of Date", "Reflect.construct(Date, [], Object).valueOf === Object.prototype.valueOf ? Date.prototype.getTime.call(Reflect.construct(Date, [], Object)) : 0"],
  ["performance.now", "performance.now()", patch("performance is the program's", CLOCK, "now: () => now() - timeOrigin,", "now: () => NativeDate.now() - timeOrigin,")],
  ["performance.timeOrigin", "[performance.timeOrigin, performance.toJSON().timeOrigin]", patch("performance is the program's", INDEX, "createPerformance(now, startedAt)", "createPerformance(now, performance.now() + Date.UTC(2020))")],
  ["everything that hangs on performance", "ownKeys(performance).concat(ownKeys(Object.getPrototypeOf(performance))).map((key) => refused(() => typeof performance[key] === 'function' ? text(performance[key]()) : text(performance[key])))"],
  ["Intl.DateTimeFormat.format", `new Intl.DateTimeFormat("en", { minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 }).format()`, patch("format has the program's time", INDEX, "\n  installDateTimeFormat(now);", "")],
  [
    "Intl.DateTimeFormat.formatToParts",
    `new Intl.DateTimeFormat("en", { minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 }).formatToParts().map(({ value }) => value)`,
    patch("formatToParts has the program's time", CLOCK, "[date === undefined ? now() : date]", "[date]"),
  ],
  [
    "the getter behind format, and undefined for a date",
    `Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, "format").get.call(new Intl.DateTimeFormat("en", { second: "2-digit", fractionalSecondDigits: 3 }))(undefined)`,
    patch("format(undefined) has the program's time", CLOCK, "(date?: unknown) => bound(date === undefined ? now() : date)", "(date?: unknown) => bound(date)"),
  ],
  ["a date in words", `[new Date().toLocaleString("en", { fractionalSecondDigits: 3 }), new Date().toString(), new Date().toISOString(), new Intl.DateTimeFormat().resolvedOptions().timeZone]`],
  ["Math.random", "[Math.random(), Math.random()]", patch("chance is recorded", INDEX, "value: random,", "value: Math.random,")],
  ["crypto.randomUUID", "crypto.randomUUID()", patch("chance is recorded", CRYPTO, "randomUUID(): string {", "randomUUID: ((real) => () => real.randomUUID())(crypto),\n    unused(): string {")],
  ["crypto.getRandomValues", "crypto.getRandomValues(new Uint8Array(8))", patch("chance is recorded", CRYPTO, "getRandomValues(array?: unknown): unknown {", "getRandomValues: ((real) => (it: never) => real.getRandomValues(it))(crypto),\n    unused(array?: unknown): unknown {")],
];

export const time: Attempt[] = [
  ...clocks.map(([name, read, without]): Attempt => ({
    name: `the time or the chance of the pass, by ${name}`,
    body: `log(text(${read})); await lab.echo(1); log(text(${read}));`,
    obtained: seesThePass,
    // Some clocks tell whole seconds only.
    passes: { apart: read === "Date()" ? 1_100 : 5 },
    ...(without !== undefined && { without }),
  })),
  {
    name: "the time of the pass, by a timer of the host",
    body: `let fired = false; setTimeout(() => { fired = true }, 30); await lab.sleep({ ms: 150 }); log("fired " + fired);`,
    obtained: seesThePass,
    passes: { apart: 1 },
    without: patch("timers are recorded", INDEX, `  fixGlobal("setTimeout", (run?: unknown, ms?: unknown, ...args: unknown[]) => timers.add(run, ms, args, false));`, ""),
  },
  {
    name: "the time of the pass, by how often an interval ticks during a call",
    body: `let ticks = 0; const id = setInterval(() => { ticks++ }, 10); await lab.sleep({ ms: 100 }); clearInterval(id); log("ticks " + ticks);`,
    obtained: seesThePass,
    passes: { apart: 1 },
    without: patch("intervals are recorded", INDEX, `  fixGlobal("setInterval", (run?: unknown, ms?: unknown, ...args: unknown[]) => timers.add(run, ms, args, true));`, ""),
  },
  {
    name: "the time of the pass, by a race of the platform's work with a call",
    body: `const order = []; await Promise.all([crypto.subtle.digest("SHA-256", new Uint8Array(1e6)).then(() => order.push("digest")), lab.sleep({ ms: 20 }).then(() => order.push("call")), lab.echo(1).then(() => order.push("echo"))]); log(text(order));`,
    obtained: seesThePass,
    passes: { apart: 1 },
  },
  {
    name: "chance of the platform, by keys that it makes",
    body: `setTimeout(() => {}, 300); loot = [];
      for (const make of ["generateKey", "deriveBits", "encrypt", "wrapKey"]) loot.push(typeof crypto.subtle[make]);
      const key = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, true, ["sign"]); log(text(new Uint8Array(await crypto.subtle.exportKey("raw", key))));`,
    obtained: ({ told }) => told.some((piece) => /^\d+(,\d+){30,}$/.test(piece)),
    without: patch("crypto.subtle has only functions of their input", CRYPTO, "subtle: createSubtle(pass),", "subtle: crypto.subtle,"),
  },
  {
    name: "chance of the platform, by signatures that differ each time",
    body: `loot = [];
      for (const name of ["ECDSA", "RSA-PSS", "Ed25519"]) loot.push(text(await crypto.subtle.sign({ name, hash: "SHA-256", saltLength: 8 }, {}, new Uint8Array(1)).then(() => "signed", (error) => error)));
      loot.push(text(await crypto.subtle.importKey("raw", new Uint8Array(16), { name: "AES-GCM" }, true, ["encrypt"]).then(() => "imported", (error) => error)));
      const key = await crypto.subtle.importKey("raw", new Uint8Array(16), { get name() { return this.asked ? "AES-GCM" : (this.asked = true, "HMAC") }, hash: "SHA-256" }, true, ["sign"]); loot.push(key.algorithm.name);`,
    obtained: ({ told }) => told.some((piece) => /^(signed|imported|AES-GCM)$/.test(piece)),
  },
];
