/** The `codemode` global: steps and lookups. Lookups have their own numbers, so that the public `seq` counts calls only. */

import { MAX_VALUE_LENGTH } from "../value/encode.ts";
import type { Bindings } from "./bindings.ts";
import type { Shares } from "./budget.ts";
import { currentStep } from "./context.ts";
import { crossing, tooLargeText } from "./crossing.ts";
import { failure, refused, rejected } from "./failures.ts";
import type { Issuer } from "./issue.ts";
import { namespaceName } from "./names.ts";
import { IN_STEP } from "./namespaces.ts";
import type { Pass } from "./pass.ts";
import { defineProperty, freeze, NativeTypeError, ownValue } from "./primordials.ts";
import { type Entry, Snippets } from "./snippets.ts";
import { runStep, StepContext } from "./steps.ts";

const MAX_STEP_NAME = 200;
const NO_BINDINGS = freeze({ __proto__: null });
const OPTIONS = ["limit", "offset", "connector"] as const;

export type Codemode = { global: object; addSnippet: (name: string, entry: Entry) => void };

/** `TheBindings` go along if the application has any. */
export function createCodemode(pass: Pass, issuer: Issuer, more: Shares, TheBindings: typeof Bindings | undefined): Codemode {
  const { seed } = pass.manifest;
  const snippets = new Snippets(pass.manifest, more);
  const bindings = TheBindings === undefined ? undefined : new TheBindings(pass);
  const lookup = (method: string, args: readonly unknown[]): Promise<unknown> => {
    if (currentStep() !== undefined) return refused(`codemode.${method}: ${IN_STEP}`);
    const text = crossing(args, "args");
    if (text.refused !== undefined) return rejected(failure(text.refused.code, text.refused.message));
    if (text.value.length > MAX_VALUE_LENGTH) {
      return rejected(failure("too_large", tooLargeText(`the arguments of codemode.${method}`, text.value.length)));
    }
    return issuer.lookup(method, text.value);
  };
  const global = freeze({
    search(query?: unknown, options?: unknown): Promise<unknown> {
      if (typeof query !== "string") return refused(`codemode.search takes a text to search for, not ${kind(query)}`, NativeTypeError);
      if (options === undefined || options === null) return lookup("search", [query]);
      if (typeof options !== "object") {
        return refused(`codemode.search takes options { limit?, offset?, connector? }, not ${kind(options)}`, NativeTypeError);
      }
      // Read once, and what is undefined left out: the catalogue takes plain JSON.
      const asked = options as Record<string, unknown>;
      const plain: Record<string, unknown> = {};
      for (let i = 0; i < OPTIONS.length; i++) {
        const name = OPTIONS[i] as string;
        const value = asked[name];
        if (value !== undefined) defineProperty(plain, name, ownValue(namespaceName(value) ?? value));
      }
      return lookup("search", [query, plain]);
    },
    describe(target?: unknown): Promise<unknown> {
      const name = namespaceName(target) ?? target;
      if (typeof name !== "string") {
        return refused(`codemode.describe takes a name such as "github.create", not ${kind(target)}`, NativeTypeError);
      }
      return lookup("describe", [name]);
    },
    step(name?: unknown, work?: unknown): Promise<unknown> {
      if (currentStep() !== undefined) return refused(`codemode.step: ${IN_STEP}`);
      if (typeof name !== "string" || name === "" || name.length > MAX_STEP_NAME) {
        return refused(`codemode.step takes a name of 1 to ${MAX_STEP_NAME} characters first`, NativeTypeError);
      }
      if (typeof work !== "function") {
        return refused(`codemode.step takes a function second, not ${kind(work)}`, NativeTypeError);
      }
      const given = (): unknown => (work as (given: object) => unknown)({ env: bindings === undefined ? NO_BINDINGS : bindings.env() });
      return issuer.step(name, (operation, reaches, settled) => runStep(given, new StepContext(seed, operation, reaches), settled));
    },
    run(name?: unknown, ...input: unknown[]): Promise<unknown> {
      if (typeof name !== "string") return refused(`codemode.run takes a snippet's name, not ${kind(name)}`, NativeTypeError);
      if (input.length > 1) return refused(`codemode.run takes a name and one input, and was given ${input.length} inputs`);
      const fault = snippets.faultHere(name);
      if (fault !== undefined) return rejected(fault);
      // Behind the end of a list its prototype is asked.
      const text = crossing(input.length === 0 ? undefined : input[0], "input");
      if (text.refused !== undefined) return rejected(failure(text.refused.code, text.refused.message));
      return snippets.run(name, text.value, (args) => lookup("run", args));
    },
  });
  return { global, addSnippet: (name, entry) => snippets.add(name, entry) };
}

function kind(value: unknown): string {
  return value === null ? "null" : typeof value;
}
