import { text } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError, UnknownOperationError } from "../http/errors.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { boolean, type Infer, nullable, optional, serverRecord, string, using } from "../shape/shape.ts";
import { branchProtection } from "./branch-protections.ts";
import { call, operation, pagesOf } from "./operation.ts";

/** A branch protection, as far as it is about merging. */
const mergeRule = using(
  branchProtection,
  "rule_name",
  "enable_merge_whitelist",
  "merge_whitelist_usernames",
  "merge_whitelist_teams",
  "required_approvals",
  "enable_approvals_whitelist",
  "approvals_whitelist_username",
  "approvals_whitelist_teams",
  "ignore_stale_approvals",
  "block_on_rejected_reviews",
  "block_on_official_review_requests",
  "block_on_outdated_branch",
  "protected_file_patterns",
  "require_signed_commits",
);

export type MergeRule = Infer<typeof mergeRule>;

/** The fields of a commit that its signature is about. */
const signedCommit = serverRecord("a commit", {
  sha: string,
  commit: optional(
    nullable(
      serverRecord("a commit", {
        verification: optional(nullable(serverRecord("a verification", { verified: boolean }))),
      }),
    ),
  ),
});

/** What the protection of a branch says of merging, for administrators of the repository. */
export const mergeRuleGet = operation("GET", "/repos/{owner}/{repo}/branch_protections/{name}", { answers: mergeRule });

export const signingKeyGet = operation("GET", "/repos/{owner}/{repo}/signing-key.gpg", { answers: text });

/** The commits of a pull request with their verification. */
export const pullSignatureList = operation("GET", "/repos/{owner}/{repo}/pulls/{index}/commits", {
  answers: pagesOf(signedCommit, { unique: "sha" }),
});

/**
 * Whether the server has a key to sign merges with; undefined if it does not say. Without one, Gitea answers 404 and Forgejo
 * 200 with an empty body (docs/server-differences.md, "Pull requests: merging").
 */
export async function hasSigningKey(http: Http, repo: RepoName): Promise<boolean | undefined> {
  try {
    return (await call(http, signingKeyGet, { repo })).length > 0;
  } catch (error) {
    if (error instanceof UnknownOperationError) return undefined;
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}
