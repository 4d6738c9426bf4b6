/**
 * The three that are measured side by side, each in a workerd of its own: ours, the ancestor, and the bare platform. All
 * are asked the same way, over HTTP on loopback, and each question is timed from here to its answer.
 */

import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { join } from "node:path";

import { startRuntime } from "../tests/support/miniflare.ts";
import type { Runtime, RuntimeOptions } from "../tests/support/miniflare.ts";
import { ROOT } from "../tests/support/wrangler-config.ts";
import type { Answer, Question, RuntimeChoice } from "./hosts/agent.ts";
import type { FloorQuestion } from "./hosts/floor.ts";

export type Storage = "tmpfs" | "disk";

/** Where each kind of storage lies. */
const FOLDERS: Record<Storage, string> = { tmpfs: "/dev/shm", disk: join(ROOT, "target") };

/** One implementation. */
export interface Side {
  readonly name: "ours" | "ancestor";
  /** Holds its databases. */
  readonly folder: string;
  /** Of which object of the Agent, and of which of its runtimes. @throws when the answer is not the expected one. */
  ask(object: string, question: Question, runtime?: RuntimeChoice): Promise<string>;
  /** Resident memory of its workerd, bytes. */
  memory(): Promise<number>;
}

export interface Sides extends AsyncDisposable {
  readonly ours: Side;
  readonly ancestor: Side;
  floor(question: FloorQuestion): Promise<void>;
}

const HOSTS = {
  ours: { worker: "bench/hosts/ours.ts", agents: { AGENT: "OursAgent" } },
  ancestor: { worker: "bench/hosts/ancestor.ts", agents: { AGENT: "AncestorAgent" }, placement: "embedded" },
  floor: { worker: "bench/hosts/floor.ts", agents: { AGENT: "FloorAgent", RELAY: "FloorRelay" }, placement: "none" },
} satisfies Record<string, RuntimeOptions>;

/** The caller disposes of them. */
export async function startSides(storage: Storage): Promise<Sides> {
  const folder = FOLDERS[storage];
  await mkdir(folder, { recursive: true });
  const root = await mkdtemp(join(folder, "codemode-bench-"));
  const started: Runtime[] = [];
  const start = async (name: keyof typeof HOSTS): Promise<Runtime> => {
    const runtime = await startRuntime({ ...HOSTS[name], persist: join(root, name) });
    started.push(runtime);
    return runtime;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((runtime) => runtime.stop()));
    await rm(root, { recursive: true, force: true });
  };
  try {
    const [ours, ancestor, floor] = [await start("ours"), await start("ancestor"), await start("floor")];
    return {
      ours: sideOf("ours", ours, join(root, "ours")),
      ancestor: sideOf("ancestor", ancestor, join(root, "ancestor")),
      async floor(question) {
        await post(floor.url, question);
      },
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function sideOf(name: Side["name"], runtime: Runtime, folder: string): Side {
  return {
    name,
    folder,
    async ask(object, question, choice = {}) {
      const answer = await post(runtime.url, { object, runtime: choice, question });
      if ("value" in answer) return answer.value;
      throw new Error(`${name} was asked to ${JSON.stringify(question).slice(0, 200)} and answered: ${answer.fault}`);
    },
    async memory() {
      const status = await readFile(`/proc/${runtime.pid}/status`, "utf8");
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
    },
  };
}

/**
 * workerd closes a connection that has been idle, or busy with one question, for seconds, without a word; the next question
 * on it would be lost. So one that has been either for this long is not used again, ms.
 */
const TRUSTED_MS = 500;

/** Connections are kept, so that few are opened while something is timed. */
const connections = new Agent({ keepAlive: true, maxSockets: 64, timeout: TRUSTED_MS });

export async function post(url: URL, body: unknown): Promise<Answer> {
  return JSON.parse(await postText(url, JSON.stringify(body))) as Answer;
}

export function postText(url: URL, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
    const sent = request(url, { method: "POST", agent: connections, headers }, (response) => {
      // At its end the response has none any more.
      const { socket } = response;
      response.setEncoding("utf8");
      let answer = "";
      response.on("data", (part: string) => (answer += part));
      response.on("error", reject);
      response.on("end", () => {
        if (performance.now() - start > TRUSTED_MS) socket.destroy();
        if (response.statusCode !== 200) return reject(new Error(`${response.statusCode}: ${answer.slice(0, 500)}`));
        resolve(answer);
      });
    });
    sent.on("error", reject);
    sent.end(text);
  });
}
