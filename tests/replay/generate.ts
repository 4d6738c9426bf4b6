/**
 * A program from a seed: a random composition of the shapes in `shapes.ts`, between a prelude and a last line that shows
 * all that has happened. Everything the program hears of is traced with its place (a counter) and its time (the program's
 * clock), and both go into the arguments of later calls: a replay that gets one delivery wrong cannot stay unnoticed.
 */

import { Dice } from "./dice.ts";
import { EXPRESSIONS, GATES, METHODS, STATEMENTS, type Shape, type Writer } from "./shapes.ts";

export interface Program {
  readonly code: string;
  /** How often each shape stands in it. */
  readonly shapes: Readonly<Record<string, number>>;
}

/** How many calls a program has in its text, about; loops make more of them. */
const CALLS = 24;

export function generate(seed: number): Program {
  const writer = new Composition(seed);
  return { code: writer.program(), shapes: writer.shapes };
}

class Composition implements Writer {
  readonly shapes: Record<string, number> = {};
  readonly dice: Dice;
  #ids = 0;
  #budget = CALLS;

  constructor(seed: number) {
    this.dice = new Dice(seed);
  }

  program(): string {
    const { dice } = this;
    const statements = Array.from({ length: dice.between(2, 5) }, () => this.statement(3));
    statements.push(this.gate());
    for (let more = dice.whole(3); more > 0; more -= 1) statements.push(this.statement(2));
    const body = statements.join("\n");
    // Most programs survive what happens to them, so that they come to a late end; some die of it.
    const caught = dice.chance(0.6) ? `try {\n${body}\n} catch (e) { T("caught", e.stack, e.errors?.length); }` : body;
    return `async () => {\n${PRELUDE}\n${caught}\n${LAST}\n}`;
  }

  id(): number {
    this.#ids += 1;
    return this.#ids;
  }

  /** Arguments that depend on everything so far. */
  args(): string {
    const more = ["", "", "", ", r: Math.random()", ", d: Date.now()", ", u: crypto.randomUUID()", ", p: performance.now()"];
    return `{ i: ${this.id()}, c: ctr++${this.dice.of(more)} }`;
  }

  call(): string {
    this.#budget -= 1;
    const { name } = this.dice.weighted(METHODS);
    this.#count(`t.${name}`);
    return `t.${name}(${this.args()})`;
  }

  expression(depth: number): string {
    if (depth > 0 && this.#budget > 0) return this.#one(EXPRESSIONS, depth);
    return this.dice.of([() => this.call(), () => this.call(), () => `hop(${this.dice.whole(12)})`, () => `sleep(${this.dice.whole(9)})`])();
  }

  expressions(depth: number): string {
    return Array.from({ length: this.dice.between(1, 4) }, () => this.expression(depth)).join(", ");
  }

  statement(depth: number): string {
    return this.#one(STATEMENTS, depth);
  }

  block(depth: number): string {
    if (depth <= 0 || this.#budget <= 0) return `T(${this.id()});`;
    return Array.from({ length: this.dice.between(1, 3) }, () => this.statement(depth)).join("\n");
  }

  gate(): string {
    return this.#one(GATES, 1);
  }

  #one(shapes: readonly Shape[], depth: number): string {
    const shape = this.dice.weighted(shapes);
    this.#count(shape.name);
    return shape.write(this, depth);
  }

  #count(shape: string): void {
    this.shapes[shape] = (this.shapes[shape] ?? 0) + 1;
  }
}

const PRELUDE = `
let ctr = 0;
const t0 = Date.now();
const out = [];
const T = (...values) => {
  ctr++;
  const text = values.map((v) => (typeof v === "object" ? JSON.stringify(v) : String(v))).join();
  const line = text + "@" + (Date.now() - t0) + ":" + ctr;
  out.push(line);
  console.log(line);
  return values[1];
};
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const hop = async (n) => { for (let i = 0; i < n; i++) await null; return "hopped " + n; };
async function* pages(n, id) {
  for (let i = 0; i < n; i++) {
    yield (await t.list({ id, i, c: ctr++ })).length;
    if (i % 2) yield sleep(1).then(() => "slept");
  }
}
async function pool(items, width) {
  const done = [];
  let at = 0;
  const work = async () => {
    while (at < items.length) {
      const item = items[at++];
      done.push([item, await t.get({ item, c: ctr++ })]);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return done;
}
async function retry(act, times) {
  for (let i = 0; ; i++) {
    try {
      return await act();
    } catch (e) {
      if (i >= times) return "gave up";
      await sleep(Math.floor(Math.random() * 4) + i);
    }
  }
}`.trim();

const LAST = "return { out, ctr, random: Math.random(), uuid: crypto.randomUUID(), at: Date.now() - t0, date: new Date() };";
