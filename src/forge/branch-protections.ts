import { boolean, type Infer, integer, list, optional, serverRecord, string, time } from "../shape/shape.ts";
import { operation, pagesOf } from "./operation.ts";
import { type Belonging, type Settings, shapesOf } from "./setting.ts";
import { undoCreate, undoDelete, undoEdit } from "./undo.ts";

const toggle = (flag: string, ...needs: readonly string[]) => ({ shape: boolean, flag, needs });
const globs = (flag: string) => ({ shape: string, flag, placeholder: "GLOBS" });
const listed =
  <const N extends "user" | "team">(names: N, onlyWithAccess?: "read" | "write") =>
  (flag: string, needs: string) => ({ shape: list(string), names, flag, needs: [needs], onlyWithAccess });
const writers = listed("user", "write");
const teams = listed("team", "read");

/** The settings of a branch protection. Which exist differs by server (docs/server-differences.md, "Branches and tags"). */
export const branchProtectionSettings = {
  priority: { shape: integer, flag: "position among the protections; the first that matches a branch applies", min: 1 },
  enable_push: toggle("users who can write can push"),
  enable_push_whitelist: toggle("only listed users and teams can push", "enable_push"),
  push_whitelist_deploy_keys: toggle("deploy keys that can write can push", "enable_push", "enable_push_whitelist"),
  enable_force_push: toggle("users who can push can force push"),
  enable_force_push_allowlist: toggle("only listed users and teams can force push", "enable_force_push"),
  force_push_allowlist_deploy_keys: toggle(
    "deploy keys can force push",
    "enable_force_push",
    "enable_force_push_allowlist",
  ),
  enable_merge_whitelist: toggle("only listed users and teams can merge"),
  enable_bypass_allowlist: toggle("listed users and teams can bypass the protection"),
  enable_status_check: toggle("require status checks to pass"),
  required_approvals: { shape: integer, flag: "number of approvals that a merge requires" },
  enable_approvals_whitelist: toggle("only approvals of listed users and teams count"),
  block_on_rejected_reviews: toggle("block merging while a reviewer requests changes"),
  block_on_official_review_requests: toggle("block merging while official reviews are requested"),
  block_on_outdated_branch: toggle("block merging while the branch is behind its base"),
  block_on_codeowner_reviews: toggle("block merging while a code owner has not approved"),
  dismiss_stale_approvals: toggle("new commits dismiss approvals"),
  ignore_stale_approvals: toggle("approvals of earlier commits do not count"),
  require_signed_commits: toggle("commits must have a signature that the server verifies"),
  protected_file_patterns: globs("files that nobody can change: globs separated by ;"),
  unprotected_file_patterns: globs("files that can be changed directly: globs separated by ;"),
  block_admin_merge_override: toggle("apply the rules to administrators"),
  apply_to_admins: toggle("apply the rules to administrators"),
  push_whitelist_usernames: writers("users who can push", "enable_push_whitelist"),
  push_whitelist_teams: teams("teams that can push", "enable_push_whitelist"),
  force_push_allowlist_usernames: writers("users who can force push", "enable_force_push_allowlist"),
  force_push_allowlist_teams: teams("teams that can force push", "enable_force_push_allowlist"),
  merge_whitelist_usernames: writers("users who can merge", "enable_merge_whitelist"),
  merge_whitelist_teams: teams("teams that can merge", "enable_merge_whitelist"),
  bypass_allowlist_usernames: listed("user")("users who can bypass the protection", "enable_bypass_allowlist"),
  bypass_allowlist_teams: listed("team")("teams that can bypass the protection", "enable_bypass_allowlist"),
  approvals_whitelist_username: listed("user", "read")("users whose approvals count", "enable_approvals_whitelist"),
  approvals_whitelist_teams: teams("teams whose approvals count", "enable_approvals_whitelist"),
  status_check_contexts: {
    shape: list(string),
    flag: "required checks, as globs",
    placeholder: "GLOB",
    needs: ["enable_status_check"],
  },
} satisfies Settings;

/** A branch protection. */
export const branchProtection = serverRecord(
  "a branch protection",
  { rule_name: string, ...shapesOf(branchProtectionSettings), updated_at: optional(time) },
  { branch_name: optional(string), created_at: optional(time) },
);

export type BranchProtection = Infer<typeof branchProtection>;

/** The settings of a type that need others. */
const needing = (type: "boolean" | "list"): Belonging[] =>
  Object.entries<Settings[string]>(branchProtectionSettings)
    .filter(([, { shape }]) => shape.type === type)
    .map(([name, { needs = [] }]) => ({ of: needs, sends: [name], clears: true }));

/** The switches that are false, and the lists that have no effect, while what they need is off. */
export const protectionSwitches = needing("boolean");
export const protectionLists = needing("list");

/** By priority on Gitea, by name on Forgejo, all in one page. */
export const branchProtectionList = operation("GET", "/repos/{owner}/{repo}/branch_protections", {
  answers: pagesOf(branchProtection, { unpaged: true }),
});

export const branchProtectionGet = operation("GET", "/repos/{owner}/{repo}/branch_protections/{name}", {
  answers: branchProtection,
});

export const branchProtectionCreate = operation("POST", "/repos/{owner}/{repo}/branch_protections", {
  answers: branchProtection,
  undo: undoCreate({ key: "rule_name" }),
  applied: { except: { branch_name: "the older name of rule_name" }, answered: "all" },
});

export const branchProtectionEdit = operation("PATCH", "/repos/{owner}/{repo}/branch_protections/{name}", {
  answers: branchProtection,
  undo: undoEdit({ moved: ({ rule_name: name }) => (typeof name === "string" ? { name } : {}) }),
  applied: { answered: "all" },
});

/** Sets the priority of protections by their ids, which no record has; unknown ids are ignored. */
export const branchProtectionOrder = operation("POST", "/repos/{owner}/{repo}/branch_protections/priority", {
  undo: "the previous order is not recorded",
});

export const branchProtectionDelete = operation("DELETE", "/repos/{owner}/{repo}/branch_protections/{name}", {
  undo: undoDelete({ edits: true }),
});
