import { UsageError } from "../command/usage-error.ts";
import type { RepoName } from "../forge/repo-name.ts";
import { repositoryOfUrl } from "./remotes.ts";

/** A repository as somebody named it; the host only where they did. */
export interface RepoSpec extends RepoName {
  /** A host, `host/prefix`, or the server's whole address. */
  readonly host?: string;
}

/** The pages of a repository that an address may point to. */
const pageNames =
  /\/(pulls|issues|src|actions|releases|commits?|branches|wiki|settings|activity|compare|raw|projects)(\/|$|\?|#)/;

/** Reads `OWNER/NAME`, `HOST/OWNER/NAME`, the address of one of its web pages, or a clone address. */
export function parseRepo(typed: string): RepoSpec {
  const bad = () =>
    new UsageError(`'${typed}' does not name a repository`, "Write OWNER/NAME, HOST/OWNER/NAME or its URL.");
  if (/^https?:\/\//i.test(typed)) {
    if (!URL.canParse(typed)) throw bad();
    const url = new URL(typed);
    const page = pageNames.exec(url.pathname);
    const parts = segments(page ? url.pathname.slice(0, page.index) : url.pathname);
    const name = parts.pop()?.replace(/\.git$/, "");
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
  const name = parts.pop()?.replace(/\.git$/, "");
  const owner = parts.pop();
  if (!owner || !name || [...parts, owner, name].some((part) => part === "" || /\s/.test(part))) throw bad();
  return { owner, name, ...(parts.length === 0 ? {} : { host: parts.join("/") }) };
}

function segments(pathname: string): string[] {
  return pathname
    .split("/")
    .filter((part) => part !== "")
    .map((part) => decodeURIComponent(part));
}
