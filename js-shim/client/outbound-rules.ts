/**
 * Which requests an allow-list lets through. Pure: text in, a reason out. URLs are compared as the platform will use them, after
 * its own parser: case, punycode, escapes and odd spellings of IP addresses are gone by then.
 */

/** A list as it is compared: made once, from what the application wrote. */
export type Rules = { hosts: readonly Host[]; methods: readonly string[]; allowHttp: boolean };
/** `name` is `api.example.com`, or `.example.org` for every name below it; an empty `port` is the one of the scheme. */
export type Host = { name: string; port: string; written: string };

const METHOD = /^[A-Z]+$/;

/** @throws {TypeError} naming the rule that is none. */
export function rulesOf(hosts: readonly string[], methods: readonly string[], allowHttp: boolean): Rules {
  if (hosts.length === 0) throw new TypeError("hosts is empty, so nothing could be reached; leave globalOutbound out instead");
  const upper = methods.map((method) => method.toUpperCase());
  for (const method of upper) if (!METHOD.test(method)) throw new TypeError(`${JSON.stringify(method)} is no HTTP method`);
  return { hosts: hosts.map(hostOf), methods: upper, allowHttp };
}

/** @throws {TypeError} */
export function hostOf(written: string): Host {
  const wildcard = written.startsWith("*.");
  const rest = wildcard ? written.slice(2) : written;
  const wrong = (why: string): TypeError =>
    new TypeError(`host ${JSON.stringify(written)} ${why}; write "api.example.com", "*.example.org" for every name below example.org, and a port that is not the usual one as in "localhost:8080"`);
  if (/[*/?#@\\\s]/.test(rest)) throw wrong("is not a host name");
  let url: URL;
  try {
    url = new URL(`https://${rest}`);
  } catch {
    throw wrong("is not a host name");
  }
  const name = url.hostname;
  if (name.endsWith(".")) throw wrong("ends in a dot");
  // The parser leaves out the usual port, and a list may name it.
  const port = url.port === "" && /[^:]:0*443$/.test(rest) ? "443" : url.port;
  if (!wildcard) return { name, port, written };
  if (isAddress(name)) throw wrong("has a wildcard before an IP address");
  if (!name.includes(".")) throw wrong("would open a whole top-level domain");
  return { name: `.${name}`, port, written };
}

/** Why a request is not let through, or nothing when it is. */
export function refusalOf(rules: Rules, method: string, url: URL): string | undefined {
  if (!rules.methods.includes(method)) return `the method ${method} is not on the list`;
  if (url.protocol !== "https:" && url.protocol !== "http:") return `the scheme ${url.protocol} is not one of the web`;
  if (url.username !== "" || url.password !== "") return "a URL with a user name or password is not sent; the application adds credentials itself";
  if (!rules.hosts.some((host) => matches(host, url))) return `the host ${url.host} is not on the list`;
  if (url.protocol === "https:") return undefined;
  if (!isLoopback(url.hostname)) return "plain http is not sent over a network; use https";
  return rules.allowHttp ? undefined : "plain http is not allowed; use https";
}

export function matches(host: Host, url: URL): boolean {
  if (portOf(url) !== (host.port === "" ? usualPort(url) : host.port)) return false;
  return host.name.startsWith(".") ? url.hostname.endsWith(host.name) && url.hostname.length > host.name.length : url.hostname === host.name;
}

/** What a refusal tells of the list. */
export function told(rules: Rules): string {
  return `${rules.methods.join(", ")} to ${rules.hosts.map(({ written }) => written).join(", ")}`;
}

function usualPort(url: URL): string {
  return url.protocol === "https:" ? "443" : "80";
}

function portOf(url: URL): string {
  return url.port === "" ? usualPort(url) : url.port;
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
}

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
