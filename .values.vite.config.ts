import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { COMPATIBILITY_DATE } from "./tests/support/wrangler-config.ts";
export default defineConfig({
  plugins: [cloudflareTest({ main: "./tests/workers/worker.ts", miniflare: { compatibilityDate: COMPATIBILITY_DATE,
    modulesRules: [{ type: "CompiledWasm", include: ["**/*.wasm"] }], workerLoaders: { LOADER: {} },
    durableObjects: { CODEMODE: { className: "CodemodeRuntime", useSQLite: true }, TEST_AGENT: { className: "TestAgent", useSQLite: true } } } })],
  test: { name: "workers", include: ["tests/workers/**/*.test.ts"], testTimeout: 30_000 },
});
