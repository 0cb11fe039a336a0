import { defineCommand } from "../../../app/define.ts";
import { repoPage } from "../../../app/web.ts";
import { collaboratorList } from "../../../forge/collaborators.ts";
import { call } from "../../../forge/operation.ts";
import { user } from "../../../forge/users.ts";
import { list as listOf } from "../../../shape/shape.ts";
import { userColumns } from "../../follow/list.ts";
import { repoArgument } from "../shared.ts";

/** `tongs repo collaborator list`: GET the collaborators, without the owner and teams. */
export const list = defineCommand({
  summary: "List the collaborators of a repository",
  details: "The owner, and members of teams with access, are not collaborators.",
  on: "repository",
  effect: "read",
  lists: ["collaborator", "collaborators"],
  args: { repo: repoArgument },
  output: listOf(user),
  examples: [["List the collaborators", "tongs repo collaborator list mara/harbor"]],
  web: { page: ({ repo }) => repoPage(repo, "settings", "collaboration") },
  async run({ http, repo, out }) {
    await out.list(call(http, collaboratorList, { repo }), userColumns);
  },
});
