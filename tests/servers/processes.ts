/** The MCP project's own servers on this machine, in a folder of their own; two of them speak over stdin only, and are bridged. */

import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startListening, startMcpServer } from "../../scripts/local.mjs";

export const SERVERS = ["everything", "filesystem", "memory"] as const;

export interface Servers extends AsyncDisposable {
  readonly urls: Record<(typeof SERVERS)[number], string>;
  /** Which the server `filesystem` may read and write. */
  readonly folder: string;
  /** Ends the process as a crash would. */
  kill(name: "filesystem" | "memory"): Promise<void>;
  /** Starts it again at the same address; sessions of before are gone. */
  revive(name: "filesystem" | "memory"): Promise<void>;
}

/** A picture of one point. */
export const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

export async function startServers(): Promise<Servers> {
  const stop = new AbortController();
  // Some systems' folder for temporary files is a link, which the server does not take for the folder it may use.
  const root = await realpath(await mkdtemp(join(tmpdir(), "codemode-servers-")));
  const folder = join(root, "files");
  await mkdir(join(folder, "sub"), { recursive: true });
  await writeFile(join(folder, "note.txt"), "one\ntwo\nthree\n");
  await writeFile(join(folder, "pixel.png"), PNG);
  const given = { filesystem: { args: [folder], env: {} }, memory: { args: [], env: { MEMORY_FILE_PATH: join(root, "memory.jsonl") } } };
  const bridged = (name: keyof typeof given, port = "0") => {
    const server = `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`;
    return startListening(name, ["scripts/mcp-bridge.mjs", server, ...given[name].args], { ...given[name].env, PORT: port }, stop.signal);
  };
  const [everything, filesystem, memory] = await Promise.all([startMcpServer(stop.signal), bridged("filesystem"), bridged("memory")]);
  const started = { everything, filesystem, memory };
  const kill = async (name: keyof typeof started): Promise<void> => {
    const { child } = started[name];
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  };
  return {
    urls: { everything: everything.url, filesystem: filesystem.url, memory: memory.url },
    folder,
    kill,
    async revive(name) {
      started[name] = await bridged(name, new URL(started[name].url).port);
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(SERVERS.map(kill));
      await rm(root, { recursive: true, force: true });
    },
  };
}
