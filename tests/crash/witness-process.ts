/**
 * The witness: a process of its own that writes down every effect it is asked for, before it answers. It stands for the
 * service behind a connector, and it outlives any workerd. Its file is opened with O_APPEND and synced for every line, so
 * what it says happened did happen.
 *
 * A call with `hold: true` in its arguments is answered only when the test says so.
 */

import { fsyncSync, openSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import type { Effect, FromWitness, ToWitness } from "./witness.ts";

const file = openSync(process.argv[2] ?? "", "a");
const held = new Map<string, (value: unknown) => void>();

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const effect = { ...JSON.parse(Buffer.concat(parts).toString()), at: Date.now() } as Effect;
    writeSync(file, `${JSON.stringify(effect)}\n`);
    fsyncSync(file);
    const answer = (value: unknown): void => {
      response.end(JSON.stringify({ value }));
    };
    if (effect.args.hold === true) held.set(`${effect.idempotencyKey}#${effect.attempt}`, answer);
    else answer(`${effect.method} ${effect.args.n}`);
    tell({ kind: "effect", effect });
  });
});

// An idle connection that is closed just when workerd sends its next line over it would look like a service that broke.
server.keepAliveTimeout = 0;
process.on("message", ({ effect, value }: ToWitness) => held.get(`${effect.idempotencyKey}#${effect.attempt}`)?.(value));
process.on("disconnect", () => process.exit());
server.listen(0, "127.0.0.1", () => tell({ kind: "ready", port: (server.address() as AddressInfo).port }));

function tell(message: FromWitness): void {
  process.send?.(message);
}
