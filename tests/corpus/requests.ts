/**
 * What is sent for an operation, beside what `swagger-client` sends for it: made-up arguments, both requests, and each difference
 * with the class that explains it. A difference without a class is a defect on one side that nobody has looked at.
 */

import { type ConnectorContext, OpenApiConnector } from "../../js-shim/client/index.ts";
import type { MethodRecord } from "../../js-shim/wire.ts";
import { argumentsFor } from "./arguments.ts";
import { type ClassName, type Difference, differencesOf } from "./differences.ts";
import { ORIGIN, partsOf, type Request as Made, theirs } from "./swagger.ts";

/** One operation that was compared. */
export type Compared = { record: MethodRecord; args: Record<string, unknown>; ours: Made; theirs: Made; differences: Difference[] };
export type Report = {
  compared: Compared[];
  /** Operations that were not compared. One that is refused there alone has a record that does not fit its document. */
  left: { operation: string; kind: Left; why: string }[];
  /** How many operations have a difference of this class. */
  classes: Map<ClassName | "unexplained", number>;
};

/** `hidden header`: swagger-client wants a required header that is no parameter of ours, because the application or the body says it. */
export type Left = "no arguments" | "refused here" | "hidden header" | "refused there";

const context: ConnectorContext = { waitUntil: () => {}, props: undefined };
const HIDDEN = /^Required parameter (?:authorization|accept|content-type) is not provided$/i;
const CALL = { executionId: "corpus", seq: 0, idempotencyKey: "corpus/0", attempt: 1 };

/** Sends nowhere; keeps what would go out. Or sends it to a server of ours, with the path it would have had. */
export class Capturing extends OpenApiConnector {
  sent: Request | undefined;
  readonly #origin: string | undefined;

  constructor(origin?: string) {
    super(context, undefined);
    this.#origin = origin;
  }
  name(): string {
    return "corpus";
  }
  protected spec(): object {
    return {};
  }
  protected override baseUrl(server: string | undefined): string {
    const url = new URL(server ?? "/", `${ORIGIN}/`);
    return this.#origin === undefined ? url.href : `${this.#origin}${url.pathname}`;
  }
  protected override send(request: Request): Promise<Response> {
    this.sent = request.clone();
    return this.#origin === undefined ? Promise.resolve(new Response(null, { status: 204 })) : fetch(request);
  }
  async call(record: MethodRecord, args: unknown): Promise<Request> {
    await this.toolFor(record).execute(args, CALL);
    if (this.sent === undefined) throw new Error("nothing was sent");
    return this.sent;
  }
}

/** Compares every operation of these records, which come from this document. */
export async function compareRequests(document: Record<string, unknown>, records: readonly MethodRecord[], seed = 1): Promise<Report> {
  const report: Report = { compared: [], left: [], classes: new Map() };
  for (const [index, record] of records.entries()) {
    const { operation } = record;
    if (operation === undefined || operation.raw === true) continue;
    const name = `${operation.verb} ${operation.path}`;
    const made = argumentsFor(record, seed + index);
    if ("reason" in made) {
      report.left.push({ operation: name, kind: "no arguments", why: made.reason });
      continue;
    }
    const leave = (kind: Left) => (thrown: unknown) => {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      report.left.push({ operation: name, kind: kind === "refused there" && HIDDEN.test(why) ? "hidden header" : kind, why });
    };
    const ours = await new Capturing().call(record, made.args).then(asMade).catch(leave("refused here"));
    const other = await theirs(document, record, made.args).catch(leave("refused there"));
    if (ours === undefined || other === undefined) continue;
    const differences = differencesOf({ ours, theirs: other, operation, args: made.args });
    report.compared.push({ record, args: made.args, ours, theirs: other, differences });
    for (const name of new Set(differences.map((difference) => difference.because))) report.classes.set(name, (report.classes.get(name) ?? 0) + 1);
  }
  return report;
}

async function asMade(request: Request): Promise<Made> {
  const headers = Object.fromEntries(request.headers);
  const type = headers["content-type"] ?? "";
  if (type.startsWith("multipart/form-data")) return { method: request.method, url: request.url, headers, body: undefined, form: await partsOf(await request.formData()) };
  return { method: request.method, url: request.url, headers, body: request.body === null ? undefined : await request.text(), form: undefined };
}
