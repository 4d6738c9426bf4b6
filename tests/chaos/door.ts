/** A cell's Agent from outside, asked over HTTP, so that it can be killed in the middle of an answer. */

import type { CodemodeOutput, ExecutionState, RollbackReport } from "../../js-shim/client/index.ts";
import type { Ask } from "./agent.ts";

/** An answer takes some tens of milliseconds; what takes so long is stuck. */
const PATIENCE_MS = 40_000;

type AnswerOf<Method extends Ask["method"]> = Method extends "execute" | "approve" | "recover" | "resolve"
  ? CodemodeOutput
  : Method extends "rollback"
    ? RollbackReport
    : Method extends "executions"
      ? ExecutionState[]
      : Method extends "tally"
        ? Record<string, number>
        : Method extends "journal" | "owed" | "expire"
          ? string[]
          : Method extends "alarm"
            ? number | null
            : unknown;

export class Door {
  readonly #url: () => URL;
  readonly cell: string;

  /** `url` is asked each time: a workerd that was started again may listen elsewhere. */
  constructor(url: () => URL, cell: string) {
    this.#url = url;
    this.cell = cell;
  }

  /** Rejects when the Agent threw, did not answer, or was killed. */
  async ask<const A extends Ask>(ask: A): Promise<AnswerOf<A["method"]>> {
    const url = new URL(this.#url());
    url.searchParams.set("cell", this.cell);
    const response = await fetch(url, { method: "POST", body: JSON.stringify(ask), signal: AbortSignal.timeout(PATIENCE_MS) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${ask.method}: ${text}`);
    return JSON.parse(text) as AnswerOf<A["method"]>;
  }
}
