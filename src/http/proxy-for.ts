import { UsageError } from "../failure/failure.ts";
import { isInNetwork } from "../system/network.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The environment's proxy for an address, or the profile's own; undefined means a direct connection. Lower-case names
 * win, as in curl. Throws a usage error, that names the setting but not its value, for what is no http proxy.
 */
export function proxyFor(url: URL, env: Env, own?: string): URL | undefined {
  if (own !== undefined && own !== "") return own === "none" ? undefined : asUrl(own, "The profile's proxy");
  const found = either(env, url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY") ?? either(env, "ALL_PROXY");
  if (found === undefined || bypassed(url, either(env, "NO_PROXY")?.value)) return undefined;
  return asUrl(found.value, found.name);
}

function either(env: Env, name: string): { readonly name: string; readonly value: string } | undefined {
  for (const spelling of [name.toLowerCase(), name]) {
    const value = env[spelling];
    if (value !== undefined && value !== "") return { name: spelling, value };
  }
  return undefined;
}

function asUrl(typed: string, setting: string): URL {
  const hint = "It looks like http://HOST:PORT, or http://NAME:PASSWORD@HOST:PORT with both percent-encoded.";
  const full = typed.includes("://") ? typed : `http://${typed}`;
  if (!URL.canParse(full)) throw new UsageError(`${setting} is not the address of a proxy`, hint);
  const url = new URL(full);
  if (!isEncoded(url.username) || !isEncoded(url.password)) throw new UsageError(`${setting} is encoded wrongly`, hint);
  if (url.protocol === "http:" || url.protocol === "https:") return url;
  throw new UsageError(`${setting} names a ${url.protocol.slice(0, -1)} proxy; tongs goes through http proxies`, hint);
}

function isEncoded(part: string): boolean {
  return !/%(?![0-9a-f]{2})/i.test(part);
}

/**
 * `NO_PROXY`: `*`, names, `.domains`, addresses and networks (`10.0.0.0/8`), each with an optional port. A name covers
 * its subdomains, as in curl.
 */
function bypassed(url: URL, list: string | undefined): boolean {
  const host = bare(url.hostname);
  const port = url.port !== "" ? url.port : url.protocol === "https:" ? "443" : "80";
  for (const entry of (list ?? "").split(/[\s,]+/)) {
    if (entry === "") continue;
    if (entry === "*") return true;
    const { name, wanted } = split(entry.toLowerCase());
    if (wanted !== undefined && wanted !== port) continue;
    const domain = name.replace(/^\*?\./, "");
    if (host === domain || host.endsWith(`.${domain}`)) return true;
    if (name.includes("/") && isInNetwork(host, name)) return true;
  }
  return false;
}

function bare(host: string): string {
  return host
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
}

/** `host:port`, `[v6]:port`, or either without a port; a bare IPv6 address is all colons. */
function split(entry: string): { readonly name: string; readonly wanted: string | undefined } {
  const [, bracketed, plain, wanted] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  const name = bracketed ?? plain;
  return name === undefined ? { name: bare(entry), wanted: undefined } : { name: bare(name), wanted };
}
