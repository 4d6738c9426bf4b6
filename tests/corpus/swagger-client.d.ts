// The part of swagger-client that is used; it ships no types.
declare module "swagger-client/es/execute/index.js" {
  export function buildRequest(options: Record<string, unknown>): unknown;
}
