import { UsageError } from "../failure/failure.ts";
import { isInNetwork } from "../system/network.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for a URL: the profile's, or the one in the environment. Undefined means a direct connection. Lower-case
 * variables take precedence, as in curl. Throws a usage error if the proxy is not valid; the error does not include it.
 */
export function proxyFor(url: URL, env: Env, profileProxy?: string): URL | undefined {
  if (profileProxy !== undefined && profileProxy !== "") {
    return profileProxy === "none" ? undefined : proxyUrl(profileProxy, "The profile's proxy");
  }
  const found = variable(env, url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY") ?? variable(env, "ALL_PROXY");
  if (found === undefined || bypassesProxy(url, variable(env, "NO_PROXY")?.value)) return undefined;
  return proxyUrl(found.value, found.name);
}

function variable(env: Env, name: string): { readonly name: string; readonly value: string } | undefined {
  for (const spelling of [name.toLowerCase(), name]) {
    const value = env[spelling];
    if (value !== undefined && value !== "") return { name: spelling, value };
  }
  return undefined;
}

function proxyUrl(typed: string, setting: string): URL {
  const hint =
    "Use http://HOST:PORT or socks5://HOST:PORT, or http://USERNAME:PASSWORD@HOST:PORT with both percent-encoded.";
  const full = typed.includes("://") ? typed : `http://${typed}`;
  if (!URL.canParse(full)) throw new UsageError(`${setting} is not a valid proxy address`, hint);
  const url = new URL(full);
  if (!isEncoded(url.username) || !isEncoded(url.password))
    throw new UsageError(`${setting} has invalid percent-encoding`, hint);
  if (url.pathname.length > 1 || url.search !== "" || url.hash !== "")
    throw new UsageError(`${setting} must not have a path`, hint);
  if (isProxyProtocol(url.protocol)) return url;
  const kind = url.protocol.slice(0, -1);
  throw new UsageError(`${setting} is a ${kind} proxy; only http and socks5 proxies are supported`, hint);
}

/** Whether there are proxies of a scheme: of HTTP, with or without TLS, and of SOCKS5, which resolves names. */
export function isProxyProtocol(protocol: string): boolean {
  return /^(https?|socks5h?):$/.test(protocol);
}

/** Whether a part of a URL can be decoded: `%` and `%ff` cannot. */
function isEncoded(part: string): boolean {
  try {
    return decodeURIComponent(part) !== undefined;
  } catch {
    return false;
  }
}

/**
 * `NO_PROXY`: `*`, host names, `.domains`, addresses and networks (`10.0.0.0/8`), each with an optional port. A host name
 * includes its subdomains, as in curl.
 */
function bypassesProxy(url: URL, list: string | undefined): boolean {
  const host = normalizeHost(url.hostname);
  const port = url.port !== "" ? url.port : url.protocol === "https:" ? "443" : "80";
  for (const entry of (list ?? "").split(/[\s,]+/)) {
    if (entry === "") continue;
    if (entry === "*") return true;
    const { name, entryPort } = splitHostPort(entry.toLowerCase());
    if (entryPort !== undefined && entryPort !== port) continue;
    const domain = name.replace(/^\*?\./, "");
    if (host === domain || host.endsWith(`.${domain}`)) return true;
    if (name.includes("/") && isInNetwork(host, name)) return true;
  }
  return false;
}

function normalizeHost(host: string): string {
  return host
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
}

/** Splits `host:port` or `[IPv6]:port`; the port is optional. An IPv6 address without brackets has no port. */
function splitHostPort(entry: string): { readonly name: string; readonly entryPort: string | undefined } {
  const [, bracketed, plain, entryPort] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  const name = bracketed ?? plain;
  return name === undefined
    ? { name: normalizeHost(entry), entryPort: undefined }
    : { name: normalizeHost(name), entryPort };
}
