import { Failure, UsageError } from "../../../failure/failure.ts";
import { findAtSource, type SourceRepo } from "../../../forge/import-sources.ts";
import { issueList } from "../../../forge/issues.ts";
import { call } from "../../../forge/operation.ts";
import { type Content, countContent } from "../../../forge/repo-contents.ts";
import { addressAt } from "../../../http/address.ts";
import type { Http } from "../../../http/client.ts";
import { DeniedError } from "../../../http/errors.ts";
import type { RepoName } from "../../../repo/repo-name.ts";
import { once } from "../../../system/concurrency.ts";
import { decoded } from "../../../text/percent.ts";
import type { ImportSettings } from "./settings.ts";

/** What a source says of one of its repositories, by the address. */
export interface SourceReads {
  /** What is at an address, also if it was renamed or transferred; undefined if nothing is, or that is not known. */
  readonly find: (address: string) => Promise<Found | undefined>;
  /** How many of something a repository has; undefined if its server does not say that. */
  readonly count: (address: string, what: Content) => Promise<number | undefined>;
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

/** Reads repositories of Gitea and Forgejo, and counts each once. Of others, nothing is known. */
export function readsOf(placeOf: ((address: string) => Promise<Place>) | undefined): Omit<SourceReads, "find"> {
  if (placeOf === undefined) {
    return { count: async () => undefined, requireIssues: async () => {} };
  }
  const at = async (address: string): Promise<{ readonly http: Http; readonly repo: RepoName }> => {
    const { http, path } = await placeOf(address);
    const [owner = "", name = ""] = path.split("/");
    return { http, repo: { owner, name } };
  };
  return {
    count: once(
      (address, what) => `${what} ${originOf(address)}`,
      async (address, what) => {
        const { http, repo } = await at(address);
        return countContent(http, repo, what);
      },
    ),
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
  if (service !== "gitea") return { find: async () => undefined, ...readsOf(undefined) };
  const { count, requireIssues } = readsOf(placeOf);
  return {
    find: (address) => ifKnown(find(address)),
    count: (address, what) => ifKnown(count(address, what)),
    requireIssues,
  };
}

function ifKnown<T>(request: Promise<T>): Promise<T | undefined> {
  return request.catch((error: unknown) => {
    if (error instanceof Failure) return undefined;
    throw error;
  });
}

/**
 * What identifies the repository at an address: its host and path, which are the same in any case. Empty if a part of the
 * path is.
 */
export function originOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { host, pathname } = new URL(address);
  const path = pathname.replace(/\/+$/, "").replace(/\.git$/, "");
  return /\/(\/|$)/.test(path) ? "" : `${host}${path}`.toLowerCase();
}
