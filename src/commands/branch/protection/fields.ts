import { listEdits } from "../../../app/fields.ts";
import { integer, text, wholeList, yesNo } from "../../../command/flags.ts";

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
