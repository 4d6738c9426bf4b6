/** The chaos Agent with the runtime's class in its own Worker, where the runtime is a facet of it. */

export { ChaosAgent, default } from "./agent.ts";
export { CodemodeRuntime } from "./runtime.ts";
