/**
 * A connector whose every effect, revert and hook is written down by the witness, outside workerd, before it is answered.
 * What it returns is a function of method and number alone, so that a repeated run has the same result.
 */

import { CodemodeConnector, type ConnectorTool, type ConnectorTools, type PassEndStatus, type TerminalStatus, type ToolExecuteContext } from "../../js-shim/client/index.ts";
import type { Told } from "./witness.ts";

export interface WitnessEnv {
  WITNESS: string;
}

/** What a program passes: which of its calls this is, and what it had heard before. */
interface Args {
  n: number;
  heard: [n: number, value: unknown][];
}

export class ServiceConnector extends CodemodeConnector<WitnessEnv> {
  readonly #cell: string;

  constructor(ctx: DurableObjectState, env: WitnessEnv, cell: string) {
    super(ctx, env);
    this.#cell = cell;
  }

  name(): string {
    return "service";
  }

  protected tools(): ConnectorTools {
    const act = (method: string, policy: Omit<ConnectorTool, "execute"> = {}): ConnectorTool => ({
      ...policy,
      execute: (args, ctx) => this.#act(method, args as Args, ctx),
    });
    const undone = (method: string): Pick<ConnectorTool, "revert"> => ({
      revert: async (args, _, ctx) => {
        await this.#tell({ ...ctx, what: "revert", method, n: (args as Args).n });
      },
    });
    return {
      send: act("send"),
      move: act("move", undone("move")),
      put: act("put", { idempotent: true, ...undone("put") }),
      list: act("list", { readOnly: true }),
      load: act("load", { replay: "reexecute" }),
      gate: act("gate", { requiresApproval: true, ...undone("gate") }),
      // It says no before anything has happened.
      refuse: {
        execute: (args) => {
          throw new Error(`refused ${(args as Args).n}`);
        },
      },
    };
  }

  protected override async onPassEnd(executionId: string, status: PassEndStatus): Promise<void> {
    await this.#tell({ what: "pass_end", executionId, status });
  }

  protected override async disposeExecution(executionId: string, status: TerminalStatus): Promise<void> {
    await this.#tell({ what: "dispose", executionId, status });
  }

  async #act(method: string, { n, heard }: Args, ctx: ToolExecuteContext): Promise<string> {
    await this.#tell({ ...ctx, what: "call", method, n, heard });
    return `${method} ${n}`;
  }

  async #tell(line: Told): Promise<void> {
    const response = await fetch(this.env.WITNESS, { method: "POST", body: JSON.stringify({ ...line, cell: this.#cell }) });
    await response.body?.cancel();
  }
}
