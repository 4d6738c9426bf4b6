/**
 * A runtime of its own for one test, with the host in the test itself: what a connector is given and what it gives can be
 * any value, and is compared as it is.
 *
 *   const lab = newLab({ bytes: { execute: () => new Uint8Array(3) } });
 *   await lab.run(`async () => lab.bytes()`);
 */

import { env } from "cloudflare:workers";

import {
  CodemodeConnector,
  type CodemodeOutput,
  type CodemodeRuntimeHandle,
  type ConnectorTools,
  createCodemodeRuntime,
  type ExecutionLogEntry,
  type Limits,
} from "../../js-shim/client/index.ts";

/** As much of the wire as tests speak. Without the types of RPC. */
export interface RuntimeStub {
  execute(request: string, host: (message: string) => Promise<string>): Promise<string>;
  executions(request: string): Promise<string>;
}

type Ran = { method: string; args: unknown };

class LabConnector extends CodemodeConnector<undefined> {
  readonly #tools: ConnectorTools;

  constructor(tools: ConnectorTools, ran: Ran[]) {
    super({ waitUntil: () => {}, props: {} }, undefined);
    const counted = Object.entries(tools).map(([method, tool]) => {
      const execute: typeof tool.execute = (args, ctx) => {
        ran.push({ method, args });
        return tool.execute(args, ctx);
      };
      return [method, { ...tool, execute }] as const;
    });
    this.#tools = Object.fromEntries(counted);
  }

  name(): string {
    return "lab";
  }

  protected tools(): ConnectorTools {
    return this.#tools;
  }
}

export class Lab {
  readonly runtime: CodemodeRuntimeHandle;
  readonly #id = crypto.randomUUID();
  /** Every call that reached the host, in order. */
  readonly ran: Ran[] = [];

  constructor(tools: ConnectorTools, limits: Partial<Limits> | undefined) {
    const common: ConnectorTools = {
      echo: { execute: (args) => args },
      gate: { requiresApproval: true, execute: (args) => args },
    };
    this.runtime = createCodemodeRuntime({
      ctx: {},
      id: this.#id,
      binding: env.CODEMODE,
      connectors: [new LabConnector({ ...common, ...tools }, this.ran)],
      limits,
    });
  }

  /** The runtime's object itself, for what is said on the wire. */
  get stub(): RuntimeStub {
    return env.CODEMODE.getByName(`${this.#id}/default`) as unknown as RuntimeStub;
  }

  run(code: string): Promise<CodemodeOutput> {
    return this.runtime.execute({ code });
  }

  /** Runs a program that has to complete. */
  async result(code: string): Promise<unknown> {
    return completed(await this.run(code)).result;
  }

  entry(output: CodemodeOutput, seq: number): Promise<ExecutionLogEntry> {
    return this.runtime.execution(output.executionId, { seq });
  }

  /** How often a method really ran. */
  count(method: string): number {
    return this.ran.filter((one) => one.method === method).length;
  }
}

export function newLab(tools: ConnectorTools = {}, limits?: Partial<Limits>): Lab {
  return new Lab(tools, limits);
}

type Of<Status extends CodemodeOutput["status"]> = Extract<CodemodeOutput, { status: Status }>;

export const completed = (output: CodemodeOutput): Of<"completed"> => as(output, "completed");
export const paused = (output: CodemodeOutput): Of<"paused"> => as(output, "paused");
export const failed = (output: CodemodeOutput): Of<"error"> => as(output, "error");

function as<Status extends CodemodeOutput["status"]>(output: CodemodeOutput, status: Status): Of<Status> {
  if (output.status === status) return output as Of<Status>;
  const why = output.status === "error" ? `${output.code}: ${output.error.slice(0, 2000)}` : "";
  throw new Error(`${output.status} instead of ${status}: ${why}`);
}

/** The table of values for a program: `[[name, make, check], …]`. Names are given by the test, the texts are the table's. */
export function pasted(table: readonly { name: string; make: () => unknown; check?: (value: never) => boolean }[]): string {
  const rows = table.map(({ name, make, check }) => `[${JSON.stringify(name)}, ${make}, ${check ?? "() => true"}]`);
  return `[${rows.join(",\n")}]`;
}
