/**
 * The Durable Object class. It waits and carries; what may happen is decided, and first written down, by the Rust core.
 * Every method takes and returns JSON text (`docs/design/wire.md`) and never throws: a rejected RPC would become an
 * unhandled rejection in somebody else's isolate.
 */

import { DurableObject } from "cloudflare:workers";

import type { RuntimeCore } from "../gen/index.js";

import { expireAll, pruneAll } from "./batches.ts";
import { Core } from "./core.ts";
import { Events } from "./events.ts";
import { Expiry } from "./expiry.ts";
import { failure, frame, parse, unframe } from "./frame.ts";
import { learn } from "./learning.ts";
import { Owed, tell } from "./owed.ts";
import { Passes } from "./passes.ts";
import { checkEdited } from "./questions.ts";
import { Rollbacks } from "./rollback.ts";
import type { HostFunction, Reply, WireOutput } from "./wire.ts";

export interface RuntimeEnv {
  /** Loads sandboxes. */
  LOADER?: WorkerLoader;
  /** This Worker's own class, for its HTTP door. */
  CODEMODE?: DurableObjectNamespace<CodemodeRuntime>;
  /** Secret of the HTTP door. */
  CODEMODE_TOKEN?: string;
}

type Opening = { executionId: string; places: number };
type Next = ({ kind: "open"; nested?: boolean } & Opening) | { kind: "reply"; frame: string };
type Rejected = { kind: "ended"; ended: boolean } | ({ kind: "open" } & Opening);
type Cancelled = { cancelled: boolean; messages: string[] };

/** How long outcomes may wait in memory for a commit to share, ms. */
const IDLE_FLUSH_MS = 5;
/** How long connectors may take to hear that a run was cancelled, ms. */
const CANCEL_PATIENCE_MS = 5_000;

export class CodemodeRuntime extends DurableObject<RuntimeEnv> {
  readonly #core = new Core(this.ctx, this.env);
  readonly #passes = new Passes(this.#core, () => this.#flushSoon());
  readonly #rollbacks = new Rollbacks(this.#core);
  readonly #owed = new Owed(this.#core);
  readonly #expiry = new Expiry(this.#core, this.ctx, this.env.CODEMODE);
  readonly #events = new Events(this.#core);
  #flushing = false;

  execute(request: string, host: HostFunction): Promise<string> {
    return this.#decide(request, host, (core) => core.execute(request));
  }

  approve(request: string, host: HostFunction): Promise<string> {
    return this.#decide(request, host, (core) => core.approve(request), () => checkEdited(this.#core, request, host));
  }

  recover(request: string, host: HostFunction): Promise<string> {
    return this.#decide(request, host, (core) => core.recover(request));
  }

  resolve(request: string, host: HostFunction): Promise<string> {
    return this.#decide(request, host, (core) => core.resolve(request));
  }

  reject(request: string, host: HostFunction): Promise<string> {
    return this.#contact(host, frame, async () => {
      const refused = await learn(this.#core, request, host);
      if (refused !== undefined) return frame(refused);
      const rejected = parse<Reply<Rejected>>(this.#core.use((core) => core.reject(request)));
      if (!rejected.ok) return frame(rejected);
      const { value } = rejected;
      if (value.kind === "ended") return frame({ ok: true, value: { ended: value.ended } });
      const { head, tail } = unframe(await this.#run(value, request, host));
      const output = parse<Reply<WireOutput>>(head);
      return output.ok ? frame({ ok: true, value: { ended: true, output: output.value } }, tail) : frame(output);
    });
  }

  cancel(request: string, host: HostFunction = nobody): Promise<string> {
    return this.#contact(host, JSON.stringify, async () => {
      const reply = parse<Reply<Cancelled>>(this.#core.use((core) => core.cancel(request)));
      if (!reply.ok) return JSON.stringify(reply);
      const { cancelled, messages } = reply.value;
      if (cancelled) await this.#passes.end(executionOf(request));
      const deadline = Date.now() + CANCEL_PATIENCE_MS;
      await Promise.all(messages.map((message) => tell(host, message, deadline)));
      return JSON.stringify({ ok: true, value: { cancelled } });
    });
  }

  rollback(request: string, host: HostFunction): Promise<string> {
    return this.#contact(host, JSON.stringify, async () => {
      const refused = await learn(this.#core, request, host);
      return refused === undefined ? this.#rollbacks.run(executionOf(request), request, host) : JSON.stringify(refused);
    });
  }

  /**
   * Repeats what is recorded, without a word in the record: whether the program still does what it did. Answers
   * `{ end, error, logs }` and the result. A host is only asked for results that are not kept (`replay: "reexecute"`);
   * a run that has none needs none.
   */
  async audit(executionId: string, request: string, host: HostFunction = nobody): Promise<string> {
    const loader = this.env.LOADER;
    if (loader === undefined) return frame(noLoader);
    try {
      return await this.#passes.audit(executionId, request, host, loader);
    } catch (error) {
      return frame(failure(error));
    }
  }

  async pending(request: string): Promise<string> {
    return this.#plain(() => this.#core.use((core) => core.pending(request)));
  }

  async executions(request: string): Promise<string> {
    return this.#plain(() => this.#core.use((core) => core.executions(request)));
  }

  async execution(request: string): Promise<string> {
    return this.#plain(() => this.#core.use((core) => core.execution(request)));
  }

  async events(request: string): Promise<string> {
    return this.#plain(() => this.#events.read(request));
  }

  async expirePaused(request: string): Promise<string> {
    return this.#plain(() => expireAll(() => this.#core.use((core) => core.expirePaused(request))));
  }

  async deleteExecution(request: string): Promise<string> {
    return this.#plain(async () => {
      // Ended before it is gone, so that whoever waits for it hears of it.
      const cancelled = parse<Reply<Cancelled>>(this.#core.use((core) => core.cancel(request)));
      if (cancelled.ok && cancelled.value.cancelled) await this.#passes.end(executionOf(request));
      return this.#core.use((core) => core.deleteExecution(request));
    });
  }

  async pruneExecutions(request: string): Promise<string> {
    return this.#plain(() => pruneAll(() => this.#core.use((core) => core.pruneExecutions(request))));
  }

  saveSnippet(request: string, host: HostFunction): Promise<string> {
    return this.#informed(request, host, (core) => core.saveSnippet(request));
  }

  async snippets(): Promise<string> {
    return this.#plain(() => this.#core.use((core) => core.snippets()));
  }

  async deleteSnippet(request: string): Promise<string> {
    return this.#plain(() => this.#core.use((core) => core.deleteSnippet(request)));
  }

  search(request: string, host: HostFunction): Promise<string> {
    return this.#informed(request, host, (core) => core.search(request));
  }

  describe(request: string, host: HostFunction): Promise<string> {
    return this.#informed(request, host, (core) => core.describe(request));
  }

  /** Only a bound runtime ever sets one. */
  override async alarm(): Promise<void> {
    this.#expiry.woke();
    await this.#plain(() => expireAll(() => this.#core.use((core) => core.expirePaused("{}"))));
    await this.#expiry.schedule();
  }

  /** What may start a pass, once nothing stands against it. */
  #decide(
    request: string,
    host: HostFunction,
    act: (core: RuntimeCore) => string,
    check: () => Promise<Reply<never> | undefined> = async () => undefined,
  ): Promise<string> {
    return this.#contact(host, frame, async () => {
      const refused = this.#unusable() ?? (await learn(this.#core, request, host)) ?? (await check());
      if (refused !== undefined) return frame(refused);
      const next = parse<Next>(this.#core.use(act));
      // In one turn with what was decided: nobody may come back to it.
      void this.#expiry.schedule();
      return this.#go(next, request, host);
    });
  }

  async #go(next: Next, request: string, host: HostFunction): Promise<string> {
    if (next.kind === "reply") return next.frame;
    // Its parent waits for it and holds a place: waiting for one here could be for ever.
    if (next.nested === true && this.#passes.isFull(next.places)) {
      return this.#core.use((core) => core.noPlace(next.executionId));
    }
    return this.#run(next, request, host);
  }

  async #run(opening: Opening, request: string, host: HostFunction): Promise<string> {
    const loader = this.env.LOADER;
    return loader === undefined ? frame(noLoader) : this.#passes.run(opening, request, host, loader);
  }

  #unusable(): Reply<never> | undefined {
    return this.env.LOADER === undefined ? noLoader : undefined;
  }

  /** What waits in memory for the next commit gets one of its own after a short while. */
  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    setTimeout(() => {
      this.#flushing = false;
      try {
        this.#core.use((core) => core.flush());
      } catch (error) {
        console.error(error);
      }
    }, IDLE_FLUSH_MS);
  }

  /** What a host may ask: what is overdue ends first, then comes the work, then connectors hear what they are owed. */
  async #contact(host: HostFunction, say: (reply: Reply<never>) => string, act: () => Promise<string>): Promise<string> {
    let answer: string;
    try {
      await this.#expiry.prepare();
      this.#expiry.expire();
      answer = await act();
    } catch (error) {
      answer = say(failure(error));
    }
    if (host !== nobody) await this.#owed.pay(host);
    await this.#expiry.schedule();
    return answer;
  }

  /** What needs to know what the connectors offer, and changes no run. */
  #informed(request: string, host: HostFunction, act: (core: RuntimeCore) => string): Promise<string> {
    return this.#plain(async () => {
      const refused = await learn(this.#core, request, host);
      return refused === undefined ? this.#core.use(act) : JSON.stringify(refused);
    });
  }

  async #plain(act: () => string | Promise<string>): Promise<string> {
    try {
      return await act();
    } catch (error) {
      return JSON.stringify(failure(error));
    }
  }
}

const nobody: HostFunction = async () => {
  throw new Error("there is no host to ask");
};

const noLoader: Reply<never> = {
  ok: false,
  code: "sandbox_unavailable",
  error:
    'there is no binding LOADER to load sandboxes with; add [[worker_loaders]] binding = "LOADER" to the wrangler.toml of the Worker that exports CodemodeRuntime',
};

/** What the core does not read as a request has no execution either. */
function executionOf(request: string): string {
  const { executionId } = parse<{ executionId?: unknown }>(request);
  return typeof executionId === "string" ? executionId : "";
}
