import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { DeniedError, HttpError, ifFound, ifVisible, isWebPage, NotFoundError } from "../http/errors.ts";
import { NoAnswerError } from "../http/no-answer-error.ts";
import { type Path, path } from "../http/path.ts";
import {
  anything,
  boolean,
  type Infer,
  integer,
  nullable,
  optional,
  type Shape,
  serverRecord,
  string,
} from "../shape/shape.ts";
import { decoded } from "../text/percent.ts";
import { collect } from "./listings.ts";
import { call } from "./operation.ts";
import { seesAllRepos } from "./orgs.ts";
import { type Repository, repoGet, userRepoList } from "./repos.ts";
import { versionGet } from "./server.ts";

/** The servers whose repositories can be listed, by the words of the migration; Forgejo is `gitea`. */
export type SourceService = "github" | "gitlab" | "gitea";

/** A repository at the source of an import. */
export interface SourceRepo {
  /** `acme/tools/harbor`: where it is below the server's address. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly visibility: "public" | "private" | "internal";
  readonly archived: boolean;
  readonly fork: boolean;
  readonly empty: boolean;
  readonly created: string | undefined;
  /** The fields of the migration that fail, because it does not have such things. */
  readonly lacks: readonly string[];
  /** What it has, as far as the server says that; GitHub counts issues and pull requests together. */
  readonly counts: Counts;
}

/** The number of open issues, open pull requests, both together, and releases. */
export interface Counts {
  readonly issues?: number | undefined;
  readonly pulls?: number | undefined;
  readonly both?: number | undefined;
  readonly releases?: number | undefined;
}

// The interfaces of GitHub (docs.github.com/rest/repos) and GitLab (docs.gitlab.com/api/projects), as far as they list
// repositories.

const githubRepo = serverRecord("a repository of GitHub", {
  name: string,
  full_name: string,
  description: optional(nullable(string)),
  private: boolean,
  visibility: optional(string),
  archived: optional(boolean),
  fork: optional(boolean),
  size: optional(integer),
  created_at: optional(nullable(string)),
  open_issues_count: optional(integer),
  has_issues: optional(boolean),
});
const githubAccount = serverRecord("an account of GitHub", { login: string, type: optional(string) });
const githubMembership = serverRecord("a membership of GitHub", { role: string });

const gitlabProject = serverRecord("a project of GitLab", {
  path: string,
  path_with_namespace: string,
  description: optional(nullable(string)),
  visibility: optional(string),
  archived: optional(boolean),
  forked_from_project: optional(nullable(anything)),
  empty_repo: optional(boolean),
  created_at: optional(nullable(string)),
  open_issues_count: optional(integer),
  issues_enabled: optional(boolean),
  merge_requests_enabled: optional(boolean),
});
const gitlabUser = serverRecord("a user of GitLab", { id: integer, username: string, is_admin: optional(boolean) });

/** The largest pages that GitHub and GitLab have. */
const large = { per_page: 100 } as const;

/**
 * The repositories of a user, an organization, or a group with its subgroups; undefined if there is no such owner. With
 * `signedIn`, private ones are among them.
 */
export function listSource(
  http: Http,
  service: SourceService,
  { owner, signedIn }: { readonly owner: string; readonly signedIn: boolean },
): Promise<SourceRepo[] | undefined> {
  if (service === "github") return listGithub(http, owner, signedIn);
  return service === "gitlab" ? listGitlab(http, owner) : ifFound(listGitea(http, owner));
}

async function listGithub(http: Http, owner: string, signedIn: boolean): Promise<SourceRepo[] | undefined> {
  const account = await ifFound(http.get(path`//users/${owner}`, { answers: json(githubAccount) }));
  if (account === undefined) return undefined;
  const { login, type } = account;
  // Only the list of the caller's own repositories has private ones.
  const isOwn =
    signedIn &&
    type !== "Organization" &&
    (await http.get(path`//user`, { answers: json(githubAccount) })).login === login;
  const [at, query] =
    type === "Organization"
      ? [path`//orgs/${login}/repos`, { type: "all" }]
      : isOwn
        ? [path`//user/repos`, { affiliation: "owner" }]
        : [path`//users/${login}/repos`, { type: "owner" }];
  return (await listed(http, at, githubRepo, query)).map(fromGithub);
}

function fromGithub(repo: Infer<typeof githubRepo>): SourceRepo {
  const { name, full_name, description, visibility, archived, fork, size, open_issues_count, has_issues } = repo;
  return {
    path: full_name,
    name,
    description: description ?? "",
    visibility: visibility === "internal" ? "internal" : repo.private ? "private" : "public",
    archived: archived === true,
    fork: fork === true,
    // In KB.
    empty: size === 0,
    created: repo.created_at ?? undefined,
    lacks: lacking({ issues: has_issues }),
    counts: { both: open_issues_count },
  };
}

/** The names of what is turned off. */
function lacking(units: Readonly<Record<string, boolean | undefined>>): string[] {
  return Object.keys(units).filter((name) => units[name] === false);
}

async function listGitlab(http: Http, owner: string): Promise<SourceRepo[] | undefined> {
  const inGroup = path`/api/v4/groups/${owner}/projects`;
  const query = { include_subgroups: true, with_shared: false };
  const projects = (await ifFound(listed(http, inGroup, gitlabProject, query))) ?? (await listGitlabUser(http, owner));
  return projects?.map(fromGitlab);
}

function fromGitlab(project: Infer<typeof gitlabProject>): SourceRepo {
  const { path: name, path_with_namespace, description, visibility } = project;
  return {
    path: path_with_namespace,
    name,
    description: description ?? "",
    visibility: visibility === "public" || visibility === "internal" ? visibility : "private",
    archived: project.archived === true,
    fork: project.forked_from_project != null,
    empty: project.empty_repo === true,
    created: project.created_at ?? undefined,
    lacks: lacking({ issues: project.issues_enabled, pull_requests: project.merge_requests_enabled }),
    counts: { issues: project.open_issues_count },
  };
}

async function listGitlabUser(http: Http, username: string) {
  const [user] = await collect(
    http.list(path`/api/v4/users`, { items: gitlabUser, query: { username }, unpaged: true }),
  );
  return user === undefined ? undefined : listed(http, path`/api/v4/users/${user.id}/projects`, gitlabProject, {});
}

function listed<T>(http: Http, at: Path, items: Shape<T>, query: Readonly<Record<string, string | boolean>>) {
  return collect(http.list(at, { items, query: { ...query, ...large }, unique: "id" }));
}

async function listGitea(http: Http, username: string): Promise<SourceRepo[]> {
  return (await collect(call(http, userRepoList, { username }))).map(fromGitea);
}

function fromGitea(repo: Repository): SourceRepo {
  return {
    path: repo.full_name,
    name: repo.name ?? "",
    description: repo.description ?? "",
    visibility: repo.private === true ? "private" : repo.internal === true ? "internal" : "public",
    archived: repo.archived === true,
    fork: repo.fork === true,
    empty: repo.empty === true,
    created: repo.created_at ?? undefined,
    // Of an empty repository and of a mirror, servers list no pull requests, and the migration fails
    // (docs/server-differences.md, "Mirrors").
    lacks: lacking({
      issues: repo.has_issues,
      pull_requests: repo.has_pull_requests !== false && repo.empty !== true && repo.mirror !== true,
      releases: repo.has_releases,
    }),
    counts: { issues: repo.open_issues_count, pulls: repo.open_pr_counter, releases: repo.release_counter },
  };
}

/** Where a repository is at the source. */
export interface SourcePlace {
  /** Its present path; undefined if the server does not say it. */
  readonly path: string | undefined;
  /** Undefined if it was renamed or transferred to where the caller does not see it. */
  readonly repo?: SourceRepo;
}

/** A repository at the source; one that was renamed or transferred is found by its old path, too. */
export async function findAtSource(
  http: Http,
  service: SourceService,
  place: string,
): Promise<SourcePlace | undefined> {
  const [owner = "", name = ""] = place.split("/");
  if (service === "gitea") return placed(place, call(http, repoGet, { repo: { owner, name } }), fromGitea);
  if (service === "github")
    return placed(place, http.get(path`//repos/${owner}/${name}`, { answers: json(githubRepo) }), fromGithub);
  return placed(place, http.get(path`/api/v4/projects/${place}`, { answers: json(gitlabProject) }), fromGitlab);
}

/** A server that redirects to what the caller does not see answers 404 there (docs/server-differences.md, "Redirects"). */
async function placed<T>(
  place: string,
  found: Promise<T>,
  from: (record: T) => SourceRepo,
): Promise<SourcePlace | undefined> {
  try {
    const repo = from(await found);
    return { path: repo.path, repo };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const [area, ...parts] = error.exchange.redirectedTo?.pathname.split("/").slice(-3).map(decoded) ?? [];
    const to = parts.join("/");
    if (area === undefined || to.toLowerCase().endsWith(place.toLowerCase())) return undefined;
    // GitHub redirects to an ID.
    return { path: area === "repos" ? to : undefined };
  }
}

/**
 * Whether the caller, who is signed in, sees all repositories of an owner, also private ones: what is not listed is not there
 * then. That is so for the owner, and for the owners of an organization, the members of a group and administrators.
 */
export async function seesAll(http: Http, service: SourceService, owner: string): Promise<boolean> {
  const isOwner = (login: string) => login.toLowerCase() === owner.toLowerCase();
  if (service === "gitea") return seesAllRepos(http, owner);
  if (service === "gitlab") {
    const { id, username, is_admin } = await http.get(path`/api/v4/user`, { answers: json(gitlabUser) });
    if (is_admin === true || isOwner(username)) return true;
    const member = http.get(path`/api/v4/groups/${owner}/members/all/${id}`, { answers: json(anything) });
    return (await ifVisible(member)) !== undefined;
  }
  if (isOwner((await http.get(path`//user`, { answers: json(githubAccount) })).login)) return true;
  const membership = http.get(path`//user/memberships/orgs/${owner}`, { answers: json(githubMembership) });
  return (await ifVisible(membership))?.role === "admin";
}

/** Whether a server is a Gitea or Forgejo: GET /version. A refusal of the token is returned: it says nothing of that. */
export async function isGitea(http: Http): Promise<boolean | DeniedError> {
  return call(http, versionGet, {}).then(
    () => true,
    (error: unknown) => (error instanceof DeniedError ? error : (undefinedIfAnswered(error) ?? false)),
  );
}

/** Whether a server is a GitLab: GET /version, which tells its version to those who are signed in only. */
export async function isGitlab(http: Http): Promise<boolean> {
  const answer = http.get(path`/api/v4/version`, { answers: json(serverRecord("a version", { version: string })) });
  return answer.then(
    () => true,
    (error: unknown) => {
      if (error instanceof HttpError && !isWebPage(error.exchange)) return [401, 403].includes(error.exchange.status);
      return undefinedIfAnswered(error) ?? false;
    },
  );
}

function undefinedIfAnswered(error: unknown): undefined {
  if (error instanceof NoAnswerError || !(error instanceof Error && "exit" in error)) throw error;
  return undefined;
}
