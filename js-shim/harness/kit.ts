/**
 * What the parts of the harness are handed of it, in the order in which `scripts/bundle-harness.mjs` numbers it. The bundler
 * puts the list in place of this one: no source names another's variables twice, and what no part asks for is not handed out.
 */

export const kit = (): readonly unknown[] => [];
