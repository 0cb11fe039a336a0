import type { PullRequest } from "../../forge/pulls.ts";

/** One word for a pull request's state: what a person wants to know first. */
export function pullState(pull: PullRequest): "merged" | "closed" | "draft" | "open" {
  if (pull.merged) return "merged";
  if (pull.state === "closed") return "closed";
  return pull.draft ? "draft" : "open";
}
