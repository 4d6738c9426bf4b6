// Where Node's types and the Workers' describe one global differently: an iterator here is Node's, so that a URL of the
// global class may go into `node:fs` and `node:url`.

interface URLSearchParams {
  entries(): import("node:url").URLSearchParamsIterator<[string, string]>;
  keys(): import("node:url").URLSearchParamsIterator<string>;
  values(): import("node:url").URLSearchParamsIterator<string>;
  [Symbol.iterator](): import("node:url").URLSearchParamsIterator<[string, string]>;
}
