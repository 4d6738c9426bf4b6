// The whole product on this machine: the runtime's Worker and the example Agent's under `wrangler dev`, and a real MCP
// server beside them. All three listen on loopback only.

import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { descendants, startNode } from "./processes.mjs";

const root = join(import.meta.dirname, "..");
/** Of the first answer, which waits for the build. */
const READY_MS = 300_000;

/** Builds here, where its output is seen; wrangler's own build then finds nothing to do. */
export async function build() {
  const [status] = await once(startNode(["scripts/build.mjs"], { cwd: root }), "exit");
  if (status !== 0) throw new Error("the build failed");
}

/**
 * That port of this machine if nothing listens there, or any.
 *
 * @param {number} [wanted]
 */
export async function freePort(wanted = 0) {
  const server = createServer().listen(wanted, "127.0.0.1");
  await once(server, "listening").catch((error) => {
    throw new Error(`port ${wanted} cannot be had (${error.code}); choose another: PORT=8788 npm start`);
  });
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  return port;
}

/**
 * The reference server of the Model Context Protocol.
 *
 * @param {AbortSignal} stop
 */
export async function startMcpServer(stop) {
  const args = ["--import", "./scripts/loopback.mjs", "node_modules/@modelcontextprotocol/server-everything/dist/index.js", "streamableHttp"];
  // It has a tool that tells its whole environment to whoever asks, so it is given none but a port: a free one.
  return startListening("the MCP server", args, { PORT: "0" }, stop);
}

/**
 * An MCP server that says at which port of this machine it listens.
 *
 * @param {string} name for the error when it ends by itself
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env all that it is given
 * @param {AbortSignal} stop
 */
export async function startListening(name, args, env, stop) {
  const child = startNode(args, { cwd: root, env, stdio: ["ignore", "ignore", "ignore", "ipc"] });
  const [message] = await Promise.race([once(child, "message", { signal: stop }), endOf(child, name)]);
  return { url: `http://127.0.0.1:${/** @type {{ port: number }} */ (message).port}/mcp`, child };
}

/**
 * Both Workers. The first configuration is the one that gets the port.
 *
 * @param {{ stop: AbortSignal, port: number, mcpUrl: string, persist?: string, logLevel: string }} options
 */
export async function startWorkers({ stop, port, mcpUrl, persist, logLevel }) {
  const args = ["node_modules/wrangler/bin/wrangler.js", "dev", "-c", "examples/agent/wrangler.toml", "-c", "wrangler.toml"];
  args.push("--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0", "--log-level", logLevel);
  args.push("--var", `MCP_URL:${mcpUrl}`);
  if (persist !== undefined) args.push("--persist-to", persist);
  const wrangler = startNode(args, { cwd: root });
  const ended = endOf(wrangler, "wrangler dev");
  const url = `http://127.0.0.1:${port}`;
  await Promise.race([answering(url, stop), ended]);
  return {
    url,
    ended,
    /** The process in which both Workers run. Another one, wrangler's own, holds the port. */
    workerd() {
      const found = descendants().filter(({ command }) => /\/workerd(\.exe)? serve /.test(command));
      const [workerd, ...more] = found.filter(({ command }) => !command.includes(`entry=127.0.0.1:${port} `));
      if (workerd === undefined || more.length > 0) throw new Error("there should be one workerd that runs the Workers");
      return workerd.pid;
    },
    /** Kills the Workers as a power cut would, and waits until wrangler has started them again on the same storage. */
    async crash() {
      process.kill(this.workerd(), "SIGKILL");
      await Promise.race([answering(url, stop), ended]);
    },
  };
}

/**
 * wrangler says in no machine-readable way that the Workers are ready; they do.
 *
 * @param {string} url
 * @param {AbortSignal} stop
 */
async function answering(url, stop) {
  const deadline = Date.now() + READY_MS;
  while (Date.now() < deadline) {
    stop.throwIfAborted();
    const response = await fetch(`${url}/counters`, { signal: stop }).catch(() => undefined);
    if (response?.ok) return;
    await pause(100);
  }
  throw new Error("the Workers did not become ready");
}

/**
 * Rejects when the process ends: nobody asked it to.
 *
 * @param {import("node:child_process").ChildProcess} child
 * @param {string} name
 * @returns {Promise<never>}
 */
function endOf(child, name) {
  const ended = once(child, "exit").then(([code, signal]) => {
    throw new Error(`${name} ended by itself (${code ?? signal})`);
  });
  // Also when nobody races with it any more.
  ended.catch(() => undefined);
  return ended;
}
