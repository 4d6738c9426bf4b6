/** Makes new instances of the core's wasm, as many as it is asked for: timed from outside. */

import { __wbg_reset_state } from "../../gen/index.js";

export default {
  async fetch(request) {
    const { count } = await request.json<{ count: number }>();
    for (let made = 0; made < count; made += 1) __wbg_reset_state();
    return Response.json({ value: "" });
  },
} satisfies ExportedHandler;
