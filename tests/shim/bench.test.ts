/** What the benchmark counts and judges by itself: commits in a log, quantiles, and whether rows are whole. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, test } from "vitest";

import { faultsOf } from "../../bench/check.ts";
import { figureOf, rowOf } from "../../bench/row.ts";
import { quantile } from "../../bench/samples.ts";
import { commitsOf } from "../../bench/wal.ts";

async function counted(work: (open: (name: string) => DatabaseSync) => void): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "codemode-wal-"));
  const databases: DatabaseSync[] = [];
  const open = (name: string): DatabaseSync => {
    const database = new DatabaseSync(join(folder, name));
    databases.push(database);
    database.exec("PRAGMA journal_mode = WAL");
    return database;
  };
  try {
    // It is there before, so what it commits is not counted.
    const old = open("old.sqlite");
    old.exec("CREATE TABLE t (v)");
    return await commitsOf(folder, async () => {
      old.exec("INSERT INTO t VALUES (1)");
      work(open);
    });
  } finally {
    for (const database of databases) database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

test("every commit to a new database is counted, and a transaction is one", async () => {
  const commits = await counted((open) => {
    const [one, two] = [open("one.sqlite"), open("two.sqlite")];
    one.exec("CREATE TABLE t (v)");
    for (let n = 0; n < 5; n += 1) one.exec(`INSERT INTO t VALUES (${n})`);
    one.exec("BEGIN; INSERT INTO t VALUES (6); INSERT INTO t VALUES (7); COMMIT");
    one.exec("BEGIN; INSERT INTO t VALUES (8); ROLLBACK");
    two.exec("CREATE TABLE t (v)");
  });
  expect(commits).toBe(8);
});

test("a log that was begun again is not counted wrongly but refused", async () => {
  const again = counted((open) => {
    const database = open("one.sqlite");
    database.exec("CREATE TABLE t (v); PRAGMA wal_checkpoint(RESTART); INSERT INTO t VALUES (1)");
  });
  await expect(again).rejects.toThrow("was begun again");
});

test("a row has the medians and what 95 of 100 do not exceed", () => {
  const hundred = Array.from({ length: 101 }, (_, n) => 100 - n);
  const row = rowOf({ id: "a", storage: "disk", unit: "ms" }, { ours: hundred, ancestor: [200], floor: [] });
  expect(row).toMatchObject({ ours: 50, ancestor: 200, floor: null, ratio: 0.25, n: 101, p95: { ours: 95, ancestor: 200, floor: null } });
  expect(quantile([], 0.5)).toBeNull();
});

test("rows that are missing, doubled or no numbers are named", () => {
  const whole = figureOf({ id: "a", storage: "disk", unit: "ms" }, { ours: 1, ancestor: 2 });
  const step = { ...whole, id: "b_10" };
  const expected = [{ id: "a", each: "storage" }, { id: "b", each: "storage" }] as const;
  expect(faultsOf([whole, step], expected, ["disk"])).toEqual([]);
  expect(faultsOf([whole, step], expected, ["disk", "tmpfs"])).toEqual(["no row of a tmpfs", "no row of b tmpfs"]);
  expect(faultsOf([whole], [{ id: "size", each: "run" }], ["disk"])).toEqual(["no row of size none"]);
  expect(faultsOf([whole, whole], [], ["disk"])).toEqual(["a disk is there twice"]);
  expect(faultsOf([{ ...whole, ours: NaN, n: 0 }], [], [])).toEqual(["a disk: ours is NaN", 'a disk: it has 0 samples in "ms"']);
  expect(faultsOf([{ ...whole, ours: null, ancestor: null, ratio: null }], [], [])).toEqual(["a disk: it has no figure"]);
});
