/** Sends calls for real to a server on loopback, which checks that it got exactly what was compared. */

import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

import { type Compared, Capturing } from "./requests.ts";
import { partsOf, type Request as Made } from "./swagger.ts";

/** Every call of `compared` that did not arrive as it was made, and how. */
export async function sendSample(compared: readonly Compared[]): Promise<{ sent: number; wrong: string[] }> {
  const arrived: { request: IncomingMessage; bytes: Buffer<ArrayBuffer> }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      arrived.push({ request, bytes: Buffer.concat(chunks) });
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const wrong: string[] = [];
  try {
    for (const { record, args, ours } of compared) {
      const before = arrived.length;
      await new Capturing(origin).call(record, args);
      const got = arrived.slice(before);
      const [one] = got;
      const faults = one === undefined || got.length !== 1 ? [`${got.length} requests arrived`] : await faultsOf(one.request, one.bytes, ours);
      wrong.push(...faults.map((fault) => `${record.operation?.verb} ${record.operation?.path}: ${fault}`));
    }
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  return { sent: arrived.length, wrong };
}

async function faultsOf({ method, url, headers }: IncomingMessage, bytes: Buffer<ArrayBuffer>, ours: Made): Promise<string[]> {
  const faults: string[] = [];
  const same = (what: string, got: unknown, wanted: unknown): void => {
    const [left, right] = [JSON.stringify(got), JSON.stringify(wanted)];
    if (left !== right) faults.push(`${what} is ${left?.slice(0, 200)} and not ${right?.slice(0, 200)}`);
  };
  same("the verb", method, ours.method);
  same("the target", url, ours.url.replace(/^https?:\/\/[^/]+/, "").replace(/#.*$/, ""));
  for (const [name, value] of Object.entries(ours.headers)) if (name !== "content-type") same(`the header ${name}`, headers[name], value);
  const type = headers["content-type"] ?? "";
  if (ours.form === undefined) {
    same("the type", headers["content-type"], ours.headers["content-type"]);
    same("the body", bytes.toString("utf8"), ours.body ?? "");
  } else {
    same("the form", await partsOf(await new Response(bytes, { headers: { "content-type": type } }).formData()), ours.form);
  }
  return faults;
}
