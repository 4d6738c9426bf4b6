// `npm start`: the runtime and the example Agent stay up until Ctrl-C, with an MCP server for the Agent's connector.
// What can be asked of it: README.md.

import { build, freePort, startMcpServer, startWorkers } from "./local.mjs";
import { withProcesses } from "./processes.mjs";

const port = Number(process.env.PORT ?? 8787);
if (!Number.isInteger(port) || port < 1 || port > 65535) {
  console.error(`PORT has to be a port, not ${JSON.stringify(process.env.PORT)}`);
  process.exit(1);
}

const status = await withProcesses(async (stop) => {
  await freePort(port);
  await build();
  const mcp = await startMcpServer(stop);
  const { url, ended } = await startWorkers({ stop, port, mcpUrl: mcp.url, logLevel: "warn" });
  console.log(`
The example Agent      ${url}
MCP server everything  ${mcp.url}

  curl -s ${url}/run -H 'content-type: application/json' \\
    -d '{"code": "async () => notes.add({ text: \\"hello\\" })"}'

POST /run, /approve, /reject, /recover, /resolve, /cancel, /rollback, /delete; GET /pending, /executions, /executions/ID, /counters. Ctrl-C ends it.`);
  await ended;
});
// Stopped by a person is as it should be.
process.exit(status === 130 || status === 143 ? 0 : status);
