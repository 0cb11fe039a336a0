import { defineCommand } from "../../../app/define.ts";
import { repoPage } from "../../../app/web.ts";
import { type GitHook, gitHook, gitHookList } from "../../../forge/hooks.ts";
import { call } from "../../../forge/operation.ts";
import { styled } from "../../../output/cells.ts";
import { column } from "../../../output/table.ts";
import { list as listOf } from "../../../shape/shape.ts";

const columns = [
  column<GitHook>("NAME", "name", { style: "strong" }),
  column<GitHook>("STATE", "is_active", (hook) =>
    hook.is_active ? styled("good", "active") : styled("dim", "inactive"),
  ),
];

/** `tongs hook git list`: GET /repos/{owner}/{repo}/hooks/git. */
export const list = defineCommand({
  summary: "List git hooks",
  details: "Requires the permission to edit git hooks, which the server can disable for everyone.",
  on: "repository",
  effect: "read",
  lists: ["git hook", "git hooks"],
  output: listOf(gitHook),
  examples: [["List the git hooks of the current repository", "tongs hook git list"]],
  web: { page: ({ repo }) => repoPage(repo, "settings/hooks/git") },
  async run({ http, repo, out }) {
    await out.list(call(http, gitHookList, { repo }), columns);
  },
});
