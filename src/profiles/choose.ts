import { Failure, UsageError } from "../failure/failure.ts";
import { means, profileFor, profileForFolder, serves } from "./match.ts";
import type { Config } from "./profile.ts";
import { type Profiles, profileNamed } from "./profiles.ts";
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
