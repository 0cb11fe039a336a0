import { sep } from "node:path";
import { Failure, UsageError } from "../failure/failure.ts";
import { connectionOf } from "./connection.ts";
import { type Config, type Profile, profileNamed } from "./profile.ts";
import type { Profiles } from "./profiles.ts";
import { addressText, environmentToken, refuseInsecure, type Server, serverAddress, unknownServer } from "./server.ts";

/** What determines the server. */
export interface Hints {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Read only if a profile has a rule for a folder. */
  readonly cwd: string;
  /** `--profile`. */
  readonly profile: string | undefined;
  /** `--host`. */
  readonly host: string | undefined;
  /** The host given with the repository, with its path prefix if any. */
  readonly repoHost: string | undefined;
  /** Returns the hosts of the git remotes, and the account that git uses there, best first. Called only if needed. */
  readonly remoteHosts: () => Promise<readonly { readonly host: string; readonly user?: string | undefined }[]>;
}

/**
 * Selects the server, in this order: `--profile`, `--host`, the host given with the repository, `TONGS_PROFILE`,
 * `TONGS_HOST`, a rule for the folder, the host of a git remote, the default profile. If a host has several profiles, the
 * next criteria decide. A token is only used for the origin it is stored for, or for `TONGS_HOST`. Throws a usage error if
 * the repository was given with the host of another server.
 */
export async function chooseServer(profiles: Profiles, hints: Hints): Promise<Server> {
  const config = profiles.read();
  const server = await choose(profiles, config, hints);
  if (hints.profile !== undefined && hints.host !== undefined && !isOnServer(config, server, hints.host)) {
    const chosen = `${addressText(server.base)} (selected by ${server.because})`;
    throw new UsageError(`--host is ${hints.host}, but the selected server is ${chosen}`, "Pass only one of them.");
  }
  if (hints.repoHost !== undefined) requireOnServer(config, server, hints.repoHost);
  return { ...server, again: flagsOf(server, config, hints) };
}

/** The flags that select a server which is not the one of the environment, the default one or the only one. */
function flagsOf({ base, profile }: Server, config: Config, { profile: named, host, repoHost, env }: Hints): string[] {
  if (named !== undefined) return ["--profile", named];
  if (host !== undefined) return ["--host", host];
  if (repoHost === undefined && (env["TONGS_PROFILE"] || env["TONGS_HOST"])) return [];
  if (profile === undefined) return ["--host", addressText(base)];
  return profile === config.default || Object.keys(config.profiles).length === 1 ? [] : ["--profile", profile];
}

async function choose(profiles: Profiles, config: Config, hints: Hints): Promise<Server> {
  const { env } = hints;
  const stored = (name: string, because: string) => serverOf(profiles, config, name, because);
  const named = (typed: string, because: string) => serverNamed(profiles, config, hints, typed, because);

  if (hints.profile !== undefined) return stored(hints.profile, "--profile");
  if (hints.host !== undefined) return named(hints.host, "--host");
  if (hints.repoHost !== undefined) {
    // Without a dot or a port, what is no known host is rather a mistake: -R a/b/c/d.
    if (!/[.:]|^localhost(\/|$)/.test(hints.repoHost) && !isKnownServer(config, hints, hints.repoHost)) {
      const hint = "Use OWNER/NAME, HOST/OWNER/NAME or a URL.";
      throw new UsageError(`'${hints.repoHost}' is not the host of a server`, hint);
    }
    return named(hints.repoHost, "the host of the repository");
  }
  if (env["TONGS_PROFILE"]) return stored(env["TONGS_PROFILE"], "TONGS_PROFILE");
  if (env["TONGS_HOST"]) return named(env["TONGS_HOST"], "TONGS_HOST");
  const ruled = profileByRule(config, hints);
  if (ruled !== undefined) return stored(ruled, `the rule for ${hints.cwd}`);
  const all = Object.keys(config.profiles);
  // With a single profile the remotes make no difference: do not run git.
  if (all.length > 1) {
    const remotes = await hints.remoteHosts();
    const accountsOf = ({ host, user }: (typeof remotes)[number]) =>
      Object.entries(config.profiles)
        .filter(([, one]) => user && one.user?.toLowerCase() === user.toLowerCase() && matchesProfile(one, host))
        .map(([name]) => name);
    for (const remote of remotes) {
      // One over SSH names no account: it is of that of another remote on the server.
      const found = profileFor(config, remote.host, [remote, ...remotes].flatMap(accountsOf));
      if (found !== undefined) return stored(found, `the git remote on ${remote.host}`);
    }
  }
  if (config.default !== undefined) return stored(config.default, "the default profile");
  if (all.length === 1 && all[0] !== undefined) return stored(all[0], "the only profile");
  if (all.length === 0) {
    throw new Failure("not_signed_in", "Not signed in to any server", {
      hint: "Run tongs auth login --host URL, or set TONGS_HOST and TONGS_TOKEN.",
    });
  }
  const hint = `Pass --profile NAME, or set a default with: tongs profile use NAME. Profiles: ${all.join(", ")}`;
  throw new UsageError("No server selected: there are several profiles and none is the default", hint);
}

/** The server of a stored profile, with its token. Throws a usage error if there is no such profile. */
export function serverOf(profiles: Profiles, config: Config, name: string, because: string): Server {
  const profile = requireProfile(config, name);
  const base = serverAddress(profile.host);
  refuseInsecure(base, profile.insecure_http === true);
  return {
    ...connectionOf(profiles, name, profile),
    base,
    profile: name,
    besideProfile: profileFor(config, profile.host) === name ? undefined : name,
    user: profile.user,
    token: () => profiles.token(name, profile),
    repo: profile.repo,
    because,
  };
}

/** The profile with a name. Throws a usage error if there is none. */
export function requireProfile(config: Config, name: string): Profile {
  const profile = profileNamed(config, name);
  if (profile !== undefined) return profile;
  const known = Object.keys(config.profiles).join(", ");
  const hint = known === "" ? "There are no profiles. Run: tongs auth login --host URL" : `Profiles: ${known}`;
  throw new UsageError(`Profile '${name}' not found`, hint);
}

/** The server for an address: its stored profile, or the address with `TONGS_TOKEN`. */
function serverNamed(profiles: Profiles, config: Config, hints: Hints, typed: string, because: string): Server {
  const { env } = hints;
  const preferred = [env["TONGS_PROFILE"], profileByRule(config, hints)].filter((name) => name !== undefined);
  const found = profileFor(config, typed, preferred);
  const known = found === undefined ? undefined : profileNamed(config, found);
  const address = env["TONGS_HOST"] ? serverAddress(env["TONGS_HOST"]) : undefined;
  // TONGS_TOKEN is for TONGS_HOST; without TONGS_HOST it is for --host.
  const beside =
    address === undefined ? because === "--host" : because === "TONGS_HOST" || matchesAddress(address, typed);
  const token = beside ? environmentToken(env) : undefined;
  if (found !== undefined && !token) return serverOf(profiles, config, found, because);
  const base = (beside ? address : undefined) ?? serverAddress(known?.host ?? typed);
  const sameServer = known !== undefined && matchesAddress(serverAddress(known.host), addressText(base));
  refuseInsecure(base, sameServer && known.insecure_http === true);
  // Its headers and its certificate are only for the profile's own server.
  const isOwn = known !== undefined && serverAddress(known.host).origin === base.origin;
  return {
    ...unknownServer,
    ...(isOwn ? connectionOf(profiles, found ?? "", known) : {}),
    base,
    token: async () => (token === "" ? undefined : token),
    tokenInEnvironment: Boolean(token),
    ca: env["TONGS_CA"] || known?.ca,
    proxy: known?.proxy,
    because,
  };
}

/**
 * Whether a URL or host given by the user matches a server. A URL must have the same path prefix; a host without port or
 * prefix matches any. An http URL matches the same server on https, but not the reverse.
 */
export function matchesAddress(server: URL, typed: string): boolean {
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
 * The name of the profile for a host, `host:port`, `host/prefix` or URL, also by its rules. If there are several, the first
 * one in `preferred`, then the default, then the one stored first.
 */
export function profileFor(config: Config, typed: string, preferred: readonly string[] = []): string | undefined {
  const found = Object.entries(config.profiles)
    .filter(([, profile]) => matchesProfile(profile, typed))
    .map(([name]) => name);
  return [...preferred, config.default].find((name) => name !== undefined && found.includes(name)) ?? found[0];
}

/** Whether the host of a repository or remote is the selected server. */
export function isOnServer(config: Config, server: Server, host: string): boolean {
  const profile = server.profile === undefined ? undefined : profileNamed(config, server.profile);
  return profile === undefined ? matchesAddress(server.base, host) : matchesProfile(profile, host);
}

/** Throws a usage error if the host of a repository is not the selected server. */
export function requireOnServer(config: Config, server: Server, host: string): void {
  if (isOnServer(config, server, host)) return;
  const chosen = `${addressText(server.base)} (selected by ${server.because})`;
  throw new UsageError(`The repository is on ${host}, but the selected server is ${chosen}`);
}

function matchesProfile(profile: Profile, typed: string): boolean {
  if (matchesAddress(serverAddress(profile.host), typed)) return true;
  return profile.rules?.some((rule) => rule.toLowerCase() === typed.toLowerCase()) === true;
}

/** Whether a host is that of a server which a profile, `--host` or `TONGS_HOST` names. */
export function isKnownServer(config: Config, { env, host }: Pick<Hints, "env" | "host">, typed: string): boolean {
  if (profileFor(config, typed) !== undefined) return true;
  return [host, env["TONGS_HOST"]].some((one) => one && matchesAddress(serverAddress(one), typed));
}

/** The name of the profile with a rule for the current folder. */
function profileByRule(config: Config, hints: Hints): string | undefined {
  const hasRules = Object.values(config.profiles).some(({ rules }) => rules?.some(isFolderRule) === true);
  return hasRules ? profileForFolder(config, hints.cwd) : undefined;
}

/** The name of the profile with a rule for this folder or its nearest parent. */
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

/** Whether a rule is a folder (an absolute path) rather than a host. */
export function isFolderRule(rule: string): boolean {
  return rule.startsWith("/") || /^[A-Za-z]:[/\\]/.test(rule);
}

/** Whether two addresses are of the same server. */
export function sameAddress(one: string, other: URL): boolean {
  return addressText(serverAddress(one)) === addressText(other);
}
