/**
 * Broken harnesses: each breaks one rule of the pass protocol by replacing one snippet of source, which must match exactly
 * once. A replay test that lets one of them through is too weak.
 */

export type Variant = {
  name: string;
  /** From the repository's root. */
  file: string;
  from: string;
  to: string;
};

/** Hands over a recorded outcome where the program made the call, and takes its place out of the order. */
const ANSWER_AT_ONCE = `
          const order = this.#order;
          let at = this.#position;
          while (at < order.length && order[at] !== message.operation) at += 2;
          const [, moved] = order.splice(at, 2);
          if (at < order.length) order[at + 1] += moved;
          else this.#pass.moveTo(this.#pass.now + moved);
          message.deliver();
          this.#pass.close(message);`;

export const VARIANTS: readonly Variant[] = [
  {
    name: "no drain between two deliveries",
    file: "js-shim/harness/pump.ts",
    from: `  // The next delivery, live or replayed, waits until the microtasks of this one are drained.
  if (pass.phase !== "live" || pass.ready.size > 0) return pass.kick();`,
    to: `  rooms.at = (rooms.at ?? 0) + 2;
  const code = pass.manifest.order[rooms.at];
  const recorded = pass.operations[code % 4]?.[(code - (code % 4)) / 4];
  if (pass.phase === "live" ? pass.ready.size > 0 : recorded?.state === "ready") pump(rooms);
  else pass.kick();
  return;`,
  },
  {
    name: "answer at issue on replay",
    file: "js-shim/harness/replay.ts",
    from: `        if (!this.hasPlace(message.operation)) held[held.length] = message;
        return;`,
    to: `        if (!this.hasPlace(message.operation)) held[held.length] = message;
        else {${ANSWER_AT_ONCE}}
        return;`,
  },
  {
    name: "answer at issue when only one is outstanding",
    file: "js-shim/harness/replay.ts",
    from: `        if (!this.hasPlace(message.operation)) held[held.length] = message;
        return;`,
    to: `        if (!this.hasPlace(message.operation)) held[held.length] = message;
        else if ([0, 1, 2, 3].flatMap((kind) => Array.from(this.#pass.operations[kind])).filter(Boolean).length === 1) {${ANSWER_AT_ONCE}}
        return;`,
  },
  {
    name: "deliver in the order of seq",
    file: "js-shim/harness/replay.ts",
    from: `const order = pass.manifest.order;`,
    to: `const order = pass.manifest.order.slice();
    const bySeq = order.filter((operation, i) => i % 2 === 0 && kindOf(operation) === CALL).sort((a, b) => a - b);
    for (let i = 0; i < order.length; i += 2) if (kindOf(order[i]) === CALL) order[i] = bySeq.shift();`,
  },
  {
    name: "real clock",
    file: "js-shim/harness/clock.ts",
    from: `return pass.now;`,
    to: `return NativeDate.now();`,
  },
  {
    name: "real random",
    file: "js-shim/harness/index.ts",
    from: `value: random,`,
    to: `value: Math.random,`,
  },
];
