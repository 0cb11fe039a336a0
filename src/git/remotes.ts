import { isSameRepo, type RepoName, repositoryOfUrl } from "../repo/repo-name.ts";
import { startable } from "../system/program.ts";
import type { System } from "../system/system.ts";

type SshSystem = Pick<System, "env" | "platform" | "signal">;

/** A git remote. */
export interface Remote {
  readonly name: string;
  readonly url: string;
  /** Host with port and path prefix, if any: `example.org/git`. */
  readonly host: string;
  readonly owner: string;
  readonly repo: string;
  /** The account that git signs in with over HTTP, if the clone says it. */
  readonly user?: string;
  /** Chosen by `tongs repo set-default`. */
  readonly isDefault?: boolean;
  /** The repository that was chosen, if the remote is a fork of it: `remote.NAME.tongs-default` has its name then. */
  readonly base?: RepoName;
}

/** Whether a remote is a repository of that name; its host is not compared. */
export function pointsTo({ owner, repo: name }: Remote, repo: RepoName): boolean {
  return isSameRepo({ owner, name }, repo);
}

/**
 * Parses the remotes in the output of `git config --get-regexp`; applies `url.X.insteadOf` like git. Of two addresses that a
 * remote has so, the one of a server counts.
 */
export function remotesFrom(lines: string, isServer: (host: string) => boolean = () => true): Remote[] {
  const urls = new Map<string, string>();
  let preferred: Pick<Remote, "name" | "base"> | undefined;
  const rewrites: (readonly [prefix: string, base: string])[] = [];
  const users: (readonly [address: string, user: string])[] = [];
  for (const line of lines.split("\n")) {
    const [, key = "", value = ""] = /^(\S+) (.*)$/.exec(line) ?? [];
    const remote = /^remote\.(.*)\.url$/.exec(key)?.[1];
    if (remote !== undefined && !urls.has(remote)) urls.set(remote, value);
    const chosen = /^remote\.(.*)\.tongs-default$/.exec(key)?.[1];
    const [, owner, name] = /^([^/\s]+)\/([^/\s]+)$/.exec(value) ?? [];
    if (chosen !== undefined && owner !== undefined && name !== undefined)
      preferred = { name: chosen, base: { owner, name } };
    else if (chosen !== undefined && value === "true") preferred = { name: chosen };
    const base = /^url\.(.*)\.insteadof$/i.exec(key)?.[1];
    if (base !== undefined) rewrites.push([value, base]);
    const account = /^credential\.(.*)\.username$/i.exec(key)?.[1];
    if (account !== undefined) users.push([account.replace(/\/*$/, "/"), value]);
  }
  const remotes: Remote[] = [];
  for (const [name, raw] of urls) {
    const rewrite = rewrites.filter(([prefix]) => raw.startsWith(prefix)).sort((a, b) => b[0].length - a[0].length)[0];
    const url = rewrite === undefined ? raw : rewrite[1] + raw.slice(rewrite[0].length);
    const places = [url, raw].flatMap((one) => repositoryOfUrl(one) ?? []);
    const place = places.find(({ host }) => isServer(host)) ?? places[0];
    const chosen = name === preferred?.name ? { ...preferred, isDefault: true } : {};
    const user =
      /^https?:\/\/([^:@/]+)(?::[^@/]*)?@/i.exec(url)?.[1] ?? users.find(([address]) => url.startsWith(address))?.[1];
    if (place !== undefined) remotes.push({ name, url, ...place, ...chosen, ...(user === undefined ? {} : { user }) });
  }
  return remotes.sort((a, b) => rank(a.name, preferred?.name) - rank(b.name, preferred?.name));
}

function rank(name: string, preferred: string | undefined): number {
  if (name === preferred) return -1;
  return name === "upstream" ? 0 : name === "origin" ? 1 : 2;
}

/**
 * The host that an alias in the user's SSH configuration stands for, as `ssh -G` prints it, which connects to nothing.
 * Undefined if the URL is none of SSH, or ssh says nothing within two seconds.
 */
export async function sshHost(url: string, { env, platform, signal }: SshSystem): Promise<string | undefined> {
  const [, host] = /^(?:ssh:\/\/)?(?:[^@/:]+@)?([a-z0-9_][\w.-]*)(?=[:/])(?!:\/\/)/i.exec(url) ?? [];
  const program = startable("ssh", { env, platform });
  if (host === undefined || program === undefined) return undefined;
  const { execFile } = await import("node:child_process");
  const args = ["-G", "-o", "CanonicalizeHostname=no", host];
  return new Promise((resolve) => {
    execFile(program, args, { env: { ...env }, signal, timeout: 2000 }, (_error, stdout) =>
      resolve(/^hostname (\S+)$/m.exec(stdout)?.[1]?.toLowerCase()),
    );
  });
}
