import { isSameRepo, type RepoName, repositoryOfUrl } from "../repo/repo-name.ts";

/** A git remote. */
export interface Remote {
  readonly name: string;
  readonly url: string;
  /** Host with port and path prefix, if any: `example.org/git`. */
  readonly host: string;
  readonly owner: string;
  readonly repo: string;
  /** Chosen by `tongs repo set-default`. */
  readonly isDefault?: boolean;
}

/** Whether a remote is a repository of that name; its host is not compared. */
export function pointsTo({ owner, repo: name }: Remote, repo: RepoName): boolean {
  return isSameRepo({ owner, name }, repo);
}

/** Parses the remotes in the output of `git config --get-regexp`; applies `url.X.insteadOf` like git. */
export function remotesFrom(lines: string): Remote[] {
  const urls = new Map<string, string>();
  let preferred: string | undefined;
  const rewrites: (readonly [prefix: string, base: string])[] = [];
  for (const line of lines.split("\n")) {
    const [, key = "", value = ""] = /^(\S+) (.*)$/.exec(line) ?? [];
    const remote = /^remote\.(.*)\.url$/.exec(key)?.[1];
    if (remote !== undefined && !urls.has(remote)) urls.set(remote, value);
    if (value === "true") preferred = /^remote\.(.*)\.tongs-default$/.exec(key)?.[1] ?? preferred;
    const base = /^url\.(.*)\.insteadof$/i.exec(key)?.[1];
    if (base !== undefined) rewrites.push([value, base]);
  }
  const remotes: Remote[] = [];
  for (const [name, raw] of urls) {
    const rewrite = rewrites.filter(([prefix]) => raw.startsWith(prefix)).sort((a, b) => b[0].length - a[0].length)[0];
    const url = rewrite === undefined ? raw : rewrite[1] + raw.slice(rewrite[0].length);
    const place = repositoryOfUrl(url);
    if (place !== undefined) remotes.push({ name, url, ...place, ...(name === preferred ? { isDefault: true } : {}) });
  }
  return remotes.sort((a, b) => rank(a.name, preferred) - rank(b.name, preferred));
}

function rank(name: string, preferred: string | undefined): number {
  if (name === preferred) return -1;
  return name === "upstream" ? 0 : name === "origin" ? 1 : 2;
}
