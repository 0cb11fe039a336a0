import { UsageError } from "../failure/failure.ts";

/** A repository on a server. */
export interface RepoName {
  readonly owner: string;
  readonly name: string;
}

/** `owner/name`. */
export function fullName(repo: RepoName): string {
  return `${repo.owner}/${repo.name}`;
}

/** Whether two names mean the same repository; case does not matter. */
export function isSameRepo(one: RepoName, other: RepoName): boolean {
  return fullName(one).toLowerCase() === fullName(other).toLowerCase();
}

/** A repository as given by the user, with the host if they gave one. */
export interface RepoSpec extends RepoName {
  /** A host, `host/prefix`, or the server's URL. */
  readonly host?: string;
}

/** The web pages of a repository that a URL can point to. */
const pageNames = /^(pulls|issues|src|actions|releases|commits?|branches|wiki|settings|activity|compare|raw|projects)$/;

/** Whether an argument is a URL of a web page. */
export function isUrl(typed: string): boolean {
  return /^https?:\/\//i.test(typed);
}

/** Parses `OWNER/NAME`, `HOST/OWNER/NAME`, the URL of a web page or a clone URL. Throws a usage error. */
export function parseRepo(typed: string): RepoSpec {
  const bad = () => new UsageError(`'${typed}' is not a valid repository`, "Use OWNER/NAME, HOST/OWNER/NAME or a URL.");
  if (isUrl(typed)) {
    if (!URL.canParse(typed)) throw bad();
    const url = new URL(typed);
    const all = segments(url.pathname);
    if (all === undefined) throw bad();
    // The owner and the repository can have the name of a page.
    const page = all.findIndex((part, index) => index >= 2 && pageNames.test(part));
    const parts = page < 0 ? all : all.slice(0, page);
    const name = repositoryPart(parts.pop());
    const owner = parts.pop();
    if (!owner || !name) throw bad();
    return { owner, name, host: [url.origin, ...parts].join("/") };
  }
  if (typed.includes("@") || typed.startsWith("ssh://")) {
    const place = repositoryOfUrl(typed);
    if (place === undefined) throw bad();
    return { owner: place.owner, name: place.repo, host: place.host };
  }
  const parts = typed.split("/");
  const name = repositoryPart(parts.pop());
  const owner = parts.pop();
  if (!owner || !name || [...parts, owner, name].some((part) => part === "" || /\s/.test(part))) throw bad();
  return { owner, name, ...(parts.length === 0 ? {} : { host: parts.join("/") }) };
}

/** The repository in the last part of a URL, which can be that of its wiki: servers name no repository so, nor with `#`. */
function repositoryPart(part: string | undefined): string | undefined {
  if (part?.includes("#")) return undefined;
  return part?.replace(/\.git$/, "").replace(/\.wiki$/, "");
}

/** The parts of a path, decoded; undefined if one cannot be decoded. */
function segments(pathname: string): string[] | undefined {
  const parts = pathname.split("/").filter((part) => part !== "");
  try {
    return parts.map((part) => decodeURIComponent(part));
  } catch {
    return undefined;
  }
}

/**
 * Host, owner and name in a clone URL: `https://host/prefix/owner/name.git`, `ssh://git@host:22/owner/name` or
 * `git@host:owner/name.git`. The port of an ssh URL is dropped: the web server has another. Undefined if it is not one.
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
    .split("/")
    .filter((part) => part !== "");
  const repo = repositoryPart(parts.pop());
  const owner = parts.pop();
  if (host === undefined || owner === undefined || !repo) return undefined;
  return { host: [host.toLowerCase(), ...parts].join("/"), owner, repo };
}

/** Whether a name of a repository has a pattern in it: `acme/*`. */
export const isPattern = (text: string) => /[*?[{]/.test(text);

/** Whether a word selects several repositories: a pattern, or `-` for the lines of stdin. A host and a query are no part of it. */
export function namesSeveral(word: string): boolean {
  if (!isPattern(word)) return word === "-";
  return !word.includes("/") || isPattern(fullName(parseRepo(word)));
}
