/** DOORWAY: the Worker's main. The class for bindings, and a door for people with curl. */

import { serve } from "./http.ts";
import type { RuntimeEnv } from "./runtime.ts";

export { CodemodeRuntime } from "./runtime.ts";

export default {
  fetch: (request, env) => serve(request, env),
} satisfies ExportedHandler<RuntimeEnv>;
