/** What has to do with no storage: how large the Workers are, how long an instance of the wasm takes, and a start from nothing. */

import { gzipSync } from "node:zlib";

import { bundleWorker } from "../../tests/support/bundle-worker.ts";
import { startRuntime } from "../../tests/support/miniflare.ts";
import { RUNTIME_MAIN } from "../../tests/support/wrangler-config.ts";
import type { Single } from "../measurement.ts";
import { figureOf, rowOf } from "../row.ts";
import { alternate, slope, timed } from "../samples.ts";
import { post, startSides } from "../sides.ts";
import type { Side } from "../sides.ts";

/** Of all modules of a Worker, each compressed as a deployment is. Thousands of bytes. */
async function gzipped(entry: string): Promise<number> {
  let bytes = 0;
  for (const { contents } of await bundleWorker(entry)) {
    if (contents === undefined) throw new Error(`a module of ${entry} has no contents`);
    // The source map lies in the text and is not deployed.
    const shipped = typeof contents === "string" ? contents.replace(/^\/\/# sourceMappingURL=.*$/m, "") : contents;
    bytes += gzipSync(shipped, { level: 9 }).length;
  }
  return bytes / 1_000;
}

const bundle: Single = {
  id: "bundle_gzip",
  async measure() {
    const [ours, ancestor] = [await gzipped(RUNTIME_MAIN), await gzipped("bench/hosts/ancestor.ts")];
    return [figureOf({ id: "bundle_gzip", storage: "none", unit: "KB" }, { ours, ancestor })];
  },
};

const instantiate: Single = {
  id: "instantiate",
  async measure(pick) {
    await using runtime = await startRuntime({ worker: "bench/hosts/instantiate.ts", placement: "none" });
    const ours = () => slope(10, (count) => post(runtime.url, { count }));
    return [rowOf({ id: "instantiate", storage: "none", unit: "ms" }, await alternate({ ours }, pick(20, 5), 1))];
  },
};

/** The first pass in a process that has just started: everything is compiled and made on the way. */
const cold: Single = {
  id: "cold_pass",
  async measure(pick) {
    const samples = { ours: [] as number[], ancestor: [] as number[], floor: [] as number[] };
    const first = async (side: Side): Promise<void> => {
      await side.ask("cold", { ask: "nothing" });
      samples[side.name].push(await timed(() => side.ask("cold", { ask: "execute", code: "async () => 1", status: "completed" })));
    };
    for (let turn = 0; turn < pick(8, 1); turn += 1) {
      await using sides = await startSides("tmpfs");
      await first(sides.ours);
      await first(sides.ancestor);
    }
    return [rowOf({ id: "cold_pass", storage: "none", unit: "ms" }, samples)];
  },
};

export const singles: readonly Single[] = [bundle, instantiate, cold];
