import { nothing } from "../http/answers.ts";
import { boolean, type Infer, integer, list, nullable, optional, serverRecord, string, time } from "../shape/shape.ts";
import { operation, pagesOf } from "./operation.ts";

const yesNo = optional(boolean);
const names = optional(nullable(list(string)));

/** A branch protection. Which settings exist differs by server (docs/server-differences.md, "Branches and tags"). */
export const branchProtection = serverRecord(
  "a branch protection",
  {
    rule_name: string,
    priority: optional(integer),
    enable_push: yesNo,
    push_whitelist_usernames: names,
    push_whitelist_teams: names,
    force_push_allowlist_usernames: names,
    force_push_allowlist_teams: names,
    merge_whitelist_usernames: names,
    merge_whitelist_teams: names,
    bypass_allowlist_usernames: names,
    bypass_allowlist_teams: names,
    enable_status_check: yesNo,
    status_check_contexts: names,
    required_approvals: optional(integer),
    approvals_whitelist_username: names,
    approvals_whitelist_teams: names,
    updated_at: optional(time),
  },
  {
    branch_name: optional(string),
    enable_push_whitelist: yesNo,
    push_whitelist_deploy_keys: yesNo,
    enable_force_push: yesNo,
    enable_force_push_allowlist: yesNo,
    force_push_allowlist_deploy_keys: yesNo,
    enable_merge_whitelist: yesNo,
    enable_bypass_allowlist: yesNo,
    enable_approvals_whitelist: yesNo,
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
  },
);

export type BranchProtection = Infer<typeof branchProtection>;

/** A rule with slashes in its name needs them escaped on Forgejo. */
const missing = "Branch protection {name}";

/** Settings that servers ignore while one that they belong to is off, or that are false then (`clears`). */
export interface Belonging {
  readonly of: readonly string[];
  readonly sends: readonly string[];
  readonly clears?: boolean;
}

/**
 * The settings of a body that a server ignores, and what each belongs to, which is off: in the body, or `before`, of a new
 * record undefined, where nothing is on. One that is cleared is ignored only if it is turned on.
 */
export function ignoredIn(
  settings: readonly Belonging[],
  body: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>> | undefined,
): { readonly field: string; readonly unit: string }[] {
  return settings.flatMap(({ of, sends, clears = false }) => {
    const isOff = (unit: string) =>
      body[unit] === false || (clears && body[unit] === undefined && (before === undefined || before[unit] === false));
    const isIgnored = (field: string) => body[field] !== undefined && !(clears && body[field] === false);
    return of.filter(isOff).flatMap((unit) => sends.filter(isIgnored).map((field) => ({ field, unit })));
  });
}

/** The lists that servers keep only users in who can write, and only teams that have the repository. */
export interface ListsOfWriters {
  readonly users: readonly string[];
  readonly teams: readonly string[];
}

export const branchLists: ListsOfWriters = {
  users: ["push_whitelist_usernames", "force_push_allowlist_usernames", "merge_whitelist_usernames"],
  teams: ["push_whitelist_teams", "force_push_allowlist_teams", "merge_whitelist_teams", "approvals_whitelist_teams"],
};

/** The settings that are false while the one that they belong to is. */
export const protectionSettings: readonly Belonging[] = [
  { of: ["enable_push"], sends: ["enable_push_whitelist", "push_whitelist_deploy_keys"], clears: true },
  { of: ["enable_push_whitelist"], sends: ["push_whitelist_deploy_keys"], clears: true },
  {
    of: ["enable_force_push"],
    sends: ["enable_force_push_allowlist", "force_push_allowlist_deploy_keys"],
    clears: true,
  },
  { of: ["enable_force_push_allowlist"], sends: ["force_push_allowlist_deploy_keys"], clears: true },
];

/** The settings that a body does not have, and without which servers ignore others of it. */
export function neededBeside(body: object): string[] {
  const needed = protectionSettings.flatMap(({ of, sends }) => (sends.some((name) => name in body) ? of : []));
  return [...new Set(needed)].filter((name) => !(name in body));
}

/** An edit of a protection, with those of the settings that it needs beside others and that are on. */
export function withNeeded<T extends object>(body: T, before: Readonly<Record<string, unknown>>): T {
  const on = neededBeside(body).filter((name) => before[name] === true);
  return { ...body, ...Object.fromEntries(on.map((name) => [name, true])) };
}

/** By priority on Gitea, by name on Forgejo, all in one page. */
export const branchProtectionList = operation("GET", "/repos/{owner}/{repo}/branch_protections", {
  answers: pagesOf(branchProtection, { unpaged: true }),
});

export const branchProtectionGet = operation("GET", "/repos/{owner}/{repo}/branch_protections/{name}", {
  answers: branchProtection,
  missing,
});

export const branchProtectionCreate = operation("POST", "/repos/{owner}/{repo}/branch_protections", {
  answers: branchProtection,
  undo: { by: "delete", key: "rule_name" },
  applied: { except: { branch_name: "the older name of rule_name" }, answered: "all" },
});

export const branchProtectionEdit = operation("PATCH", "/repos/{owner}/{repo}/branch_protections/{name}", {
  answers: branchProtection,
  missing,
  undo: {
    by: "restore",
    together: protectionSettings,
    emptyAs: { status_check_contexts: [] },
    renamed: ({ rule_name: name }) => (typeof name === "string" ? { name } : {}),
  },
  applied: { answered: "all" },
});

/** Sets the priority of protections by their ids, which no record has; unknown ids are ignored. */
export const branchProtectionOrder = operation("POST", "/repos/{owner}/{repo}/branch_protections/priority", {
  answers: nothing,
  undo: "the previous order is not recorded",
});

export const branchProtectionDelete = operation("DELETE", "/repos/{owner}/{repo}/branch_protections/{name}", {
  answers: nothing,
  missing,
  undo: { by: "create", edits: true },
});
