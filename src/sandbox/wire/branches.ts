import type { Commit } from "../git/commits.ts";
import { accessTo } from "../http/access.ts";
import type { View } from "../http/route.ts";
import type { RepoRecord } from "../state/repos.ts";
import { mayMergeInto, mayPushTo, ruleFor } from "../state/rules.ts";
import { payloadCommit } from "./commits.ts";

/** `Branch`: its tip and what its protection rule means for the caller. */
export function branchWire(view: View, repo: RepoRecord, name: string, tip: Commit): Record<string, unknown> {
  const { site, me } = view;
  const rule = ruleFor(site.store, repo.id, name);
  const access = accessTo(site, me, repo);
  const isWriter = access.atLeast("write", "code");
  return {
    name,
    commit: payloadCommit(view, repo, tip),
    protected: rule !== undefined,
    required_approvals: rule?.settings.required_approvals ?? 0,
    enable_status_check: rule?.settings.enable_status_check ?? false,
    status_check_contexts: rule === undefined ? [] : rule.settings.status_check_contexts,
    user_can_push: isWriter && me !== undefined && (rule === undefined || mayPushTo(site.store, rule, me)),
    user_can_merge: isWriter && me !== undefined && (rule === undefined || mayMergeInto(site.store, rule, me)),
    effective_branch_protection_name: access.atLeast("admin") ? (rule?.rule_name ?? "") : "",
  };
}
