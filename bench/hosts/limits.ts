/** Limits that both implementations are given, so that the slower one is measured to its end too. */

/** How long one pass may take, ms. */
export const PASS_MS = 600_000;
