/** An attacker's tools: the bridge as it really is, with nothing checked on this side. */

/** A stub of which every name can be called with anything. */
export type Wild = Record<string, (...args: unknown[]) => Promise<unknown>> & { dup(): Wild };

type Row = [operation: number, key: string, state: string, outcome: string];
type Manifest = { calls: number; order: number[]; rows: Row[]; pages: number; inflight: number };

/** What a connection that the runtime has left does not answer any more; long enough for one that it has not. */
const PATIENCE_MS = 3_000;

const REQUEST = JSON.stringify({ method: "GET", url: "https://a.example/", redirect: "follow", headers: [] });

export class Forge {
  readonly bridge: Wild;
  readonly manifest: Manifest;
  readonly ctx: ExecutionContext;
  /** What the test gave along with the attack's name. */
  readonly given: string;
  #said = "";

  constructor(bridge: Wild, manifest: string, ctx: ExecutionContext, given: string) {
    this.bridge = bridge;
    this.manifest = JSON.parse(manifest) as Manifest;
    this.ctx = ctx;
    this.given = given;
  }

  /** Whether this is the pass after an approval. */
  get again(): boolean {
    return this.manifest.calls > 0;
  }

  /** A call of a connector, well-formed. */
  call(seq: number, method: string, args: unknown = {}, connector = "lab"): Promise<unknown> {
    return this.raw(seq * 4, `${connector}\0${method}\0${JSON.stringify(args)}`);
  }

  step(seq: number, name = "s"): Promise<unknown> {
    return this.raw(seq * 4, `codemode\0step\0${JSON.stringify(name)}`);
  }

  /** `bridge.call` with anything. The answer, or how it failed. */
  raw(operation: unknown, key: unknown, delivered: unknown = "", console: unknown = ""): Promise<unknown> {
    return answered(() => this.bridge["call"]?.(operation, key, delivered, console));
  }

  settle(operation: unknown, outcome: unknown, delivered: unknown = "", console: unknown = ""): Promise<unknown> {
    return answered(() => this.bridge["settle"]?.(operation, outcome, delivered, console));
  }

  /** `bridge.reach` with anything. */
  reach(operation: unknown, what: unknown = "fetch", text: unknown = REQUEST): Promise<unknown> {
    return answered(() => this.bridge["reach"]?.(operation, what, text));
  }

  /** Asks for a page. Messages arrive in order, so whatever was sent before has arrived when this is answered. */
  page(number: unknown = 0): Promise<unknown> {
    return answered(() => this.bridge["page"]?.(number));
  }

  /** Reports a line; the test finds it in the run's console. */
  say(line: unknown): void {
    this.#said += `${typeof line === "string" ? line : JSON.stringify(line)}\n`;
  }

  /** A well-formed end frame with what was said, and that the last line was reached. */
  end(end: string, more: object = {}, result = ""): string {
    this.say("reached the last line");
    const head = JSON.stringify({ end, clock: 0, delivered: [], console: this.#said, ...more });
    return `${head.length}\n${head}${result}`;
  }
}

/** The answer's text shortened, or the failure, or that there is none. */
export async function answered(ask: () => Promise<unknown> | undefined): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, "no answer");
  });
  try {
    const answer = await Promise.race([ask(), silence]);
    return typeof answer === "string" ? answer.slice(0, 200) : answer;
  } catch (error) {
    return `threw ${String(error).slice(0, 200)}`;
  } finally {
    clearTimeout(timer);
  }
}
