/** Programs that try to break out. None gets what it wants; most do in a sandbox that lacks the defence they name. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { LAST } from "./attempt.ts";
import { attempts } from "./attempts.ts";
import { World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

test("there are sixty attempts, thirty of them with a sandbox that lets them through, and no two alike", () => {
  expect(attempts.length).toBeGreaterThanOrEqual(60);
  expect(attempts.filter(({ without }) => without !== undefined).length).toBeGreaterThanOrEqual(30);
  expect(new Set(attempts.map(({ body }) => body)).size).toBe(attempts.length);
});

describe("the sandbox as shipped does not give", () => {
  test.each(attempts)("$name", async (attempt) => {
    const found = await world.shipped(attempt);
    const { harness: _, ...shown } = found;
    expect(found.output.logs, JSON.stringify(shown)).toContain(LAST);
    expect(attempt.obtained(found), JSON.stringify(shown)).toBe(false);
  });
});

describe("without the defence", () => {
  test.each(attempts.filter(({ without }) => without !== undefined))("$without.defence: $name", async (attempt) => {
    const found = await world.without(attempt);
    const { harness: _, ...shown } = found;
    expect(attempt.obtained(found), JSON.stringify(shown)).toBe(true);
  });
});
