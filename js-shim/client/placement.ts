/**
 * Where the runtime is: an object of another Worker (bound) or a facet of this Agent (embedded). Decided once, at
 * construction, so that a missing setting is heard then and not at the first program. Knows nothing of what is said to it.
 */

import type { HostFunction } from "../wire.ts";
import { CodemodeError } from "./errors.ts";

/** The Durable Object binding of a bound runtime, `this.env.CODEMODE`. */
export interface RuntimeBinding {
  idFromName(name: string): { toString(): string };
  get(id: { toString(): string }): object;
}

/** What is read of the Agent's `ctx`: a `DurableObjectState`, or the `ExecutionContext` of a stateless Worker. */
export interface RuntimeContext {
  readonly id?: { toString(): string };
  readonly facets?: object;
  readonly exports?: object;
}

/** The RPC surface of the class `CodemodeRuntime`: JSON text in, JSON text out (`docs/design/wire.md`). */
export interface RuntimeStub {
  execute(request: string, host: HostFunction): Promise<string>;
  approve(request: string, host: HostFunction): Promise<string>;
  reject(request: string, host: HostFunction): Promise<string>;
  recover(request: string, host: HostFunction): Promise<string>;
  resolve(request: string, host: HostFunction): Promise<string>;
  cancel(request: string, host: HostFunction): Promise<string>;
  rollback(request: string, host: HostFunction): Promise<string>;
  search(request: string, host: HostFunction): Promise<string>;
  describe(request: string, host: HostFunction): Promise<string>;
  saveSnippet(request: string, host: HostFunction): Promise<string>;
  snippets(request: string): Promise<string>;
  deleteSnippet(request: string): Promise<string>;
  pending(request: string): Promise<string>;
  executions(request: string): Promise<string>;
  execution(request: string): Promise<string>;
  events(request: string): Promise<string>;
  expirePaused(request: string): Promise<string>;
  deleteExecution(request: string): Promise<string>;
  pruneExecutions(request: string): Promise<string>;
}

/** Opens a stub. The caller owns it and disposes of it. */
export type OpenStub = () => RuntimeStub;

/** The class that an embedding Worker exports. */
const CLASS_NAME = "CodemodeRuntime";
/** The first date this project is tested with; from it on `ctx.exports` and `ctx.facets` need no flag. */
const COMPATIBILITY_DATE = "2026-06-11";

/** @throws {CodemodeError} `invalid_input` naming the setting that is missing. */
export function placementOf(options: { ctx: RuntimeContext; id?: string | undefined; binding?: RuntimeBinding | undefined; name: string }): OpenStub {
  const { ctx, binding, name } = options;
  const identity = identityOf(ctx, options.id);
  if (binding === undefined || binding === null) return embedded(ctx, name);
  return bound(binding, `${identity}/${name}`);
}

function identityOf(ctx: RuntimeContext, id: string | undefined): string {
  if (id !== undefined) {
    if (typeof id === "string" && id !== "") return id;
    throw missing("`id` is empty. Pass a text that is the same at every contact and belongs to one tenant only");
  }
  const own = ctx?.id?.toString();
  if (typeof own === "string" && own !== "") return own;
  throw missing("`ctx` has no id, as in a stateless Worker. Pass `id`: a text that is the same at every contact and belongs to one tenant only");
}

function bound(binding: RuntimeBinding, objectName: string): OpenStub {
  if (typeof binding.get !== "function" || typeof binding.idFromName !== "function") {
    throw missing('`binding` is not a Durable Object namespace. In the wrangler.toml of this Worker bind one with class_name = "CodemodeRuntime" and script_name = the name of the deployed codemode Worker');
  }
  // A stub has the methods of a class in another Worker; no check could tell, every name answers.
  return () => binding.get(binding.idFromName(objectName)) as RuntimeStub;
}

function embedded(ctx: RuntimeContext, name: string): OpenStub {
  const hint = "`binding` is not set, so the runtime is a facet of this Durable Object";
  const { facets, exports } = ctx;
  if (facets === undefined || facets === null || !("get" in facets) || typeof facets.get !== "function") {
    throw missing(`${hint}, but ctx.facets is missing. Use it inside a Durable Object with compatibility_date = "${COMPATIBILITY_DATE}" or later, or pass \`binding\``);
  }
  if (exports === undefined || exports === null) {
    throw missing(`${hint}, but ctx.exports is missing. Set compatibility_date = "${COMPATIBILITY_DATE}" or later, or pass \`binding\``);
  }
  const runtimeClass: unknown = Reflect.get(exports, CLASS_NAME);
  if (runtimeClass === undefined || runtimeClass === null) {
    throw missing(`${hint}, but ctx.exports.${CLASS_NAME} is missing. Export the class ${CLASS_NAME} from the main module of this Worker, or pass \`binding\``);
  }
  const get: (name: string, start: () => { class: unknown }) => unknown = facets.get.bind(facets);
  return () => get(`codemode:${name}`, () => ({ class: runtimeClass })) as RuntimeStub;
}

function missing(text: string): CodemodeError {
  return new CodemodeError("invalid_input", text);
}
