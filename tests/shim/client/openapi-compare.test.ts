/** The comparison with swagger-client: it finds nothing between two right requests, explains what is known, and notices the rest. */

import { expect, test } from "vitest";

import { compareRequests } from "../../corpus/requests.ts";
import { sendSample } from "../../corpus/sample.ts";
import type { MethodRecord } from "../../../js-shim/wire.ts";

const string = { type: "string" };
const parameter = (name: string, place: string, more: object = {}) => ({ name, in: place, required: place === "path", schema: string, ...more });
const list = { type: "array", items: string, minItems: 2 };
const body = { type: "object", required: ["title"], properties: { title: string, count: { type: "integer", minimum: 1 } } };
const form = { type: "object", required: ["title"], properties: { title: { type: "string", enum: ["a b"] } } };
const DOCUMENT = {
  openapi: "3.1.0",
  servers: [{ url: "https://api.example.com/v1" }],
  paths: {
    "/repos/{owner}/issues": {
      parameters: [parameter("owner", "path")],
      get: { parameters: [parameter("labels", "query", { schema: list, explode: false, required: true }), parameter("X-Trace", "header", { required: true })], responses: {} },
      post: { requestBody: { required: true, content: { "application/json": { schema: body } } }, responses: {} },
    },
    "/forms": { put: { requestBody: { required: true, content: { "application/x-www-form-urlencoded": { schema: form } } }, responses: {} } },
    "/pipes": { get: { parameters: [parameter("p", "query", { schema: list, style: "pipeDelimited", explode: false, required: true })], responses: {} } },
  },
};

const inputSchema = (properties: object) => ({ type: "object", properties, required: Object.keys(properties), additionalProperties: false });
const server = "https://api.example.com/v1";
const RECORDS: MethodRecord[] = [
  {
    name: "list", requiresApproval: false, inputSchema: inputSchema({ owner: string, labels: list, trace: string }),
    operation: { verb: "GET", path: "/repos/{owner}/issues", server, parameters: [{ key: "owner", in: "path", required: true }, { key: "labels", in: "query", explode: false, required: true }, { key: "trace", name: "X-Trace", in: "header", required: true }] },
  },
  { name: "create", requiresApproval: false, inputSchema: inputSchema({ owner: string, body }), operation: { verb: "POST", path: "/repos/{owner}/issues", server, parameters: [{ key: "owner", in: "path", required: true }], body: { type: "application/json", required: true } } },
];
const FORM: MethodRecord = { name: "form", requiresApproval: false, inputSchema: inputSchema({ body: form }), operation: { verb: "PUT", path: "/forms", server, body: { type: "application/x-www-form-urlencoded", required: true } } };
const PIPES: MethodRecord = { name: "pipes", requiresApproval: false, inputSchema: inputSchema({ p: list }), operation: { verb: "GET", path: "/pipes", server, parameters: [{ key: "p", in: "query", style: "pipeDelimited", required: true }] } };

test("two right requests do not differ, and the same seed makes the same arguments", async () => {
  const [first, again, other] = [await compareRequests(DOCUMENT, RECORDS, 7), await compareRequests(DOCUMENT, RECORDS, 7), await compareRequests(DOCUMENT, RECORDS, 8)];
  expect(first.left).toEqual([]);
  expect(first.compared.flatMap(({ differences }) => differences)).toEqual([]);
  expect(first.compared.map(({ args }) => args)).toEqual(again.compared.map(({ args }) => args));
  expect(first.compared.map(({ args }) => args)).not.toEqual(other.compared.map(({ args }) => args));
  expect(first.compared[1]?.ours.body).toContain('"title"');
});

test("what is known is explained by its class", async () => {
  const { compared, classes } = await compareRequests(DOCUMENT, [FORM, PIPES], 1);
  expect(compared.map(({ differences }) => differences.map(({ what, because }) => [what, because]))).toEqual([[["field title", "form-space"]], [["query p", "escapes"]]]);
  expect([...classes]).toEqual([["form-space", 1], ["escapes", 1]]);
});

const wrongly = (change: (record: MethodRecord) => void, of = RECORDS[0]): MethodRecord => {
  const record = structuredClone(of) as MethodRecord;
  change(record);
  return record;
};
const parameterOf = ({ operation }: MethodRecord, at: number) => operation?.parameters?.[at] ?? { key: "", in: "query" as const };

test.each([
  ["a style", false, wrongly((record) => void (parameterOf(record, 1).explode = true))],
  ["a name", true, wrongly((record) => void (parameterOf(record, 1).name = "label"))],
  ["a place", true, wrongly((record) => void (parameterOf(record, 2).in = "query"))],
  ["a server", false, wrongly(({ operation }) => void (operation && (operation.server = "https://api.example.com/v2")))],
  ["a body's type", false, wrongly(({ operation }) => void (operation && (operation.body = { type: "text/plain" })), { ...FORM, inputSchema: inputSchema({ body: string }) })],
])("a record that has %s wrong is found out", async (_what, refused, record) => {
  const { compared, left } = await compareRequests(DOCUMENT, [record], 1);
  // Without a value that its document requires the other side refuses the call.
  const found = [...compared.flatMap(({ differences }) => differences.map(({ because }) => because)), ...left.map(({ kind }) => kind)];
  expect(found).toContain(refused ? "refused there" : "unexplained");
});

test("a sample arrives as it was made, and one that does not is told", async () => {
  const { compared } = await compareRequests(DOCUMENT, [...RECORDS, FORM], 3);
  expect(await sendSample(compared)).toEqual({ sent: 3, wrong: [] });
  const [one] = structuredClone(compared);
  if (one === undefined) throw new Error("nothing was compared");
  one.ours.url += "x";
  one.ours.headers["x-trace"] += "y";
  expect((await sendSample([one])).wrong).toHaveLength(2);
});
