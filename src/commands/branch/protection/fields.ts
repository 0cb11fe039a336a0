import { listEdits } from "../../../app/fields.ts";
import { type Lists, lower } from "../../../app/listed-users.ts";
import { integer, text, wholeList, yesNo } from "../../../command/flags.ts";
import { UsageError } from "../../../failure/failure.ts";
import { ignoredIn, protectionSettings } from "../../../forge/branch-protections.ts";

const user = { placeholder: "USER" };
const team = { placeholder: "TEAM" };

/** The flags for the lists of a branch protection, named after the fields of the API. */
export const listFields = {
  pushWhitelistUsernames: wholeList("users who can push, with --enable-push-whitelist", user),
  pushWhitelistTeams: wholeList("teams that can push, with --enable-push-whitelist", team),
  forcePushAllowlistUsernames: wholeList("users who can force push, with --enable-force-push-allowlist", user),
  forcePushAllowlistTeams: wholeList("teams that can force push, with --enable-force-push-allowlist", team),
  mergeWhitelistUsernames: wholeList("users who can merge, with --enable-merge-whitelist", user),
  mergeWhitelistTeams: wholeList("teams that can merge, with --enable-merge-whitelist", team),
  bypassAllowlistUsernames: wholeList("users who can bypass the protection, with --enable-bypass-allowlist", user),
  bypassAllowlistTeams: wholeList("teams that can bypass the protection, with --enable-bypass-allowlist", team),
  approvalsWhitelistUsername: wholeList("users whose approvals count, with --enable-approvals-whitelist", user),
  approvalsWhitelistTeams: wholeList("teams whose approvals count, with --enable-approvals-whitelist", team),
  statusCheckContexts: wholeList("required checks, as globs, with --enable-status-check", { placeholder: "GLOB" }),
};

/** The other flags for the settings of a branch protection, named after the fields of the API. */
export const plainFields = {
  priority: integer("position among the protections; the first that matches a branch applies", { min: 1 }),
  enablePush: yesNo("users who can write can push"),
  enablePushWhitelist: yesNo("only listed users and teams can push"),
  pushWhitelistDeployKeys: yesNo("deploy keys that can write can push"),
  enableForcePush: yesNo("users who can push can force push"),
  enableForcePushAllowlist: yesNo("only listed users and teams can force push"),
  forcePushAllowlistDeployKeys: yesNo("deploy keys can force push"),
  enableMergeWhitelist: yesNo("only listed users and teams can merge"),
  enableBypassAllowlist: yesNo("listed users and teams can bypass the protection"),
  enableStatusCheck: yesNo("require status checks to pass"),
  requiredApprovals: integer("number of approvals that a merge requires"),
  enableApprovalsWhitelist: yesNo("only approvals of listed users and teams count"),
  blockOnRejectedReviews: yesNo("block merging while a reviewer requests changes"),
  blockOnOfficialReviewRequests: yesNo("block merging while official reviews are requested"),
  blockOnOutdatedBranch: yesNo("block merging while the branch is behind its base"),
  dismissStaleApprovals: yesNo("new commits dismiss approvals"),
  ignoreStaleApprovals: yesNo("approvals of earlier commits do not count"),
  requireSignedCommits: yesNo("commits must have a signature that the server verifies"),
  protectedFilePatterns: text("files that nobody can change: globs separated by ;", { placeholder: "GLOBS" }),
  unprotectedFilePatterns: text("files that can be changed directly: globs separated by ;", { placeholder: "GLOBS" }),
  blockAdminMergeOverride: yesNo("apply the rules to administrators"),
  applyToAdmins: yesNo("apply the rules to administrators"),
};

/** `--add-X` and `--remove-X` for each list. */
export const listEditFields = listEdits(listFields);

/** The lists that have no effect unless another setting is on, by that. */
const listsOf = {
  enable_push_whitelist: ["push_whitelist_usernames", "push_whitelist_teams"],
  enable_force_push_allowlist: ["force_push_allowlist_usernames", "force_push_allowlist_teams"],
  enable_merge_whitelist: ["merge_whitelist_usernames", "merge_whitelist_teams"],
  enable_bypass_allowlist: ["bypass_allowlist_usernames", "bypass_allowlist_teams"],
  enable_approvals_whitelist: ["approvals_whitelist_username", "approvals_whitelist_teams"],
  enable_status_check: ["status_check_contexts"],
} as const;

/** What a new protection has that is not given. */
export const off: Lists = Object.fromEntries(Object.keys(listsOf).map((name) => [name, false]));

/** Whether a body has lists that can be without effect. */
export function hasLists(body: Lists): boolean {
  return Object.values(listsOf).some((names) => names.some((name) => lower(body[name]).length > 0));
}

/** The lists of a body that have no effect, because what they belong to is off, in it or `before`. */
export function withoutEffect(body: Lists, before: Lists): string[] {
  const now = { ...before, ...body };
  return Object.entries(listsOf).flatMap(([enable, names]) => {
    const lists = names.filter((name) => name in body && lower(now[name]).length > 0);
    return lists.length > 0 && now[enable] === false
      ? [`${lists.join(", ")} has no effect without --${enable.replaceAll("_", "-")}`]
      : [];
  });
}

/** The settings to turn on with those of a new protection. Throws a usage error for one that is turned off. */
export function neededByNew(body: Lists): string[] {
  const ignored = ignoredIn(protectionSettings, body, undefined);
  const off = ignored.find(({ unit }) => unit in body);
  const flag = (name: string) => name.replaceAll("_", "-");
  if (off !== undefined) throw new UsageError(`--${flag(off.field)} has no effect with --no-${flag(off.unit)}`);
  return [...new Set(ignored.map(({ unit }) => unit))];
}
