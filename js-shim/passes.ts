/**
 * The passes of one object: each waits for a place, gets a sandbox, is driven to its end, and can be ended from outside
 * meanwhile. It waits and carries; the core has decided whatever it says.
 */

import { Bridge } from "./bridge.ts";
import type { Core } from "./core.ts";
import { CoreLost } from "./core.ts";
import { fitting } from "./fitting.ts";
import { frame, messageOf, parse, unframe } from "./frame.ts";
import { Pass } from "./pass.ts";
import { Places } from "./places.ts";
import { loadSandbox } from "./sandbox.ts";
import type { HostFunction, Reply, WireOutput } from "./wire.ts";

type Opened = { pass: number; passMs: number; cpuMs: number };
/** A run that somebody here waits for. */
type Waited = { end: () => void; gone: Promise<void> };

/** How often a pass looks whether the core is still the one that opened it, ms. */
const LOST_CHECK_MS = 500;
/** Longest result that is handed to the core to be recorded, UTF-16 units; a longer one is returned and leaves a notice. */
const MAX_RECORDED_RESULT = 1_000_000;
/** Longest final result, so that a reply fits the platform's 32 MiB. */
const MAX_RESULT = 30 * 1024 * 1024;

/** The pass has ended, and the next one goes on: it has a snippet that this one lacked. */
const AGAIN = "";

export class Passes {
  readonly #core: Core;
  readonly #afterWork: () => void;
  readonly #places = new Places();
  readonly #waited = new Map<string, Waited>();

  /** `afterWork` is called whenever the core may have something unwritten. */
  constructor(core: Core, afterWork: () => void) {
    this.#core = core;
    this.#afterWork = afterWork;
  }

  /** Whether a pass that came now would have to wait. */
  isFull(places: number): boolean {
    return this.#places.isFull(places);
  }

  /**
   * Ends what waits here for this run, which the core has ended already, and resolves when its sandbox is gone. Calls in
   * flight are not waited for: what they answer is recorded when it comes.
   */
  async end(executionId: string): Promise<void> {
    const waited = this.#waited.get(executionId);
    waited?.end();
    await waited?.gone;
  }

  /** One pass. When the core is lost meanwhile, its outcome is unknown and not failed: the run goes on being `running`. */
  async run({ executionId, places }: { executionId: string; places: number }, request: string, host: HostFunction, loader: WorkerLoader): Promise<string> {
    const ended = new AbortController();
    const gone = Promise.withResolvers<void>();
    const waited = { end: () => ended.abort(), gone: gone.promise };
    // A second pass of the same run is refused by the core, and must not hide the first one here.
    if (!this.#waited.has(executionId)) this.#waited.set(executionId, waited);
    try {
      return await this.#pass(executionId, places, request, host, loader, ended.signal);
    } catch (error) {
      if (error instanceof CoreLost) return frame(interrupted(executionId));
      throw error;
    } finally {
      if (this.#waited.get(executionId) === waited) this.#waited.delete(executionId);
      gone.resolve();
    }
  }

  /** @throws {CoreLost} */
  async audit(executionId: string, request: string, host: HostFunction, loader: WorkerLoader): Promise<string> {
    const leave = await this.#places.take(this.#core.use((core) => core.places(request)));
    try {
      return await this.#open(this.#core.use((core) => core.openAudit(executionId, request)), host, loader, new AbortController().signal);
    } finally {
      leave();
    }
  }

  /** From a free place to an answer. @throws {CoreLost} */
  async #pass(executionId: string, places: number, request: string, host: HostFunction, loader: WorkerLoader, ended: AbortSignal): Promise<string> {
    const place = this.#places.take(places);
    const leave = await Promise.race([place, aborted(ended)]);
    if (leave === undefined || ended.aborted) {
      void place.then((leaveUnused) => leaveUnused());
      // It was ended while it waited.
      return this.#core.use((core) => core.outcome(executionId));
    }
    try {
      for (;;) {
        const reply = await this.#open(this.#core.use((core) => core.open(executionId, request)), host, loader, ended);
        if (reply !== AGAIN) return reply;
      }
    } finally {
      leave();
    }
  }

  async #open(opening: string, host: HostFunction, loader: WorkerLoader, ended: AbortSignal): Promise<string> {
    const opened = parse<Reply<Opened>>(opening);
    if (!opened.ok) return frame(opened);
    const pass = new Pass(opened.value.pass, this.#core, host, this.#afterWork);
    const looking = setInterval(() => pass.look(), LOST_CHECK_MS);
    ended.addEventListener("abort", () => pass.leave());
    try {
      return await this.#drive(pass, opened.value, loader);
    } finally {
      clearInterval(looking);
    }
  }

  /** Owns the sandbox: it is gone when this returns, on every path. */
  async #drive(pass: Pass, opened: Opened, loader: WorkerLoader): Promise<string> {
    const id = pass.id;
    const modules = parse<Record<string, string>>(this.#core.use((core) => core.modules(id)));
    const manifest = this.#core.use((core) => core.manifest(id));
    const late = Promise.withResolvers<"late">();
    const timer = setTimeout(() => late.resolve("late"), opened.passMs);
    try {
      using sandbox = loadSandbox(loader, { modules, manifest, cpuMs: opened.cpuMs });
      const ended = await Promise.race([ends(sandbox.run(new Bridge(pass))), pass.over, late.promise]);
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
}

type Ended = { frame: string } | { broken: string };

async function ends(run: Promise<string>): Promise<Ended> {
  try {
    const text: unknown = await run;
    return typeof text === "string" ? { frame: text } : { broken: "it ended with no text" };
  } catch (error) {
    return { broken: messageOf(error) };
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
}

function interrupted(executionId: string): Reply<WireOutput> {
  const error = `the runtime failed inside while execution ${executionId} was running; it is still running as far as is recorded: recover({ executionId }) goes on from the record`;
  return { ok: true, value: { status: "error", executionId, error, code: "interrupted", logs: [], calls: [] } };
}
