import { sep } from "node:path";
import { Failure, UsageError } from "../failure/failure.ts";
import { type Config, type Profile, profileNamed } from "./profile.ts";
import type { Profiles } from "./profiles.ts";
import { addressText, refuseInsecure, type Server, serverAddress } from "./server.ts";

/** What the choice of a server goes by. */
export interface Hints {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** `--profile`. */
  readonly profile: string | undefined;
  /** `--host`. */
  readonly host: string | undefined;
  /** The host, or host with path prefix, that the repository was named with. */
  readonly repoHost: string | undefined;
  /** The hosts of the git remotes here, best first; asked only when needed. */
  readonly remoteHosts: () => Promise<readonly string[]>;
}

/**
 * The server in force: `--profile`, `--host`, the named repository's host, `TONGS_PROFILE`, `TONGS_HOST`, a rule for
 * this folder, a git remote's host, the default profile. Where a host has several profiles, what comes later in this
 * row decides. A token goes only to the origin it is stored for, or that stands beside it in the environment. Throws a
 * usage error when the repository was named with another host than the server's.
 */
export async function chooseServer(profiles: Profiles, hints: Hints): Promise<Server> {
  const config = profiles.read();
  const server = await choose(profiles, config, hints);
  if (hints.repoHost !== undefined && !serves(config, server, hints.repoHost)) {
    const chosen = `${addressText(server.base)} (chosen by ${server.because})`;
    throw new UsageError(`The repository is on ${hints.repoHost}, but the server in force is ${chosen}`);
  }
  return server;
}

async function choose(profiles: Profiles, config: Config, hints: Hints): Promise<Server> {
  const { env } = hints;
  const stored = (name: string, because: string) => serverOf(profiles, config, name, because);
  const named = (typed: string, because: string) => serverNamed(profiles, config, hints, typed, because);

  if (hints.profile !== undefined) return stored(hints.profile, "--profile");
  if (hints.host !== undefined) return named(hints.host, "--host");
  if (hints.repoHost !== undefined) return named(hints.repoHost, "the repository named");
  if (env["TONGS_PROFILE"]) return stored(env["TONGS_PROFILE"], "TONGS_PROFILE");
  if (env["TONGS_HOST"]) return named(env["TONGS_HOST"], "TONGS_HOST");
  const ruled = profileForFolder(config, hints.cwd);
  if (ruled !== undefined) return stored(ruled, `its rule for ${hints.cwd}`);
  const all = Object.keys(config.profiles);
  // With a single profile the remotes cannot change the answer, and git need not be started.
  if (all.length > 1) {
    for (const host of await hints.remoteHosts()) {
      const found = profileFor(config, host);
      if (found !== undefined) return stored(found, `the git remote's host ${host}`);
    }
  }
  if (config.default !== undefined) return stored(config.default, "the default profile");
  if (all.length === 1 && all[0] !== undefined) return stored(all[0], "the only profile");
  if (all.length === 0) {
    throw new Failure("not_signed_in", "denied", "Not signed in to any server", {
      hint: "Sign in with: tongs auth login --host URL   (or set TONGS_HOST and TONGS_TOKEN)",
    });
  }
  const hint = `Name one with --profile NAME, or once for all: tongs profile use NAME. Stored: ${all.join(", ")}`;
  throw new UsageError("Which server? There are several profiles and none is the default", hint);
}

/** The server of a stored profile, with its token. Throws a usage error when there is no such profile. */
export function serverOf(profiles: Profiles, config: Config, name: string, because: string): Server {
  const profile = profileNamed(config, name);
  if (profile === undefined) throw unknownProfile(config, name);
  const base = serverAddress(profile.host);
  refuseInsecure(base, profile.insecure_http === true);
  return {
    base,
    profile: name,
    user: profile.user,
    token: profiles.credentials.get(name),
    ca: profile.ca,
    proxy: profile.proxy,
    repo: profile.repo,
    because,
  };
}

/** The error for a name that no profile has. */
export function unknownProfile(config: Config, name: string): UsageError {
  const known = Object.keys(config.profiles).join(", ");
  const hint = known === "" ? "None is stored yet; sign in with: tongs auth login --host URL" : `Stored: ${known}`;
  return new UsageError(`There is no profile '${name}'`, hint);
}

/** A server named by address: the profile stored for it, or the address alone with `TONGS_TOKEN`. */
function serverNamed(profiles: Profiles, config: Config, hints: Hints, typed: string, because: string): Server {
  const { env } = hints;
  const preferred = [env["TONGS_PROFILE"], profileForFolder(config, hints.cwd)].filter((name) => name !== undefined);
  const found = profileFor(config, typed, preferred);
  const known = found === undefined ? undefined : profileNamed(config, found);
  const address = env["TONGS_HOST"] ? serverAddress(env["TONGS_HOST"]) : undefined;
  // The token in the environment is TONGS_HOST's; without that, it is for the server that --host names.
  const beside = address === undefined ? because === "--host" : means(address, typed);
  const token = beside ? env["TONGS_TOKEN"] : undefined;
  if (found !== undefined && !token) return serverOf(profiles, config, found, because);
  const base = (beside ? address : undefined) ?? serverAddress(known?.host ?? typed);
  const sameServer = known !== undefined && means(serverAddress(known.host), addressText(base));
  refuseInsecure(base, sameServer && known.insecure_http === true);
  return {
    base,
    profile: undefined,
    user: undefined,
    token: token === "" ? undefined : token,
    ca: env["TONGS_CA"] || known?.ca,
    proxy: known?.proxy,
    repo: undefined,
    because,
  };
}

/**
 * Whether what was typed means this server. An address means it whole, with its path prefix; a host means it with any
 * port and any prefix, unless it names them. A pasted http address means the same server by https, never the other way.
 */
export function means(server: URL, typed: string): boolean {
  const prefix = (url: URL) => url.pathname.replace(/\/+$/, "").toLowerCase();
  const scheme = /^(https?):\/\//i.exec(typed)?.[1]?.toLowerCase();
  const full = scheme === undefined ? `${server.protocol}//${typed}` : typed;
  if (!URL.canParse(full)) return false;
  const url = new URL(full);
  if (scheme !== undefined) {
    const upgraded = url.protocol === server.protocol || server.protocol === "https:";
    return upgraded && url.host === server.host && prefix(url) === prefix(server);
  }
  const namesPort = /:\d+$/.test(typed.split("/")[0] ?? "");
  const sameHost = namesPort ? url.host === server.host : url.hostname === server.hostname;
  return sameHost && (prefix(url) === "" || prefix(url) === prefix(server));
}

/**
 * The name of the profile stored for a host, `host:port`, `host/prefix` or URL, or that has a rule for it. Of several,
 * the first of `preferred` counts, then the default, then the one stored first.
 */
export function profileFor(config: Config, typed: string, preferred: readonly string[] = []): string | undefined {
  const found = Object.entries(config.profiles)
    .filter(([, profile]) => covers(profile, typed))
    .map(([name]) => name);
  return [...preferred, config.default].find((name) => name !== undefined && found.includes(name)) ?? found[0];
}

/** Whether the server in force is the one that a repository's or remote's host means. */
export function serves(config: Config, server: Server, host: string): boolean {
  const profile = server.profile === undefined ? undefined : profileNamed(config, server.profile);
  return profile === undefined ? means(server.base, host) : covers(profile, host);
}

function covers(profile: Profile, typed: string): boolean {
  if (means(serverAddress(profile.host), typed)) return true;
  return profile.rules?.some((rule) => rule.toLowerCase() === typed.toLowerCase()) === true;
}

/** The name of the profile whose rule names this folder or the nearest one above it. */
export function profileForFolder(config: Config, folder: string): string | undefined {
  let best: { readonly name: string; readonly length: number } | undefined;
  for (const [name, profile] of Object.entries(config.profiles)) {
    for (const rule of profile.rules ?? []) {
      if (!isFolderRule(rule)) continue;
      const above = rule.replace(/[/\\]+$/, "");
      const inside = folder === above || folder.startsWith(above + sep);
      if (inside && above.length >= (best?.length ?? 0)) best = { name, length: above.length };
    }
  }
  return best?.name;
}

/** Whether a rule names a folder rather than a host: an absolute path. */
export function isFolderRule(rule: string): boolean {
  return rule.startsWith("/") || /^[A-Za-z]:[/\\]/.test(rule);
}

/** Whether two addresses are the same server. */
export function sameAddress(one: string, other: URL): boolean {
  return addressText(serverAddress(one)) === addressText(other);
}
