/** The environment's proxy for an address, or the profile's own; undefined means a direct connection. */
export function proxyFor(url: URL, env: Readonly<Record<string, string | undefined>>, own?: string): URL | undefined {
  if (own !== undefined && own !== "") return own === "none" ? undefined : asUrl(own);
  if (bypassed(url, either(env, "NO_PROXY"))) return undefined;
  const named = url.protocol === "https:" ? either(env, "HTTPS_PROXY") : either(env, "HTTP_PROXY");
  const proxy = named ?? either(env, "ALL_PROXY");
  return proxy === undefined ? undefined : asUrl(proxy);
}

function either(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const value = env[name.toLowerCase()] ?? env[name];
  return value === undefined || value === "" ? undefined : value;
}

function asUrl(proxy: string): URL {
  return new URL(proxy.includes("://") ? proxy : `http://${proxy}`);
}

/** `NO_PROXY`: `*`, names, `.domains`, addresses, each with an optional port. A name covers its subdomains, as in curl. */
function bypassed(url: URL, list: string | undefined): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const port = url.port !== "" ? url.port : url.protocol === "https:" ? "443" : "80";
  return (list ?? "").split(/[\s,]+/).some((entry) => {
    if (entry === "") return false;
    if (entry === "*") return true;
    const [, name = "", wanted] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (wanted !== undefined && wanted !== port) return false;
    const bare = name.replace(/^\*?\./, "");
    return host === bare || host.endsWith(`.${bare}`);
  });
}
