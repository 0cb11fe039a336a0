import { type Commit, readCommits, type Signature } from "../git/commits.ts";
import { changedFiles, lineCounts } from "../git/diff.ts";
import { type Entry, lastCommits, readBlob } from "../git/trees.ts";
import { accessTo } from "../http/access.ts";
import { pathOf, type View } from "../http/route.ts";
import { zeroTime } from "../http/time.ts";
import { combinedState } from "../pulls/statuses.ts";
import { recordOf } from "../release.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { StatusRecord } from "../state/records/issues.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { mayMerge, mayPush, ruleFor } from "../state/rules.ts";
import { userJson } from "./accounts.ts";
import { publicUserJson } from "./issues.ts";
import { repoJson } from "./repos.ts";

/** The verification of an unsigned commit. */
export const unverified = {
  verified: false,
  reason: "gpg.error.not_signed_commit",
  signature: "",
  signer: null,
  payload: "",
};

export interface CommitParts {
  readonly verification: boolean;
  readonly files: boolean;
  readonly stat: boolean;
}

/** The parts of commits to include, from the query; by default all. */
export function partsOf(query: URLSearchParams): CommitParts {
  const on = (name: string) => !query.has(name) || /^(1|t|true|on)$/i.test(query.get(name) ?? "");
  return { verification: on("verification"), files: on("files"), stat: on("stat") };
}

/** The user with an email address, if any. */
export function accountOf({ site }: View, { email }: Pick<Signature, "email">): UserRecord | undefined {
  const wanted = email.toLowerCase();
  const isNoReply = (user: UserRecord) => wanted === `${user.id}+${user.name.toLowerCase()}@noreply.localhost`;
  return site
    .table("users")
    .find((user) => user.kind === "person" && (user.email.toLowerCase() === wanted || isNoReply(user)));
}

const words: Readonly<Record<string, string>> = { deleted: "removed", changed: "modified" };

/** Each commit with an id as `Commit` (docs/server-differences.md, "Commits and files"). */
export async function commitsJson(
  view: View,
  repo: RepoRecord,
  ids: readonly string[],
  parts: CommitParts,
): Promise<Record<string, unknown>[]> {
  const commits = await readCommits({ site: view.site, repo }, ids);
  return Promise.all(commits.map((commit) => commitJson(view, repo, commit, parts)));
}

async function commitJson(
  view: View,
  repo: RepoRecord,
  commit: Commit,
  parts: CommitParts,
): Promise<Record<string, unknown>> {
  const { api, web } = pathOf(view, repo);
  const url = `${api}/git/commits/${commit.sha}`;
  const created = commit.committer.date;
  const isCounted = parts.files || parts.stat;
  const [from = "", flags] = [commit.parents[0], ["--no-renames"]];
  const changes = isCounted ? await changedFiles({ site: view.site, repo }, from, commit.sha, flags) : [];
  const counts = lineCounts(changes);
  const person = (signature: Signature) => {
    const user = accountOf(view, signature);
    return user ? userJson({ ...view, currentUser: undefined }, user) : null;
  };
  return recordOf(view.site, "Commit", commit, {
    url,
    created,
    html_url: `${web}/commit/${commit.sha}`,
    commit: recordOf(view.site, "RepoCommit", commit, {
      url,
      // Gitea sends the commit id here.
      tree: { url: `${api}/git/trees/${commit.sha}`, sha: commit.sha, created },
      verification: parts.verification ? unverified : null,
    }),
    author: person(commit.author),
    committer: person(commit.committer),
    parents: commit.parents.map((sha) => ({ url: `${api}/git/commits/${sha}`, sha, created: zeroTime })),
    files: parts.files
      ? changes.map(({ path, status }) => ({ filename: path, status: words[status] ?? status }))
      : null,
    stats: parts.stat ? { total: counts.additions + counts.deletions, ...counts } : null,
  });
}

/** `PayloadCommit`: the commit of a branch. */
export function payloadCommit(view: View, repo: RepoRecord, commit: Commit): Record<string, unknown> {
  const person = ({ name, email }: Signature) => ({ name, email, username: accountOf(view, { email })?.name ?? "" });
  return recordOf(view.site, "PayloadCommit", commit, {
    id: commit.sha,
    url: `${pathOf(view, repo).web}/commit/${commit.sha}`,
    author: person(commit.author),
    committer: person(commit.committer),
    verification: unverified,
    timestamp: commit.committer.date,
  });
}

/** `FileCommitResponse`: the commit created by a file change. */
export function fileCommit(view: View, repo: RepoRecord, commit: Commit): Record<string, unknown> {
  const { api, web } = pathOf(view, repo);
  const meta = (kind: "commits" | "trees", sha: string) => ({
    url: `${api}/git/${kind}/${sha}`,
    sha,
    created: zeroTime,
  });
  return recordOf(view.site, "FileCommitResponse", commit, meta("commits", commit.sha), {
    html_url: `${web}/commit/${commit.sha}`,
    parents: commit.parents.map((sha) => meta("commits", sha)),
    tree: meta("trees", commit.tree),
  });
}

/** `CommitStatus`. */
export function statusJson(view: View, repo: RepoRecord, status: StatusRecord): Record<string, unknown> {
  return recordOf(view.site, "CommitStatus", status, {
    id: status.number,
    url: `${pathOf(view, repo).api}/statuses/${status.sha}`,
    creator: status.creatorId === null ? null : publicUserJson(view, status.creatorId),
  });
}

/** `CombinedStatus` of the latest status of each context. */
export async function combinedJson(
  view: View,
  repo: RepoRecord,
  sha: string,
  latest: readonly StatusRecord[],
  shown: readonly StatusRecord[],
): Promise<Record<string, unknown>> {
  const url = `${pathOf(view, repo).api}/commits/${sha}`;
  return {
    state: combinedState(latest),
    sha,
    total_count: latest.length,
    statuses: latest.length === 0 ? null : shown.map((status) => statusJson(view, repo, status)),
    repository: repoJson(view, repo),
    commit_url: url,
    url: `${url}/status`,
  };
}

/** `Branch` with the effect of its protection on the caller. */
export function branchJson(view: View, repo: RepoRecord, name: string, tip: Commit): Record<string, unknown> {
  const { site, currentUser } = view;
  const rule = ruleFor(site.store, repo.id, name);
  const access = accessTo(site, currentUser, repo);
  const isWriter = access.atLeast("write", "code");
  const may = (allowed: typeof mayPush) =>
    isWriter && currentUser !== undefined && (rule === undefined || allowed(site.store, rule, currentUser));
  return recordOf(site, "Branch", rule?.settings ?? { status_check_contexts: [] }, {
    name,
    commit: payloadCommit(view, repo, tip),
    protected: rule !== undefined,
    user_can_push: may(mayPush),
    user_can_merge: may(mayMerge),
    effective_branch_protection_name: access.atLeast("admin") ? (rule?.rule_name ?? "") : "",
  });
}

/** A resolved branch, tag or commit. */
export interface ResolvedRef {
  readonly commit: string;
  readonly kind: "branch" | "tag" | "commit";
  /** The name as requested. */
  readonly ref: string;
}

/** Gitea omits the content of larger files (bytes). */
const largest = 10_485_760;

/** `ContentsResponse` for entries of one folder, of a single one with its content. */
export async function contentsJson(
  view: View,
  repo: RepoRecord,
  place: ResolvedRef,
  folder: string,
  entries: readonly Entry[],
  as: "alone" | "listed" = "alone",
): Promise<Record<string, unknown>[]> {
  const { site } = view;
  const paths = entries.map(({ path }) => path);
  const last = await lastCommits({ site, repo }, place.commit, folder, paths);
  const commits = await readCommits({ site, repo }, [...new Set(last.values())]);
  const byId = new Map(commits.map((commit) => [commit.sha, commit]));
  const lastOf = ({ path }: Entry) => byId.get(last.get(path) ?? "");
  return Promise.all(entries.map((entry) => contentJson(view, repo, place, entry, lastOf(entry), as)));
}

async function contentJson(
  view: View,
  repo: RepoRecord,
  { kind, ref }: ResolvedRef,
  entry: Entry,
  last: Commit | undefined,
  as: "alone" | "listed",
): Promise<Record<string, unknown>> {
  const { api, web } = pathOf(view, repo);
  const path = entry.path.split("/").map(encodeURIComponent).join("/");
  const isText = entry.type === "file" || entry.type === "symlink";
  const blob =
    isText && as === "alone" && entry.size <= largest
      ? await readBlob({ site: view.site, repo }, entry.sha)
      : undefined;
  const self = `${api}/contents/${path}?ref=${encodeURIComponent(ref)}`;
  const git = `${api}/git/${entry.type === "dir" ? "trees" : "blobs"}/${entry.sha}`;
  const html = `${web}/src/${kind}/${ref}/${path}`;
  const isFile = entry.type === "file";
  return recordOf(view.site, "ContentsResponse", entry, {
    last_commit_sha: last?.sha,
    last_committer_date: last?.committer.date,
    last_author_date: last?.author.date,
    encoding: blob && isFile ? "base64" : null,
    content: blob && isFile ? blob.toString("base64") : null,
    target: blob && entry.type === "symlink" ? blob.toString("utf8") : null,
    url: self,
    html_url: html,
    git_url: git,
    download_url: isText ? `${web}/raw/${kind}/${ref}/${path}` : null,
    submodule_git_url: null,
    _links: { self, git, html },
  });
}
