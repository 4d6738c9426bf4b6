/**
 * The programs of the matrix. Every call has a number of its own and tells the service what the program had heard before, so
 * what the program was told is known outside; results stand in the order of the text, not in that of arrival.
 */

export interface Program {
  readonly name: string;
  readonly code: string;
  /** It pauses for a person. */
  readonly gated?: true;
}

const CALL = `
const heard = [];
const call = async (method, n) => {
  const value = await service[method]({ n, heard: [...heard] });
  heard.push([n, value]);
  return value;
};`;

/** What an effect alone looks like at the end of every row: `send` cannot be undone, `move` can, `put` may be repeated. */
const PROGRAMS_TEXT: readonly Program[] = [
  { name: "one effect", code: `return [await call("send", 0)];` },
  { name: "sequence", code: `return [await call("send", 0), await call("move", 1), await call("put", 2), await call("move", 3)];` },
  { name: "at once", code: `return Promise.all([call("send", 0), call("move", 1), call("put", 2), call("send", 3), call("move", 4)]);` },
  {
    name: "chains",
    code: `
      const chain = async (from, ...methods) => {
        const values = [];
        for (const [i, method] of methods.entries()) values.push(await call(method, from + i));
        return values;
      };
      return Promise.all([chain(0, "send", "move", "put"), chain(10, "list", "send", "move")]);`,
  },
  { name: "gated", gated: true, code: `return [await call("move", 0), await call("gate", 1), await call("move", 2)];` },
  {
    name: "two gates",
    gated: true,
    code: `const both = await Promise.all([call("gate", 0), call("gate", 1), call("move", 2)]); return [...both, await call("send", 3)];`,
  },
  {
    name: "gate after gate",
    gated: true,
    code: `const first = await call("gate", 0); return [first, await call("put", 1), await call("gate", 2)];`,
  },
  {
    name: "mixed",
    code: `
      const first = [await call("list", 0), await call("put", 1), await call("load", 2)];
      const together = await Promise.all([call("send", 3), call("list", 4), call("load", 5)]);
      return [...first, ...together, await call("put", 6)];`,
  },
  {
    name: "step",
    code: `
      const first = await call("send", 0);
      const sum = await codemode.step("sum", () => 41 + 1);
      return [first, sum, await call("move", 1), await codemode.step("twice", async () => sum * 2)];`,
  },
  {
    name: "catches",
    code: `
      const values = [];
      try { await call("refuse", 0); } catch (error) { values.push(error.message); }
      values.push(await call("send", 1));
      const settled = await Promise.allSettled([call("refuse", 2), call("move", 3)]);
      return [...values, ...settled.map((one) => one.value ?? one.reason.message)];`,
  },
  {
    name: "timers",
    code: `
      const wait = (ms) => new Promise((done) => setTimeout(done, ms));
      const first = await call("send", 0);
      await wait(10);
      const [second] = await Promise.all([call("move", 1), wait(20)]);
      return [first, second, await call("put", 2)];`,
  },
];

export const PROGRAMS: readonly Program[] = PROGRAMS_TEXT.map((program) => ({ ...program, code: `${CALL}\n${program.code}` }));
