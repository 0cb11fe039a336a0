import { Failure, UsageError } from "../../../failure/failure.ts";
import { commitGet } from "../../../forge/commits.ts";
import { findAtSource, isGitea, type SourceRepo, type SourceService } from "../../../forge/import-sources.ts";
import { issueList } from "../../../forge/issues.ts";
import { call } from "../../../forge/operation.ts";
import {
  type Content,
  countContent,
  pagesOfWiki,
  type Text,
  textsOf,
  updatedSince,
} from "../../../forge/repo-contents.ts";
import { countAtSource, hasCommitAtSource } from "../../../forge/source-counts.ts";
import { addressAt } from "../../../http/address.ts";
import type { Http } from "../../../http/client.ts";
import { DeniedError, isFound } from "../../../http/errors.ts";
import type { RepoName } from "../../../repo/repo-name.ts";
import { once } from "../../../system/concurrency.ts";
import { decoded } from "../../../text/percent.ts";
import type { ImportSettings } from "./settings.ts";

/** What a source says of one of its repositories, by the address. */
export interface SourceReads {
  /** What is at an address, also if it was renamed or transferred; undefined if nothing is, or that is not known. */
  readonly find: (address: string) => Promise<Found | undefined>;
  /** Whether nothing is at an address of a list that the caller sees; false also if that is not known. */
  readonly isGone: (address: string) => Promise<boolean>;
  /** How many of something a repository has; undefined if its server does not say that. */
  readonly count: (address: string, what: Content) => Promise<number | undefined>;
  /** Whether a repository has a commit; undefined if its server does not say that. */
  readonly hasCommit: (address: string, sha: string) => Promise<boolean | undefined>;
  /** When its issues and pull requests were updated since a time, by number; undefined if its server does not say that. */
  readonly updated: (address: string, since: string) => Promise<ReadonlyMap<number, string> | undefined>;
  /** The last commits of the pages of its wiki; undefined if its server does not say them. */
  readonly wikiCommits: (address: string) => Promise<ReadonlySet<string> | undefined>;
  /** The texts of its labels, milestones and releases, and of comments since a time; undefined if its server does not say them. */
  readonly texts: (address: string, since: string) => Promise<readonly Text[] | undefined>;
  /** Throws if the token may not read the issues of a repository. */
  readonly requireIssues: (address: string) => Promise<void>;
}

interface Found {
  /** The present one; undefined if the source does not say it. */
  readonly address: string | undefined;
  /** Undefined if it was renamed or transferred to where it is not visible. */
  readonly repo: SourceRepo | undefined;
}

/** Where a repository is, on a server of Gitea or Forgejo. */
interface Place {
  readonly http: Http;
  /** `acme/lamp` */
  readonly path: string;
}

/** Reads repositories of GitHub and GitLab, and counts each once. */
export function readsOfOthers(
  http: Http,
  service: Exclude<SourceService, "gitea">,
  pathOf: (address: string) => string,
): Omit<SourceReads, "find" | "isGone"> {
  return {
    count: countingOnce((address, what) => countAtSource(http, service, pathOf(address), what)),
    hasCommit: (address, sha) => hasCommitAtSource(http, service, pathOf(address), sha),
    updated: async () => undefined,
    texts: async () => undefined,
    wikiCommits: async () => undefined,
    requireIssues: async () => {},
  };
}

function countingOnce(count: SourceReads["count"]): SourceReads["count"] {
  return once((address, what) => `${what} ${originOf(address)}`, count);
}

/** Reads repositories of Gitea and Forgejo, and counts each once. Of others, nothing is known. */
export function readsOf(
  placeOf: ((address: string) => Promise<Place>) | undefined,
): Omit<SourceReads, "find" | "isGone"> {
  if (placeOf === undefined) {
    const unknown = async () => undefined;
    return {
      count: unknown,
      hasCommit: unknown,
      updated: unknown,
      wikiCommits: unknown,
      texts: unknown,
      requireIssues: async () => {},
    };
  }
  const at = async (address: string): Promise<{ readonly http: Http; readonly repo: RepoName }> => {
    const { http, path } = await placeOf(address);
    const [owner = "", name = ""] = path.split("/");
    return { http, repo: { owner, name } };
  };
  const count = async (address: string, what: Content) => {
    const { http, repo } = await at(address);
    return countContent(http, repo, what);
  };
  return {
    count: countingOnce(count),
    async hasCommit(address, sha) {
      const { http, repo } = await at(address);
      return isFound(call(http, commitGet, { repo, sha }));
    },
    async updated(address, since) {
      const { http, repo } = await at(address);
      return updatedSince(http, repo, since);
    },
    async wikiCommits(address) {
      const { http, repo } = await at(address);
      return new Set((await pagesOfWiki(http, repo)).flatMap(({ last_commit }) => last_commit?.sha ?? []));
    },
    async texts(address, since) {
      const { http, repo } = await at(address);
      return textsOf(http, repo, since);
    },
    async requireIssues(address) {
      try {
        const { http, repo } = await at(address);
        for await (const _ of call(http, issueList, { repo }).take(1)) return;
      } catch (error) {
        if (error instanceof DeniedError || !(error instanceof Failure)) throw error;
      }
    },
  };
}

/**
 * What the servers of Gitea and Forgejo say of the repositories of a list, each perhaps on another one. What cannot be asked
 * from here is not known.
 */
export function ofList({ service }: ImportSettings, connect: (base: URL) => Promise<Http>): SourceReads {
  const servers = new Map<string, Promise<Http>>();
  const placeOf = async (address: string): Promise<Place> => {
    const at = new URL(address);
    const { protocol, pathname } = at;
    if (!protocol.startsWith("http")) throw new UsageError("Only http and https addresses can be asked");
    const parts = pathname
      .replace(/\/+$/, "")
      .replace(/\.git$/, "")
      .split("/");
    const base = addressAt(at, parts.slice(0, -2).join("/"));
    const http = servers.get(base.href) ?? connect(base);
    servers.set(base.href, http);
    return { http: await http, path: parts.slice(-2).map(decoded).join("/") };
  };
  const find = async (address: string) => {
    const { http, path } = await placeOf(address);
    const found = await findAtSource(http, "gitea", path);
    return found === undefined ? undefined : { address, repo: found.repo };
  };
  const isServer = once(
    (address: string, _http: Http) => originOf(address).split("/").slice(0, -2).join("/"),
    (_address, http) => isGitea(http),
  );
  const isGone = async (address: string) => {
    const { http, path } = await placeOf(address);
    // Another kind of server says 404 of everything.
    return (await isServer(address, http)) === true && (await findAtSource(http, "gitea", path))?.repo === undefined;
  };
  if (service !== "gitea") return { find: async () => undefined, isGone: async () => false, ...readsOf(undefined) };
  const { count, hasCommit, updated, wikiCommits, texts, requireIssues } = readsOf(placeOf);
  return {
    find: (address) => ifKnown(find(address)),
    isGone: async (address) => (await ifKnown(isGone(address))) === true,
    count: (address, what) => ifKnown(count(address, what)),
    hasCommit: (address, sha) => ifKnown(hasCommit(address, sha)),
    updated: (address, since) => ifKnown(updated(address, since)),
    wikiCommits: (address) => ifKnown(wikiCommits(address)),
    texts: (address, since) => ifKnown(texts(address, since)),
    requireIssues,
  };
}

function ifKnown<T>(request: Promise<T>): Promise<T | undefined> {
  return request.catch((error: unknown) => {
    if (error instanceof Failure) return undefined;
    throw error;
  });
}

/** What identifies the repository at an address: its host and path, which are the same in any case. */
export function originOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { host, pathname } = new URL(address);
  return `${host}${pathname.replace(/\/+$/, "").replace(/\.git$/, "")}`.toLowerCase();
}
