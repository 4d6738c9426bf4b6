/**
 * `env`, which the function of a step is given: what the application lets steps use beside the network. Plain values are
 * copies; of everything else each name is a method that the host calls, with arguments and result as values.
 *
 * Made anew for each step. What is kept of it beyond the step refuses.
 */

import { decode } from "../value/decode.ts";
import { MAX_VALUE_LENGTH } from "../value/encode.ts";
import { crossing, tooLargeText } from "./crossing.ts";
import { failure, rejected } from "./failures.ts";
import { showAs } from "./inspect.ts";
import { isQuiet } from "./namespaces.ts";
import type { Pass } from "./pass.ts";
import {
  defineProperty,
  freeze,
  hiddenValue,
  indexOf,
  list,
  type List,
  NativePromise,
  NativeProxy,
  ownKeys,
  ownValue,
  toWellFormed,
} from "./primordials.ts";
import { reachingStep, reachOut } from "./reach.ts";

const MAX_METHOD_LENGTH = 200;

export class Bindings {
  readonly #pass: Pass;
  readonly #names: List<string> = list();

  constructor(pass: Pass) {
    this.#pass = pass;
    const names = ownKeys(pass.manifest.bindings) as string[];
    for (let i = 0; i < names.length; i++) this.#names[i] = names[i] as string;
  }

  /** The value of `env` for one step. */
  env(): object {
    const env = { __proto__: null } as unknown as object;
    for (let i = 0; i < this.#names.length; i++) {
      const name = this.#names[i] as string;
      const text = this.#pass.manifest.bindings[name];
      defineProperty(env, name, ownValue(typeof text === "string" ? decode(text) : this.#stub(name)));
    }
    return freeze(env);
  }

  #stub(name: string): object {
    const handler = {
      __proto__: null,
      get: (_: object, key: string | symbol): unknown => (typeof key === "symbol" || isQuiet(key) ? undefined : this.#method(name, key)),
      set: () => false,
      defineProperty: () => false,
      deleteProperty: () => false,
      setPrototypeOf: () => false,
      preventExtensions: () => false,
    };
    const stub = new NativeProxy({ __proto__: null }, handler as ProxyHandler<object>);
    showAs(stub, `[binding ${name}]`);
    return stub;
  }

  #method(name: string, method: string): unknown {
    const path = `env.${name}.${method}`;
    const call = (...args: unknown[]): Promise<unknown> => {
      const step = reachingStep(path);
      if (step instanceof Error) return rejected(step);
      if (method.length > MAX_METHOD_LENGTH || indexOf(method, "\0") >= 0) {
        return rejected(failure("invalid_input", `env.${name} has no such method: a name has at most ${MAX_METHOD_LENGTH} characters and no null character`));
      }
      const text = crossing(args, "args");
      if (text.refused !== undefined) return rejected(failure(text.refused.code, `${path}: ${text.refused.message}`));
      if (text.value.length > MAX_VALUE_LENGTH) {
        return rejected(failure("too_large", tooLargeText(`the arguments of ${path}`, text.value.length)));
      }
      return new NativePromise((resolve, reject) => {
        const answered = (value: string): void => {
          let result: unknown;
          try {
            result = decode(value);
          } catch (error) {
            return reject(error);
          }
          resolve(result);
        };
        reachOut(this.#pass, step, `env.${name}`, `${toWellFormed(method)}\0${text.value}`, answered, reject);
      });
    };
    defineProperty(call, "name", hiddenValue(method));
    return call;
  }
}
