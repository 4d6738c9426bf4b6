/**
 * The services, played on loopback: documents, and answers as large as the real ones, made of the documents' own examples.
 * Everything is the same each time, and every change that is asked for is kept, to be compared.
 */

import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { json as readJson } from "node:stream/consumers";

import { exampleOf, fileOf } from "./documents.ts";
import type { Service } from "./hosts/agent.ts";

export type Change = { path: string; body: unknown };

export interface Played extends AsyncDisposable {
  readonly url: string;
  /** What was changed since they were last taken, in no order. */
  takeChanges(): Change[];
}

type Fields = Record<string, unknown>;

const REPOSITORY = "/github/repos/octo/shop";
const HEAD = "6dcb09b5b57875f334f61aebed695e2e4193db5e";
const CHECKS = ["build", "unit tests", "lint", "browser tests", "licences", "deploy preview"];
const FILES = ["src/checkout/cart.ts", "src/checkout/tax.ts", "src/payments/stripe.ts", "src/payments/refund.ts", "src/api/orders.ts", "src/api/health.ts", "src/db/migrations/0042.sql", "tests/cart.test.ts", "tests/tax.test.ts", "docs/checkout.md"];
const TITLES = ["Checkout crashes when the cart is empty", "Please add export of orders as CSV", "How do I change the currency?", "Total is wrong after a refund", "Support dark mode in the dashboard", "Where can I see the API limits?"];

/** The caller disposes of it. */
export async function playServices(): Promise<Played> {
  let changes: Change[] = [];
  const server = createServer((request, response) => {
    answer(request, response, (change) => changes.push(change)).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeChanges() {
      const taken = changes;
      changes = [];
      return taken;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, changed: (change: Change) => void): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
  const [, folder, service] = pathname.split("/");
  if (folder === "documents") {
    createReadStream(fileOf(service as Service, searchParams.has("dereferenced"))).pipe(response);
    return;
  }
  const body = request.method === "POST" ? await readJson(request) : undefined;
  if (body !== undefined) changed({ path: pathname, body });
  const found = valueOf(`${request.method} ${pathname}`, searchParams, body as Fields | undefined);
  response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify(found ?? { message: `nothing at ${pathname}` }));
}

function valueOf(asked: string, query: URLSearchParams, body: Fields | undefined): unknown {
  if (asked === `GET ${REPOSITORY}/pulls/42`) return pullRequest();
  if (asked === `GET ${REPOSITORY}/pulls/42/files`) return files();
  if (asked === `GET ${REPOSITORY}/pulls/42/reviews`) return copies("github", "pulls/list-reviews", ["APPROVED", "COMMENTED"], (state) => ({ state }));
  if (asked === `POST ${REPOSITORY}/pulls/42/reviews`) return { ...fields("github", "pulls/create-review"), body: body?.["body"], state: "CHANGES_REQUESTED" };
  if (asked === `GET ${REPOSITORY}/commits/${HEAD}/check-runs` || asked === `GET ${REPOSITORY}/commits/main/check-runs`) return checkRuns();
  if (asked === `GET ${REPOSITORY}/issues`) return issues();
  if (asked.startsWith(`POST ${REPOSITORY}/issues/`)) {
    return copies("github", "issues/add-labels", body?.["labels"] as string[], (name) => ({ name }));
  }
  if (asked === "GET /github/search/issues") return foundIssues();
  if (asked === "GET /stripe/v1/customers") return list("/v1/customers", [{ ...item("GetCustomers"), id: "cus_9s6XKzkNRiz8i3", email: query.get("email"), name: "Ada Moreau" }]);
  if (asked === "GET /stripe/v1/invoices") {
    return list("/v1/invoices", [1, 2, 3].map((n) => ({ ...item("GetInvoices"), id: `in_1MtHbEL${n}`, customer: query.get("customer"), amount_due: n * 1_250, status: "open" })));
  }
  if (asked === "GET /slack/users.lookupByEmail") return slackUser();
  if (asked === "GET /slack/search.messages") return messages();
  return undefined;
}

function fields(service: Service, operationId: string): Fields {
  return exampleOf(service, operationId) as Fields;
}

/** The document's first item, once for each value, with what is different about it. */
function copies<T>(service: Service, operationId: string, values: readonly T[], differing: (value: T, index: number) => Fields): Fields[] {
  const [first] = exampleOf(service, operationId) as Fields[];
  return values.map((value, index) => ({ ...structuredClone(first), ...differing(value, index) }));
}

function pullRequest(): Fields {
  const example = fields("github", "pulls/get");
  return { ...example, number: 42, title: "Charge tax at the checkout", head: { ...(example["head"] as Fields), sha: HEAD } };
}

function files(): Fields[] {
  return copies("github", "pulls/list-files", FILES, (filename, index) => ({ filename, status: "modified", patch: patch(filename, index), additions: 9 + index, deletions: 3 }));
}

function patch(filename: string, index: number): string {
  const added = Array.from({ length: 9 + index }, (_, line) => `+  const value${line} = await load("${filename}", { line: ${line}, retries: 3 });`);
  if (filename === "src/payments/stripe.ts") added.push('+  const key = "sk_live_from_the_dashboard";');
  return [`@@ -${index * 10 + 1},7 +${index * 10 + 1},16 @@ export async function handle(request) {`, "   const order = await orders.find(request.id);", "-  return order.total;", ...added, "   return total(order);"].join("\n");
}

function checkRuns(): Fields {
  const { check_runs } = fields("github", "checks/list-for-ref") as { check_runs: Fields[] };
  const runs = CHECKS.map((name, id) => ({ ...check_runs[0], id, name, status: "completed", conclusion: name === "browser tests" ? "failure" : "success" }));
  return { total_count: runs.length, check_runs: runs };
}

function issues(): Fields[] {
  const titles = Array.from({ length: 100 }, (_, index) => `${TITLES[(index * 7) % TITLES.length]} (${index})`);
  return copies("github", "issues/list-for-repo", titles, (title, index) => ({ number: index + 1, title, labels: [] }));
}

function foundIssues(): Fields {
  const { items } = fields("github", "search/issues-and-pull-requests") as { items: Fields[] };
  const found = [7, 19, 23].map((number) => ({ ...items[0], number, title: `${TITLES[number % TITLES.length]} (${number})`, state: "open" }));
  return { total_count: found.length, incomplete_results: false, items: found };
}

function item(operationId: string): Fields {
  const { data } = fields("stripe", operationId) as { data: Fields[] };
  return data[0] ?? {};
}

function list(url: string, data: Fields[]): Fields {
  return { object: "list", url, has_more: false, data };
}

function slackUser(): Fields {
  const example = fields("slack", "users_lookupByEmail");
  return { ...example, user: { ...(example["user"] as Fields), id: "W012A3CDE", name: "ada" } };
}

function messages(): Fields {
  const example = fields("slack", "search_messages") as { messages: { matches: Fields[] } };
  const matches = Array.from({ length: 20 }, (_, index) => ({ ...example.messages.matches[0], ts: `1508284197.0000${index + 10}`, text: `${TITLES[index % TITLES.length]}, says a customer` }));
  return { ...example, messages: { ...example.messages, matches, total: matches.length } };
}
