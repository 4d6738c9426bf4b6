// Child processes, theirs too, and the end of all of them: nothing that was started here outlives this process, whether it
// succeeds, fails or is told to stop.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** How long processes may take to end by themselves. */
const GRACE_MS = 8_000;

/** Everything ever seen below this process. A child whose parent has died is found only by having been seen before. */
const seen = new Set();

/**
 * Starts a Node program with a channel for messages.
 *
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 */
export function startNode(args, options) {
  return spawn(process.execPath, args, { ...options, stdio: ["ignore", "inherit", "inherit", "ipc"], ...options });
}

/**
 * Runs `work`, then ends every process below this one; also when `work` throws, and at a signal, which ends `work` where it
 * stands. Resolves to the exit status.
 *
 * @param {(stop: AbortSignal) => Promise<void>} work
 * @returns {Promise<number>}
 */
export async function withProcesses(work) {
  const stop = new AbortController();
  /** @type {Promise<number>} */
  const stopped = new Promise((resolve) => {
    // A terminal sends its signal to every process and a parent passes it on, so it may come twice. It is one wish.
    for (const [signal, status] of /** @type {const} */ ([["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]])) {
      process.on(signal, () => {
        resolve(status);
        stop.abort();
      });
    }
  });
  const worked = work(stop.signal).then(
    () => 0,
    (error) => {
      if (!stop.signal.aborted) console.error(error);
      return 1;
    },
  );
  const status = await Promise.race([worked, stopped]);
  await endAll();
  return status;
}

/**
 * The processes below this one.
 *
 * @returns {{ pid: number, command: string }[]} with the whole command line
 */
export function descendants() {
  const all = processes();
  const below = new Set([process.pid]);
  // Until nothing is added: children may stand before their parents.
  for (let size = 0; size !== below.size; ) {
    size = below.size;
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid);
  }
  below.delete(process.pid);
  for (const pid of below) seen.add(pid);
  return all.filter(({ pid }) => below.has(pid));
}

async function endAll() {
  const deadline = Date.now() + GRACE_MS;
  // What wrangler started ends with wrangler, in the order it wants.
  signalAll("SIGINT", ({ command }) => !/(workerd|esbuild)(\.exe)? /.test(command));
  while (alive().length > 0 && Date.now() < deadline) await pause(50);
  for (let round = 0; alive().length > 0 && round < 20; round += 1) {
    signalAll("SIGKILL", () => true);
    await pause(50);
  }
}

/**
 * @param {NodeJS.Signals} signal
 * @param {(process: { command: string }) => boolean} isMeant
 */
function signalAll(signal, isMeant) {
  for (const { pid } of alive().filter(isMeant)) {
    try {
      process.kill(pid, signal);
    } catch {
      // It ended in this moment.
    }
  }
}

function alive() {
  descendants();
  return processes().filter(({ pid }) => seen.has(pid));
}

/** @returns {{ pid: number, parent: number, command: string }[]} */
function processes() {
  return existsSync("/proc/self/stat") ? fromProc() : fromPs();
}

function fromProc() {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      try {
        const [, state, parent] = /^\d+ \(.*\) (\S) (\d+) /s.exec(readFileSync(`/proc/${entry}/stat`, "utf8")) ?? [];
        const command = readFileSync(`/proc/${entry}/cmdline`, "utf8").replaceAll("\0", " ");
        return state === "Z" ? [] : [{ pid: Number(entry), parent: Number(parent), command }];
      } catch {
        return [];
      }
    });
}

function fromPs() {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,stat=,command="], { encoding: "utf8" });
  return stdout.split("\n").flatMap((line) => {
    const [, pid, parent, state, command = ""] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined || state?.startsWith("Z") ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}
