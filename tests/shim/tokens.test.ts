/** What discovery costs a model stays within its bounds, on a document that no one here wrote (docs/discovery.md). */

import { expect, test } from "vitest";

import { measured } from "../../scripts/tokens.mjs";

test("describing an operation, a large connector and a page of results is short", { timeout: 600_000 }, () => {
  const { operations, connector, pages } = measured();
  expect(operations.n).toBeGreaterThan(1_200);
  expect(operations.median).toBeLessThanOrEqual(110);
  expect(operations.p95).toBeLessThanOrEqual(400);
  expect(connector.most).toBeLessThanOrEqual(1_500);
  expect(pages.n).toBe(10);
  expect(pages.median).toBeLessThanOrEqual(500);
});
