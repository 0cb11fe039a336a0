import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { boolean, type Infer, integer, list, nullable, optional, serverRecord, string, time } from "../shape/shape.ts";

const yesNo = optional(boolean);
const names = optional(nullable(list(string)));

/** A branch protection. Which settings exist differs by server (docs/server-differences.md, "Branches and tags"). */
export const branchProtection = serverRecord(
  "a branch protection",
  {
    branch_name: optional(string),
    rule_name: string,
    priority: optional(integer),
    enable_push: yesNo,
    enable_push_whitelist: yesNo,
    push_whitelist_usernames: names,
    push_whitelist_teams: names,
    push_whitelist_deploy_keys: yesNo,
    enable_force_push: yesNo,
    enable_force_push_allowlist: yesNo,
    force_push_allowlist_usernames: names,
    force_push_allowlist_teams: names,
    force_push_allowlist_deploy_keys: yesNo,
    enable_merge_whitelist: yesNo,
    merge_whitelist_usernames: names,
    merge_whitelist_teams: names,
    enable_bypass_allowlist: yesNo,
    bypass_allowlist_usernames: names,
    bypass_allowlist_teams: names,
    enable_status_check: yesNo,
    status_check_contexts: names,
    required_approvals: optional(integer),
    enable_approvals_whitelist: yesNo,
    approvals_whitelist_username: names,
    approvals_whitelist_teams: names,
    block_on_rejected_reviews: yesNo,
    block_on_official_review_requests: yesNo,
    block_on_outdated_branch: yesNo,
    dismiss_stale_approvals: yesNo,
    ignore_stale_approvals: yesNo,
    require_signed_commits: yesNo,
    protected_file_patterns: optional(string),
    unprotected_file_patterns: optional(string),
    block_admin_merge_override: yesNo,
    apply_to_admins: yesNo,
    created_at: optional(time),
    updated_at: optional(time),
  },
  [
    "rule_name",
    "priority",
    "enable_push",
    "push_whitelist_usernames",
    "push_whitelist_teams",
    "force_push_allowlist_usernames",
    "force_push_allowlist_teams",
    "merge_whitelist_usernames",
    "merge_whitelist_teams",
    "bypass_allowlist_usernames",
    "bypass_allowlist_teams",
    "enable_status_check",
    "status_check_contexts",
    "required_approvals",
    "approvals_whitelist_username",
    "approvals_whitelist_teams",
    "updated_at",
  ],
);

export type BranchProtection = Infer<typeof branchProtection>;

/** Settings of a branch protection, by the names of the API. */
export type ProtectionOption = Readonly<Record<string, unknown>>;

/** Branch protections. A rule with slashes in its name needs them escaped on Forgejo. */
export function branchProtectionsApi(http: Http) {
  const all = (repo: RepoName) => path`/repos/${repo.owner}/${repo.name}/branch_protections`;
  const one = (repo: RepoName, rule: string) => path`/repos/${repo.owner}/${repo.name}/branch_protections/${rule}`;

  return {
    /** By priority on Gitea, by name on Forgejo, all in one page. */
    list: (repo: RepoName) => http.list(all(repo), { items: branchProtection, unpaged: true }),

    get: (repo: RepoName, rule: string) => http.get(one(repo, rule), { answers: json(branchProtection) }),

    create: (repo: RepoName, body: ProtectionOption & { readonly rule_name: string }) =>
      http.post(all(repo), { body, answers: json(branchProtection) }),

    edit: (repo: RepoName, rule: string, body: ProtectionOption) =>
      http.patch(one(repo, rule), { body, answers: json(branchProtection) }),

    /** Sets the priority of protections by their ids, which no record has; unknown ids are ignored. */
    order: (repo: RepoName, ids: readonly number[]) =>
      http.post(path`/repos/${repo.owner}/${repo.name}/branch_protections/priority`, {
        ...{ body: { ids }, answers: nothing, since: "1.23" },
      }),

    delete: (repo: RepoName, rule: string) => http.delete(one(repo, rule), { answers: nothing }),
  };
}
