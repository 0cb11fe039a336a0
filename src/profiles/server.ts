import { UsageError } from "../failure/failure.ts";

/** The server in force and how it was chosen. */
export interface Server {
  /** Its address with the path prefix. */
  readonly base: URL;
  /** The stored profile, unless the environment or a flag alone named the server. */
  readonly profile: string | undefined;
  /** The signed-in name, where the profile has it. */
  readonly user: string | undefined;
  readonly token: string | undefined;
  readonly ca: string | undefined;
  readonly proxy: string | undefined;
  /** The profile's default repository. */
  readonly repo: string | undefined;
  /** Why this one, in words: `--profile`, `TONGS_HOST`, "the remote origin", "the default profile". */
  readonly because: string;
}

/** Reads a server's address as people type it: a bare host means https; a path prefix is kept; no trailing slash. */
export function serverAddress(typed: string): URL {
  const text = typed.trim();
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    ? text
    : `${isLoopback(hostOf(text)) ? "http" : "https"}://${text}`;
  if (text === "" || !URL.canParse(full)) throw new UsageError(`'${typed}' is not the address of a server`);
  const url = new URL(full);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new UsageError(`A server's address begins with https:// or http://, not ${url.protocol}//`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new UsageError("A server's address holds no name or password", "Sign in with: tongs auth login --host URL");
  }
  url.pathname = url.pathname.replace(/\/+$/, "").replace(/\/api\/v1$/, "");
  url.search = "";
  url.hash = "";
  return url;
}

function hostOf(text: string): string {
  return text.split("/")[0]?.replace(/:\d+$/, "") ?? "";
}

/** The address as it is stored and shown: without a trailing slash. */
export function addressText(url: URL): string {
  return url.href.replace(/\/+$/, "");
}

/** Whether a host is this machine. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  return host === "localhost" || host.endsWith(".localhost") || host === "::1" || /^127(\.\d+){3}$/.test(host);
}

/** Refuses plain http to another machine, unless that was allowed. */
export function refuseInsecure(url: URL, allowed: boolean): void {
  if (url.protocol === "https:" || allowed || isLoopback(url.hostname)) return;
  throw new UsageError(
    `${addressText(url)} is plain http: the token would cross the network in clear`,
    "Use https, or allow it once with: tongs auth login --insecure-http --host URL",
  );
}

/** `as mara on https://git.example.org`: every write says as whom and where it happened. */
export function accountLabel(server: Server): string {
  const where = `on ${addressText(server.base)}`;
  return server.user === undefined ? where : `as ${server.user} ${where}`;
}

/**
 * Settings that let git act as the server's user, for `GitOptions.config`. They hold for addresses below the server's
 * own only, so the token reaches no other remote; redirects are not followed, because git would take it along.
 */
export function authenticated(server: Server): Record<string, string> {
  const below = (name: string) => `http.${addressText(server.base)}/.${name}`;
  const settings: Record<string, string> = {};
  if (server.token !== undefined) {
    settings[below("extraHeader")] = `Authorization: token ${server.token}`;
    settings[below("followRedirects")] = "false";
  }
  if (server.ca !== undefined) settings[below("sslCAInfo")] = server.ca;
  if (server.proxy !== undefined) settings[below("proxy")] = server.proxy === "none" ? "" : server.proxy;
  return settings;
}

/** The address that git reaches a repository of the server at, built from the server's own address. */
export function cloneUrl(server: Server, repo: { readonly owner: string; readonly name: string }): string {
  return `${addressText(server.base)}/${encodeURIComponent(repo.owner)}/${encodeURIComponent(repo.name)}.git`;
}
