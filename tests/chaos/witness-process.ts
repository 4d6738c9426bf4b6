/**
 * The witness: a process of its own that outlives any workerd. It writes down what a connector really did, what was undone
 * and what was told, before it answers; and it hears when an object stands still at a place. Its file is opened with
 * O_APPEND and synced for every line.
 *
 * It can be told to leave a cell's nth effect or revert from now on without an answer: the service acted, and the connector
 * does not get to hear of it.
 */

import { fsyncSync, openSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import type { FromWitness, Line, ToWitness } from "./witness.ts";

interface Hold {
  what: "call" | "revert";
  left: number;
  answers: boolean;
}

const file = openSync(process.argv[2] ?? "", "a");
const holds = new Map<string, Hold>();

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const line = JSON.parse(Buffer.concat(parts).toString()) as Line | { what: "place"; cell: string };
    if (line.what === "place") return tell({ kind: "standing", cell: line.cell });
    writeSync(file, `${JSON.stringify(line)}\n`);
    fsyncSync(file);
    const hold = holds.get(line.cell);
    if (hold?.what === line.what) hold.left -= 1;
    const isDue = hold?.what === line.what && hold.left === 0;
    if (!isDue || hold.answers) response.end();
    if (isDue) tell({ kind: "standing", cell: line.cell });
  });
});

// An idle connection that is closed just when workerd sends its next line over it would look like a service that broke.
server.keepAliveTimeout = 0;
process.on("message", ({ cell, what, nth, answers }: ToWitness) => {
  holds.set(cell, { what, left: nth, answers });
  tell({ kind: "held", cell });
});
process.on("disconnect", () => process.exit());
server.listen(0, "127.0.0.1", () => tell({ kind: "ready", port: (server.address() as AddressInfo).port }));

function tell(message: FromWitness): void {
  process.send?.(message);
}
