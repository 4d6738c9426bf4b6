/** The bindings that vite.config.ts gives to the Worker under test. */
declare namespace Cloudflare {
  interface Env {
    LOADER: WorkerLoader;
    CODEMODE: DurableObjectNamespace<import("../../js-shim/runtime.ts").CodemodeRuntime>;
    ANCESTOR: DurableObjectNamespace<import("./ancestor.ts").Ancestor>;
    TEST_AGENT: DurableObjectNamespace<import("./test-agent.ts").TestAgent>;
  }
}

/** Vite's: the files of a folder, read when the test is bundled. */
interface ImportMeta {
  glob<T>(pattern: string, options: { eager: true; import: "default" }): Record<string, T>;
}

/** A file as its text. */
declare module "*?raw" {
  const text: string;
  export default text;
}
