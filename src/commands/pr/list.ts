import { defineCommand } from "../../command/define.ts";
import { choiceOr, text } from "../../command/flags.ts";
import { type PullRequest, pullRequest } from "../../forge/records/pull-request.ts";
import { list as listOf } from "../../forge/records/shape.ts";
import { styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { pullState } from "./state.ts";

const columns = [
  column<PullRequest>("ID", (pull) =>
    styled(pullState(pull) === "open" ? "good" : pullState(pull) === "merged" ? "merged" : "dim", `#${pull.number}`),
  ),
  column<PullRequest>("TITLE", (pull) => pull.title, true),
  column<PullRequest>("BRANCH", (pull) => styled("link", pull.head?.label ?? ""), true),
  column<PullRequest>("STATE", (pull) => pullState(pull)),
  column<PullRequest>("CREATED", (pull) => when(pull.created_at)),
];

/** `tongs pr list`: GET the pull requests of a repository. */
export const list = defineCommand({
  summary: "List pull requests",
  on: "repository",
  effect: "read",
  flags: {
    state: choiceOr(["open", "closed", "merged", "all"], "open", "in which state"),
    base: text("into this branch", { placeholder: "BRANCH" }),
  },
  output: listOf(pullRequest),
  examples: [["What is open here", "tongs pr list"]],
  async run({ forge, repo, flags, out }) {
    const state = flags.state === "merged" ? "closed" : flags.state;
    await out.list(forge.pulls.list(repo, { state, base_branch: flags.base }), columns);
  },
});
