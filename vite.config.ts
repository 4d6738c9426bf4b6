// The test projects of `npm test`. wrangler bundles what is deployed; vite is here for vitest alone.

import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";

import { COMPATIBILITY_DATE, ROOT } from "./tests/support/wrangler-config.ts";

export default defineConfig({
  test: {
    // Most files wait for a workerd of their own; one at a time leaves a machine of two cores half idle.
    maxWorkers: 2,
    projects: [
      {
        // In Node: what is pure, and what drives a workerd from outside.
        test: {
          name: "shim",
          environment: "node",
          include: ["tests/shim/**/*.test.ts", "tests/replay/**/*.test.ts", "tests/forgery/**/*.test.ts", "tests/escape/**/*.test.ts", "tests/crash/**/*.test.ts", "tests/chaos/**/*.test.ts", "tests/servers/**/*.test.ts"],
          testTimeout: 30_000,
        },
      },
      {
        // Inside workerd: one Worker, tests/workers/worker.ts, that exports the runtime's class and a test Agent.
        // Bindings are written out instead of taken from wrangler.toml, whose [build] would run and whose main is another.
        plugins: [
          cloudflareTest({
            main: "./tests/workers/worker.ts",
            miniflare: {
              compatibilityDate: COMPATIBILITY_DATE,
              // Without a wrangler.toml there is no rule for wasm, and vite would take the import for a wasm ES module.
              modulesRules: [{ type: "CompiledWasm", include: ["**/*.wasm"] }],
              workerLoaders: { LOADER: {} },
              durableObjects: {
                // Bound by name, also for the facet: `ctx.exports` gives only a class that is named here.
                CODEMODE: { className: "CodemodeRuntime", useSQLite: true },
                ANCESTOR: { className: "Ancestor", useSQLite: true },
                TEST_AGENT: { className: "TestAgent", useSQLite: true },
              },
            },
          }),
        ],
        // The core that can be told to panic is the shipped one with one more method.
        resolve: { alias: [{ find: /^(?:\.\.\/)+gen\//, replacement: `${ROOT}/gen-test/` }] },
        test: { name: "workers", include: ["tests/workers/**/*.test.ts"], testTimeout: 30_000 },
      },
    ],
  },
});
