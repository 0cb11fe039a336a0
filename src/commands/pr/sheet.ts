import type { PullRequest } from "../../forge/pulls.ts";
import { state, styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { pullState } from "./state.ts";

/** A pull request for reading. */
export function pullSheet(pull: PullRequest): Sheet {
  const names = (users: readonly { readonly login: string }[] | null) =>
    (users ?? []).map((user) => user.login).join(", ");
  const open = pullState(pull) === "open";
  return {
    title: `${pull.title} #${pull.number}`,
    fields: [
      ["state", state(pullState(pull))],
      ["mergeable", open ? (pull.mergeable ? styled("good", "yes") : styled("bad", "no")) : undefined],
      ["author", pull.user?.login],
      ["into", pull.base?.label],
      [
        "from",
        pull.head?.repo && pull.head.repo_id !== pull.base?.repo_id
          ? `${pull.head.repo.full_name}:${pull.head.ref}`
          : pull.head?.ref,
      ],
      ["labels", (pull.labels ?? []).map((label) => label.name).join(", ")],
      ["assignees", names(pull.assignees)],
      [
        "reviewers",
        [names(pull.requested_reviewers), (pull.requested_reviewers_teams ?? []).map((team) => team.name).join(", ")]
          .filter((part) => part !== "")
          .join(", "),
      ],
      ["milestone", pull.milestone?.title],
      ["due", when(pull.due_date)],
      [
        "changes",
        pull.changed_files == null
          ? undefined
          : `${pull.changed_files} ${pull.changed_files === 1 ? "file" : "files"}, +${pull.additions ?? 0} -${pull.deletions ?? 0}`,
      ],
      ["comments", pull.comments > 0 ? pull.comments : undefined],
      ["created", when(pull.created_at)],
      ["updated", when(pull.updated_at)],
      ["merged", pull.merged ? when(pull.merged_at) : undefined],
      ["merged by", pull.merged_by?.login],
      ["url", styled("link", pull.html_url)],
    ],
    body: pull.body,
  };
}
