import { combinedState } from "../actions/statuses.ts";
import { type Commit, commitChanges, type Signature } from "../git/commits.ts";
import { accessTo } from "../http/access.ts";
import type { View } from "../http/route.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { StatusRecord } from "../state/records/issues.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { mayMerge, mayPush, ruleFor } from "../state/rules.ts";
import { userWire } from "./accounts.ts";
import { publicUserWire } from "./issues.ts";
import { repoWire } from "./repos.ts";
import { pathOf, zeroTime } from "./values.ts";

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

/** `Commit` (docs/server-differences.md, "Commits and files"). */
export async function commitWire(
  view: View,
  repo: RepoRecord,
  commit: Commit,
  parts: CommitParts,
): Promise<Record<string, unknown>> {
  const { api, web } = pathOf(view, repo);
  const url = `${api}/git/commits/${commit.sha}`;
  const created = commit.committer.date;
  const changes = parts.files || parts.stat ? await commitChanges(view.site, repo, commit.sha) : [];
  const person = (signature: Signature) => {
    const user = accountOf(view, signature);
    return user ? userWire({ ...view, currentUser: undefined }, user) : null;
  };
  return {
    url,
    sha: commit.sha,
    created,
    html_url: `${web}/commit/${commit.sha}`,
    commit: {
      url,
      author: commit.author,
      committer: commit.committer,
      message: commit.message,
      // Gitea sends the commit id here.
      tree: { url: `${api}/git/trees/${commit.sha}`, sha: commit.sha, created },
      verification: parts.verification ? unverified : null,
    },
    author: person(commit.author),
    committer: person(commit.committer),
    parents: commit.parents.map((sha) => ({ url: `${api}/git/commits/${sha}`, sha, created: zeroTime })),
    files: parts.files ? changes.map(({ filename, status }) => ({ filename, status })) : null,
    stats: parts.stat ? statsOf(changes) : null,
  };
}

function statsOf(changes: readonly { readonly additions: number; readonly deletions: number }[]) {
  const sum = (key: "additions" | "deletions") => changes.reduce((total, change) => total + change[key], 0);
  const [additions, deletions] = [sum("additions"), sum("deletions")];
  return { total: additions + deletions, additions, deletions };
}

/** `PayloadCommit`: the commit of a branch. */
export function payloadCommit(view: View, repo: RepoRecord, commit: Commit): Record<string, unknown> {
  const person = ({ name, email }: Signature) => ({ name, email, username: accountOf(view, { email })?.name ?? "" });
  return {
    id: commit.sha,
    message: commit.message,
    url: `${pathOf(view, repo).web}/commit/${commit.sha}`,
    author: person(commit.author),
    committer: person(commit.committer),
    verification: unverified,
    timestamp: commit.committer.date,
    added: null,
    removed: null,
    modified: null,
  };
}

/** `FileCommitResponse`: the commit created by a file change. */
export function fileCommit(view: View, repo: RepoRecord, commit: Commit): Record<string, unknown> {
  const { api, web } = pathOf(view, repo);
  const meta = (kind: "commits" | "trees", sha: string) => ({
    url: `${api}/git/${kind}/${sha}`,
    sha,
    created: zeroTime,
  });
  return {
    ...meta("commits", commit.sha),
    html_url: `${web}/commit/${commit.sha}`,
    author: commit.author,
    committer: commit.committer,
    parents: commit.parents.map((sha) => meta("commits", sha)),
    message: commit.message,
    tree: meta("trees", commit.tree),
  };
}

/** `CommitStatus`. */
export function statusWire(view: View, repo: RepoRecord, status: StatusRecord): Record<string, unknown> {
  return {
    id: status.number,
    status: status.status,
    target_url: status.target_url,
    description: status.description,
    url: `${pathOf(view, repo).api}/statuses/${status.sha}`,
    context: status.context,
    creator: status.creatorId === null ? null : publicUserWire(view, status.creatorId),
    created_at: status.created_at,
    updated_at: status.updated_at,
  };
}

/** `CombinedStatus` of the latest status of each context. */
export async function combinedWire(
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
    statuses: latest.length === 0 ? null : shown.map((status) => statusWire(view, repo, status)),
    repository: repoWire(view, repo),
    commit_url: url,
    url: `${url}/status`,
  };
}

/** `Branch` with the effect of its protection on the caller. */
export function branchWire(view: View, repo: RepoRecord, name: string, tip: Commit): Record<string, unknown> {
  const { site, currentUser } = view;
  const rule = ruleFor(site.store, repo.id, name);
  const access = accessTo(site, currentUser, repo);
  const isWriter = access.atLeast("write", "code");
  return {
    name,
    commit: payloadCommit(view, repo, tip),
    protected: rule !== undefined,
    required_approvals: rule?.settings.required_approvals ?? 0,
    enable_status_check: rule?.settings.enable_status_check ?? false,
    status_check_contexts: rule === undefined ? [] : rule.settings.status_check_contexts,
    user_can_push:
      isWriter && currentUser !== undefined && (rule === undefined || mayPush(site.store, rule, currentUser)),
    user_can_merge:
      isWriter && currentUser !== undefined && (rule === undefined || mayMerge(site.store, rule, currentUser)),
    effective_branch_protection_name: access.atLeast("admin") ? (rule?.rule_name ?? "") : "",
  };
}
