/**
 * The Durable Object class. It waits and carries; what may happen is decided, and first written down, by the Rust core.
 * Every method takes and returns JSON text (`docs/design/wire.md`) and never throws: a rejected RPC would become an
 * unhandled rejection in somebody else's isolate.
 */

import { DurableObject } from "cloudflare:workers";

import { Bridge } from "./bridge.ts";
import { Core, CoreLost } from "./core.ts";
import { fitting } from "./fitting.ts";
import { Pass } from "./pass.ts";
import { Places } from "./places.ts";
import { loadSandbox } from "./sandbox.ts";
import type { HostFunction, Reply, WireOutput } from "./wire.ts";

export interface RuntimeEnv {
  /** Loads sandboxes. */
  LOADER?: WorkerLoader;
  /** This Worker's own class, for its HTTP door. */
  CODEMODE?: DurableObjectNamespace<CodemodeRuntime>;
  /** Secret of the HTTP door. */
  CODEMODE_TOKEN?: string;
}

type Next = { kind: "open"; executionId: string; nested?: boolean } | { kind: "reply"; frame: string };
type Rejected = { kind: "ended"; ended: boolean } | { kind: "open"; executionId: string };
type Opened = { pass: number; passMs: number; cpuMs: number };

/** How long outcomes may wait in memory for a commit to share, ms. */
const IDLE_FLUSH_MS = 5;
/** How often a pass looks whether the core is still the one that opened it, ms. */
const LOST_CHECK_MS = 500;
/** Longest result that is handed to the core to be recorded, UTF-16 units; a longer one is returned and leaves a notice. */
const MAX_RECORDED_RESULT = 1_000_000;
/** Longest final result, so that a reply fits the platform's 32 MiB. */
const MAX_RESULT = 30 * 1024 * 1024;

export class CodemodeRuntime extends DurableObject<RuntimeEnv> {
  readonly #core = new Core(this.ctx, this.env);
  readonly #places = new Places();
  #flushing = false;

  execute(request: string, host: HostFunction): Promise<string> {
    return this.#framed(async () => {
      const refused = this.#unusable() ?? (await this.#learn(request, host));
      if (refused !== undefined) return frame(refused);
      const next = parse<Next>(this.#core.use((core) => core.execute(request)));
      return this.#go(next, request, host);
    });
  }

  approve(request: string, host: HostFunction): Promise<string> {
    return this.#framed(async () => {
      const refused = this.#unusable() ?? (await this.#learn(request, host)) ?? (await this.#checkEdited(request, host));
      if (refused !== undefined) return frame(refused);
      return this.#go(parse<Next>(this.#core.use((core) => core.approve(request))), request, host);
    });
  }

  recover(request: string, host: HostFunction): Promise<string> {
    return this.#framed(async () => {
      const refused = this.#unusable() ?? (await this.#learn(request, host));
      if (refused !== undefined) return frame(refused);
      return this.#go(parse<Next>(this.#core.use((core) => core.recover(request))), request, host);
    });
  }

  reject(request: string, host: HostFunction): Promise<string> {
    return this.#framed(async () => {
      const refused = await this.#learn(request, host);
      if (refused !== undefined) return frame(refused);
      const rejected = parse<Reply<Rejected>>(this.#core.use((core) => core.reject(request)));
      if (!rejected.ok) return frame(rejected);
      const { value } = rejected;
      if (value.kind === "ended") return frame({ ok: true, value: { ended: value.ended } });
      const { head, tail } = unframe(await this.#run(value.executionId, request, host));
      const output = parse<Reply<WireOutput>>(head);
      return output.ok ? frame({ ok: true, value: { ended: true, output: output.value } }, tail) : frame(output);
    });
  }

  /**
   * Repeats what is recorded, without a word in the record: whether the program still does what it did. Answers
   * `{ end, error, logs }` and the result. A host is only asked for results that are not kept (`replay: "reexecute"`);
   * a run that has none needs none.
   */
  audit(executionId: string, request: string, host: HostFunction = nobody): Promise<string> {
    return this.#framed(async () => this.#pass(executionId, request, host, "audit"));
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

  async search(request: string, host: HostFunction): Promise<string> {
    return this.#plain(async () => {
      const refused = await this.#learn(request, host);
      return refused === undefined ? this.#core.use((core) => core.search(request)) : JSON.stringify(refused);
    });
  }

  async describe(request: string, host: HostFunction): Promise<string> {
    return this.#plain(async () => {
      const refused = await this.#learn(request, host);
      return refused === undefined ? this.#core.use((core) => core.describe(request)) : JSON.stringify(refused);
    });
  }

  async #go(next: Next, request: string, host: HostFunction): Promise<string> {
    if (next.kind === "reply") return next.frame;
    const places = this.#core.use((core) => core.places(request));
    // Its parent waits for it and holds a place: waiting for one here could be for ever.
    if (next.nested === true && this.#places.isFull(places)) {
      return this.#core.use((core) => core.noPlace(next.executionId));
    }
    return this.#run(next.executionId, request, host);
  }

  /** One pass. When the core is lost meanwhile, its outcome is unknown and not failed: the run goes on being `running`. */
  async #run(executionId: string, request: string, host: HostFunction): Promise<string> {
    try {
      return await this.#pass(executionId, request, host, "run");
    } catch (error) {
      if (error instanceof CoreLost) return frame(interrupted(executionId));
      throw error;
    }
  }

  /**
   * From a free place to an answer. Owns the sandbox: it is gone when this returns, on every path.
   * @throws {CoreLost}
   */
  async #pass(executionId: string, request: string, host: HostFunction, purpose: "run" | "audit"): Promise<string> {
    const loader = this.env.LOADER;
    if (loader === undefined) return frame(noLoader);
    const leave = await this.#places.take(this.#core.use((core) => core.places(request)));
    try {
      const opening = this.#core.use((core) =>
        purpose === "audit" ? core.openAudit(executionId, request) : core.open(executionId, request),
      );
      const opened = parse<Reply<Opened>>(opening);
      if (!opened.ok) return frame(opened);
      const pass = new Pass(opened.value.pass, this.#core, host, () => this.#flushSoon());
      const looking = setInterval(() => pass.look(), LOST_CHECK_MS);
      try {
        return await this.#drive(pass, opened.value, loader);
      } finally {
        clearInterval(looking);
      }
    } finally {
      leave();
    }
  }

  async #drive(pass: Pass, opened: Opened, loader: WorkerLoader): Promise<string> {
    const id = pass.id;
    const module = this.#core.use((core) => core.module(id));
    const manifest = this.#core.use((core) => core.manifest(id));
    const late = Promise.withResolvers<"late">();
    const timer = setTimeout(() => late.resolve("late"), opened.passMs);
    try {
      using sandbox = loadSandbox(loader, { module, cpuMs: opened.cpuMs });
      const ended = await Promise.race([ends(sandbox.run(new Bridge(pass), manifest)), pass.over, late.promise]);
      // Also when it ended otherwise: the successor may have given its number to a pass of its own.
      if (ended === "lost" || pass.isLost) throw new CoreLost("the runtime failed inside while this pass was under way");
      return this.#core.use((core) => {
        if (ended === "late") return core.closeLate(id);
        // The core ended the run itself, or a host broke: it knows which.
        if (ended === "closed") return core.interrupt(id);
        if ("broken" in ended) return core.closeBroken(id, ended.broken);
        const { head, tail } = unframe(ended.frame);
        if (tail.length > MAX_RESULT) return core.closeTooLong(id, head, tail.length);
        if (tail.length <= MAX_RECORDED_RESULT) return core.close(id, head, tail, tail.length);
        const reply = core.close(id, head, "", tail.length);
        const told = unframe(reply).head;
        return parse<Reply<WireOutput>>(told).ok ? fitting(told, tail) : reply;
      });
    } catch (error) {
      // Its successor does not know this pass, and may come to know another one of the same number.
      if (error instanceof CoreLost) throw error;
      console.error(error);
      return this.#core.use((core) => core.closeBroken(id, messageOf(error)));
    } finally {
      clearTimeout(timer);
      pass.leave();
    }
  }

  /** Asks the host for the method lists that are not known here. */
  async #learn(request: string, host: HostFunction): Promise<Reply<never> | undefined> {
    const wanted = parse<Reply<[connector: string, message: string][]>>(this.#core.use((core) => core.wanted(request)));
    if (!wanted.ok) return wanted;
    for (const [connector, message] of wanted.value) {
      let answer: string;
      try {
        answer = await host(message);
      } catch (error) {
        return { ok: false, code: "interrupted", error: `the host did not say what ${connector} offers: ${messageOf(error)}` };
      }
      const learned = parse<Reply<null>>(this.#core.use((core) => core.learn(request, connector, answer)));
      if (!learned.ok) return learned;
    }
    return undefined;
  }

  /** Arguments that a person edited are checked by their connector before the decision is recorded. */
  async #checkEdited(request: string, host: HostFunction): Promise<Reply<never> | undefined> {
    const message = parse<Reply<string | null>>(this.#core.use((core) => core.checkEdited(request)));
    if (!message.ok) return message;
    if (message.value === null) return undefined;
    const answer = await host(message.value);
    const verdict = parse<Reply<null>>(this.#core.use((core) => core.editedVerdict(answer)));
    return verdict.ok ? undefined : verdict;
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

  async #framed(act: () => Promise<string>): Promise<string> {
    try {
      return await act();
    } catch (error) {
      return frame(failure(error));
    }
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
  throw new Error("an audit without a host asks no one");
};

const noLoader: Reply<never> = {
  ok: false,
  code: "sandbox_unavailable",
  error:
    'there is no binding LOADER to load sandboxes with; add [[worker_loaders]] binding = "LOADER" to the wrangler.toml of the Worker that exports CodemodeRuntime',
};

function interrupted(executionId: string): Reply<WireOutput> {
  const error = `the runtime failed inside while execution ${executionId} was running; it is still running as far as is recorded: recover({ executionId }) goes on from the record`;
  return { ok: true, value: { status: "error", executionId, error, code: "interrupted", logs: [], calls: [] } };
}

function failure(error: unknown): Reply<never> {
  return { ok: false, code: error instanceof CoreLost ? "interrupted" : "internal", error: messageOf(error) };
}

type Ended = { frame: string } | { broken: string };

async function ends(run: Promise<string>): Promise<Ended> {
  try {
    const frame: unknown = await run;
    return typeof frame === "string" ? { frame } : { broken: "it ended with no text" };
  } catch (error) {
    return { broken: messageOf(error) };
  }
}

function frame(reply: Reply<unknown>, tail = ""): string {
  const head = JSON.stringify(reply);
  return `${head.length}\n${head}${tail}`;
}

/** `<length> \n <head> <tail>`; what is not of that form has an empty head, which no reader takes for one. */
function unframe(text: string): { head: string; tail: string } {
  const newline = text.indexOf("\n");
  const length = Number(text.slice(0, Math.max(newline, 0)));
  if (newline < 1 || !Number.isInteger(length) || length < 0) return { head: "", tail: "" };
  const start = newline + 1;
  return { head: text.slice(start, start + length), tail: text.slice(start + length) };
}

function parse<T>(json: string): T {
  return JSON.parse(json) as T;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
