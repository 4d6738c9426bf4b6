// The one module of Node's that a sandbox has, in as much as the harness uses it. Node's own types would bring in globals
// that a Worker lacks.

declare module "node:async_hooks" {
  export class AsyncLocalStorage<T> {
    static snapshot(): <R, A extends unknown[]>(fn: (...args: A) => R, ...args: A) => R;
    getStore(): T | undefined;
    run<R>(store: T, callback: () => R): R;
  }
}
