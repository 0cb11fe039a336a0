/** A remote of the checkout here. */
export interface Remote {
  readonly name: string;
  readonly url: string;
  /** Host with port, and the path prefix that precedes OWNER/NAME, if any: `example.org/git`. */
  readonly host: string;
  readonly owner: string;
  readonly repo: string;
}

/** Reads the lines of `git config --get-regexp` for remotes; `url.X.insteadOf` is applied as git does. */
export function remotesFrom(lines: string): Remote[] {
  const urls = new Map<string, string>();
  const rewrites: (readonly [prefix: string, base: string])[] = [];
  for (const line of lines.split("\n")) {
    const [, key = "", value = ""] = /^(\S+) (.*)$/.exec(line) ?? [];
    const remote = /^remote\.(.*)\.url$/.exec(key)?.[1];
    if (remote !== undefined && !urls.has(remote)) urls.set(remote, value);
    const base = /^url\.(.*)\.insteadof$/i.exec(key)?.[1];
    if (base !== undefined) rewrites.push([value, base]);
  }
  const remotes: Remote[] = [];
  for (const [name, raw] of urls) {
    const rewrite = rewrites.filter(([prefix]) => raw.startsWith(prefix)).sort((a, b) => b[0].length - a[0].length)[0];
    const url = rewrite === undefined ? raw : rewrite[1] + raw.slice(rewrite[0].length);
    const place = repositoryOfUrl(url);
    if (place !== undefined) remotes.push({ name, url, ...place });
  }
  return remotes.sort((a, b) => rank(a.name) - rank(b.name));
}

function rank(name: string): number {
  return name === "upstream" ? 0 : name === "origin" ? 1 : 2;
}

/**
 * Host, owner and name of a clone address: `https://host/prefix/owner/name.git`, `ssh://git@host:22/owner/name`,
 * `git@host:owner/name.git`. The port of an ssh address says nothing of the web server and is dropped.
 */
export function repositoryOfUrl(url: string): { host: string; owner: string; repo: string } | undefined {
  const scp = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)(.+)$/.exec(url);
  const web = /^(https?|ssh|git):\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/]+)(?::(\d+))?\/(.+)$/i.exec(url);
  const [host, path] = web
    ? [`${web[2]}${web[3] !== undefined && /^http/i.test(web[1] ?? "") ? `:${web[3]}` : ""}`, web[4]]
    : scp && !/^[A-Za-z]$/.test(scp[1] ?? "")
      ? [scp[1], scp[2]]
      : [];
  const parts = (path ?? "")
    .replace(/\/+$/, "")
    .replace(/\.git$/, "")
    .split("/")
    .filter((part) => part !== "");
  const repo = parts.pop();
  const owner = parts.pop();
  if (host === undefined || owner === undefined || repo === undefined) return undefined;
  return { host: [host.toLowerCase(), ...parts].join("/"), owner, repo };
}
