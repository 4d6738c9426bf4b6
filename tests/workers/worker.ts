/**
 * The one Worker of the `workers` tests: the runtime's class and its HTTP door as they are deployed, and an Agent that
 * counts what really ran. Because both are here, the Agent can be bound to the runtime and can embed it.
 */

export { CodemodeRuntime, default } from "../../js-shim/index.ts";
export { Ancestor } from "./ancestor.ts";
export { StubNet } from "./test-net.ts";
export { TestAgent } from "./test-agent.ts";
