import type { PullRequest } from "../../forge/pulls.ts";
import { type PullContext, pullName, refusedError } from "./pull.ts";
import { explainPull } from "./why-reasons.ts";
import type { Reason } from "./why-shape.ts";

/** Reasons that stay when what is below is merged, and the branch rebased: others can be gone then, such as checks. */
const lasting: readonly Reason["code"][] = [
  "archived",
  "draft",
  "no_permission",
  "merge_allowlist",
  "missing_approvals",
  "changes_requested",
  "review_requested",
  "protected_files",
];

/** Why a pull request of a stack cannot be merged into the branch that the stack goes into, as far as it is known before. */
export async function lastingReasons(pull: PullRequest, into: string, context: PullContext): Promise<Reason[]> {
  const { reasons } = await explainPull(context, pull, { patience: 0, into });
  return reasons.filter(({ code }) => lasting.includes(code));
}

/** The failure of a stack that stops at a pull request, before its branch is moved. */
export function stopsAt(pull: PullRequest, reasons: readonly Reason[], context: PullContext) {
  const [first] = reasons;
  const lines = reasons.map(({ message, clear }) => `- ${message}. ${clear}.`);
  const hint = reasons.length > 1 ? ["Reasons that it cannot be merged:", ...lines].join("\n") : first?.clear;
  const message = `Cannot merge ${pullName(context, pull.number)}: ${first?.message}`;
  return refusedError("not_mergeable", message, { hint });
}
