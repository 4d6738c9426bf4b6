/**
 * How often databases were committed to, read from outside: a frame of SQLite's write-ahead log that ends a transaction says
 * so in its header. Counts in databases that are new, because a log that was begun again has lost what it held before.
 */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const SUFFIX = "-wal";
/** Sizes and places in the format of the log. */
const FILE_HEADER = 32;
const FRAME_HEADER = 24;
const PAGE_SIZE_AT = 8;
const TIMES_BEGUN_AT = 12;
const SALT_AT = 16;
const SIZE_AFTER_COMMIT_AT = 4;
const FRAME_SALT_AT = 8;

/** Everything that `work` commits below `folder` to databases that are not there before. */
export async function commitsOf(folder: string, work: () => Promise<unknown>): Promise<number> {
  const before = new Set(await logsIn(folder));
  await work();
  const added = (await logsIn(folder)).filter((file) => !before.has(file));
  const counts = await Promise.all(added.map(async (file) => commitsIn(file, await readFile(file))));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function logsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries.filter((entry) => entry.endsWith(SUFFIX)).map((entry) => join(folder, entry));
}

function commitsIn(file: string, log: Buffer): number {
  if (log.length < FILE_HEADER) return 0;
  if (log.readUInt32BE(TIMES_BEGUN_AT) !== 0) throw new Error(`${file} was begun again, so its commits cannot be counted; count fewer calls`);
  const salt = log.readUInt32BE(SALT_AT);
  const frame = FRAME_HEADER + log.readUInt32BE(PAGE_SIZE_AT);
  let commits = 0;
  for (let at = FILE_HEADER; at + frame <= log.length && log.readUInt32BE(at + FRAME_SALT_AT) === salt; at += frame) {
    if (log.readUInt32BE(at + SIZE_AFTER_COMMIT_AT) !== 0) commits += 1;
  }
  return commits;
}
