import { sep } from "node:path";
import { Failure } from "../command/failure.ts";
import { UsageError } from "../command/usage-error.ts";
import { addressText, refuseInsecure, serverAddress } from "./address.ts";
import type { Config, Profile } from "./profile.ts";
import { type Profiles, profileNamed } from "./profiles.ts";
import type { Server } from "./server.ts";

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
 * The server in force: `--profile`, `--host`, the named repository's host, `TONGS_PROFILE`, `TONGS_HOST`, a rule, a git
 * remote's host, the default profile. A token goes only to the origin it is stored for, or that stands beside it in the
 * environment. Throws a usage error when the repository was named with another host than the server's.
 */
export async function chooseServer(profiles: Profiles, hints: Hints): Promise<Server> {
  const server = await choose(profiles, hints);
  if (hints.repoHost !== undefined && !matches(server.base, hints.repoHost)) {
    const chosen = `${addressText(server.base)} (chosen by ${server.because})`;
    throw new UsageError(`The repository is on ${hints.repoHost}, but the server in force is ${chosen}`);
  }
  return server;
}

async function choose(profiles: Profiles, hints: Hints): Promise<Server> {
  const { env } = hints;
  const config = profiles.read();
  const stored = (name: string, because: string) => fromProfile(profiles, config, name, because);

  if (hints.profile !== undefined) return stored(hints.profile, "--profile");
  if (hints.host !== undefined) return named(profiles, config, hints.host, env, "--host");
  if (hints.repoHost !== undefined) return named(profiles, config, hints.repoHost, env, "the repository named");
  if (env["TONGS_PROFILE"]) return stored(env["TONGS_PROFILE"], "TONGS_PROFILE");
  if (env["TONGS_HOST"]) return named(profiles, config, env["TONGS_HOST"], env, "TONGS_HOST");
  const ruled = Object.entries(config.profiles).find(([, profile]) => ruleForFolder(profile, hints.cwd));
  if (ruled) return stored(ruled[0], `its rule for ${hints.cwd}`);
  const only = Object.keys(config.profiles);
  // With a single profile the remotes cannot change the answer, and git need not be started.
  if (only.length > 1) {
    for (const host of await hints.remoteHosts()) {
      const found = profileFor(config, host);
      if (found !== undefined) return stored(found, `the git remote's host ${host}`);
    }
  }
  if (config.default !== undefined) return stored(config.default, "the default profile");
  if (only.length === 1 && only[0] !== undefined) return stored(only[0], "the only profile");
  throw new Failure("not_signed_in", "denied", "Not signed in to any server", {
    hint: "Sign in with: tongs auth login --host URL   (or set TONGS_HOST and TONGS_TOKEN)",
  });
}

function fromProfile(profiles: Profiles, config: Config, name: string, because: string): Server {
  const profile = profileNamed(config, name);
  if (profile === undefined) {
    const known = Object.keys(config.profiles).join(", ");
    throw new UsageError(`There is no profile '${name}'`, known === "" ? "None is stored yet." : `Stored: ${known}`);
  }
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

/** A server named by address: the profile stored for it, or the address alone with `TONGS_TOKEN`. */
function named(
  profiles: Profiles,
  config: Config,
  typed: string,
  env: Readonly<Record<string, string | undefined>>,
  because: string,
): Server {
  const found = profileFor(config, typed);
  const besideIt = env["TONGS_HOST"] ? matches(serverAddress(env["TONGS_HOST"]), typed) : because === "--host";
  const tokenFits = besideIt && env["TONGS_TOKEN"] !== undefined && env["TONGS_TOKEN"] !== "";
  if (found !== undefined && !tokenFits) return fromProfile(profiles, config, found, because);
  const known = found === undefined ? undefined : profileNamed(config, found);
  const base = serverAddress(known?.host ?? (besideIt ? env["TONGS_HOST"] : undefined) ?? typed);
  refuseInsecure(base, known?.insecure_http === true);
  return {
    base,
    profile: undefined,
    user: undefined,
    token: tokenFits ? env["TONGS_TOKEN"] : undefined,
    ca: env["TONGS_CA"] ?? known?.ca,
    proxy: known?.proxy,
    repo: undefined,
    because,
  };
}

/** The name of the profile stored for a host, `host:port`, `host/prefix` or URL. */
export function profileFor(config: Config, typed: string): string | undefined {
  const candidates = Object.entries(config.profiles).filter(
    ([, profile]) => matches(serverAddress(profile.host), typed) || profile.rules?.includes(typed) === true,
  );
  const preferred = candidates.find(([name]) => name === config.default) ?? candidates[0];
  return preferred?.[0];
}

/** Whether what was typed (a URL, or a host with or without port and prefix) means this server. */
function matches(server: URL, typed: string): boolean {
  if (/^https?:\/\//i.test(typed)) return addressText(serverAddress(typed)) === addressText(server);
  const [host = "", ...prefix] = typed.toLowerCase().replace(/\/+$/, "").split("/");
  if (host !== server.host.toLowerCase() && host !== server.hostname.toLowerCase()) return false;
  return prefix.length === 0 || `/${prefix.join("/")}` === server.pathname.toLowerCase().replace(/\/+$/, "");
}

function ruleForFolder(profile: Profile, cwd: string): boolean {
  return (profile.rules ?? []).some((rule) => {
    if (!rule.startsWith("/") && !/^[A-Za-z]:/.test(rule)) return false;
    const folder = rule.replace(/[/\\]+$/, "");
    return cwd === folder || cwd.startsWith(folder + sep);
  });
}
