/** The Agent from outside: one object per name, asked over HTTP, so that it can be killed in the middle of an answer. */

import type { CodemodeOutput, ExecutionState, PendingAction } from "../../js-shim/client/index.ts";
import type { WireOutput } from "../../js-shim/wire.ts";
import type { Ask } from "./agent.ts";

type Limits = Ask["limits"];

export class Door {
  readonly #url: () => URL;
  readonly #agent: string;
  /** Steps reach the witness. */
  readonly #egress: boolean;

  /** `url` is asked each time: a workerd that was started again may listen elsewhere. */
  constructor(url: () => URL, agent: string, egress = false) {
    this.#url = url;
    this.#agent = agent;
    this.#egress = egress;
  }

  execute(code: string, limits?: Limits): Promise<CodemodeOutput> {
    return this.#ask({ method: "execute", code, ...(limits && { limits }) });
  }
  /** The runtime, asked directly with a host that breaks. */
  break(code: string): Promise<WireOutput> {
    return this.#ask({ method: "break", code });
  }
  approve(executionId: string, limits?: Limits): Promise<CodemodeOutput> {
    return this.#ask({ method: "approve", executionId, ...(limits && { limits }) });
  }
  recover(executionId: string): Promise<CodemodeOutput> {
    return this.#ask({ method: "recover", executionId });
  }
  rerun(executionId: string, seq: number): Promise<CodemodeOutput> {
    return this.#ask({ method: "resolve", executionId, seq, outcome: "rerun" });
  }
  execution(executionId: string): Promise<ExecutionState> {
    return this.#ask({ method: "execution", executionId });
  }
  pending(): Promise<PendingAction[]> {
    return this.#ask({ method: "pending" });
  }
  executions(): Promise<ExecutionState[]> {
    return this.#ask({ method: "executions" });
  }
  /** `now` makes the core panic at once, the name of an entry of the core makes it panic in there, once. */
  provoke(entry: string): Promise<null> {
    return this.#ask({ method: "provoke", entry });
  }

  /** The only execution of this Agent. */
  async only(): Promise<ExecutionState> {
    const [execution, ...rest] = await this.executions();
    if (execution === undefined || rest.length > 0) throw new Error(`one execution was expected, not ${rest.length + (execution ? 1 : 0)}`);
    return execution;
  }

  async #ask<T>(ask: Ask): Promise<T> {
    const url = new URL(this.#url());
    url.searchParams.set("agent", this.#agent);
    const response = await fetch(url, { method: "POST", body: JSON.stringify({ ...ask, egress: this.#egress }) });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text) as T;
  }
}
