import { Failure, UsageError } from "../failure/failure.ts";
import type { GitConfig } from "../git/git.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import { isWellFormed, percentEncoded } from "../text/percent.ts";
import { quoted } from "../text/words.ts";

/** The selected server, and how it was selected. */
export interface Server {
  /** Its URL with the path prefix. */
  readonly base: URL;
  /** The name of its profile, unless it was selected by an address without one. */
  readonly profile: string | undefined;
  /** The username, if the profile has it. */
  readonly user: string | undefined;
  /** The administrator who acts as `user` (--sudo), null if the name is not known; undefined without --sudo. */
  readonly administrator?: string | null;
  /** Returns the token, if there is one. Reads it, or runs the program that prints it, when it is first called. */
  readonly token: () => Promise<string | undefined>;
  /** Whether the token is that of `TONGS_TOKEN`. */
  readonly tokenInEnvironment?: boolean;
  readonly ca: string | undefined;
  /** The files of the client certificate and of its key, which may be in the same file. */
  readonly clientCert: string | undefined;
  readonly clientKey: string | undefined;
  /** Returns additional headers for requests, by lower-case name. Throws a usage error if a variable is not set. */
  readonly headers: () => Readonly<Record<string, string>>;
  readonly proxy: string | undefined;
  /** The profile's default repository. */
  readonly repo: string | undefined;
  /** How it was selected, for messages: `--profile`, `TONGS_HOST`, `the default profile`. */
  readonly because: string;
  /** The flags by which another command selects it, and acts as the same user, where it is not selected without them. */
  readonly again?: readonly string[];
  /** Its profile, if the sign-in to its address would be for another one. */
  readonly besideProfile?: string | undefined;
}

/** The settings of a server that has no profile. */
export const unknownServer = {
  profile: undefined,
  user: undefined,
  repo: undefined,
  proxy: undefined,
  ca: undefined,
  clientCert: undefined,
  clientKey: undefined,
  token: async () => undefined,
  headers: () => ({}),
} as const satisfies Partial<Server>;

/**
 * The token in `TONGS_TOKEN`, without the line break that secrets of CI often end with. Throws a usage error for one with
 * characters that no token has.
 */
export function environmentToken(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const token = env["TONGS_TOKEN"]?.trim();
  if (token === undefined || /^[\x21-\x7e]*$/.test(token)) return token;
  throw new UsageError("TONGS_TOKEN is not a valid token: it has a space, a line break or another special character");
}

/** Parses a server address: https if it has no scheme, a path prefix is kept. Throws a usage error if it is not valid. */
export function serverAddress(typed: string): URL {
  const text = typed.trim();
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    ? text
    : `${isLoopback(hostOf(text)) ? "http" : "https"}://${text}`;
  if (text === "" || !URL.canParse(full)) throw new UsageError(`'${typed}' is not a valid server address`);
  const url = new URL(full);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new UsageError(`Server address must begin with https:// or http://, not ${url.protocol}//`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new UsageError("Server address must not contain a username or password", "Run: tongs auth login --host URL");
  }
  url.pathname = url.pathname.replace(/\/+$/, "").replace(/\/api\/v1$/, "");
  url.search = "";
  url.hash = "";
  return url;
}

function hostOf(text: string): string {
  return text.split("/")[0]?.replace(/:\d+$/, "") ?? "";
}

/** A server address without trailing slash, as it is stored and printed. */
export function addressText(url: URL): string {
  return url.href.replace(/\/+$/, "");
}

/** Whether a host is the local machine. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  return host === "localhost" || host.endsWith(".localhost") || host === "::1" || /^127(\.\d+){3}$/.test(host);
}

/** Throws a usage error for plain http to another machine, unless allowed. */
export function refuseInsecure(url: URL, allowed: boolean): void {
  if (url.protocol === "https:" || allowed || isLoopback(url.hostname)) return;
  throw new UsageError(
    `${addressText(url)} uses plain http: the token would be sent unencrypted`,
    "Use https, or allow plain http with: tongs auth login --insecure-http --host URL",
  );
}

/** A command line, as it runs on this server and as the same user. */
export function commandOn({ again = [] }: Pick<Server, "again">, line: string): string {
  return [line, ...again.map(quoted)].join(" ");
}

/** A repository and its server. */
export interface Place {
  readonly server: Pick<Server, "again">;
  readonly repo: RepoName;
}

/** The command line of a hint, as it runs on the repository of this context, and on its server as the same user. */
export function commandIn({ server, repo }: Place, line: string): string {
  return commandOn(server, `${line} -R ${quoted(fullName(repo))}`);
}

/** The command line that signs in to a server, for its own profile. */
export function signInLine({ base, besideProfile }: Pick<Server, "base" | "besideProfile">): string {
  const line = `tongs auth login --host ${addressText(base)}`;
  return besideProfile === undefined ? line : `${line} --profile ${quoted(besideProfile)}`;
}

/** A command line that is kept and run elsewhere, where the environment can select another server. */
export function commandElsewhere({ again = [], because, base }: Server, line: string): string {
  const isByEnvironment = again.length === 0 && (because === "TONGS_HOST" || because === "TONGS_PROFILE");
  return commandOn({ again: isByEnvironment ? ["--host", addressText(base)] : again }, line);
}

/** `as mara on https://git.example.org`, for the messages of writes. */
export function accountLabel(server: Server): string {
  const where = `on ${addressText(server.base)}`;
  return server.user === undefined ? where : `as ${actorLabel({ ...server, user: server.user })} ${where}`;
}

/** `mara`, or `jonas, by warden`: whom a write is of. */
export function actorLabel({ user, administrator }: { readonly user: string } & Pick<Server, "administrator">): string {
  return administrator === undefined ? user : `${user}, by ${administrator ?? "an administrator"}`;
}

/** Throws a usage error with --sudo: git would act as the administrator. */
export function refuseGitSudo({ administrator }: Pick<Server, "administrator">): void {
  if (administrator !== undefined) throw new UsageError("--sudo cannot be used with git");
}

/**
 * Git configuration to authenticate as the user of the server, for `GitOptions.config`. It applies only to URLs below the
 * server's address, so the token is not sent to other remotes. Redirects are off: git would send the token along.
 */
export async function gitAuthConfig(server: Server): Promise<GitConfig> {
  refuseGitSudo(server);
  const below = (name: string) => `http.${addressText(server.base)}/.${name}`;
  const settings: Record<string, string | readonly string[]> = {};
  const token = await server.token();
  const own = Object.entries(server.headers()).map((pair) => pair.join(": "));
  const headers = token === undefined ? own : [`Authorization: token ${token}`, ...own];
  if (headers.length > 0) {
    settings[below("extraHeader")] = headers;
    settings[below("followRedirects")] = "false";
  }
  if (server.ca !== undefined) settings[below("sslCAInfo")] = server.ca;
  if (server.clientCert !== undefined) {
    settings[below("sslCert")] = server.clientCert;
    settings[below("sslKey")] = server.clientKey ?? server.clientCert;
  }
  if (server.proxy !== undefined) settings[below("proxy")] = server.proxy === "none" ? "" : server.proxy;
  return settings;
}

/** The clone URL of a repository, built from the server's address. Throws if its name cannot be part of one. */
export function cloneUrl(server: Server, repo: { readonly owner: string; readonly name: string }): string {
  if (!isWellFormed(repo.owner + repo.name)) {
    const name = JSON.stringify(`${repo.owner}/${repo.name}`);
    throw new Failure("broken_answer", `The server returned a name that is not valid Unicode: ${name}`);
  }
  return `${addressText(server.base)}/${percentEncoded(repo.owner)}/${percentEncoded(repo.name)}.git`;
}
