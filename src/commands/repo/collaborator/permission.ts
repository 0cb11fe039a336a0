import { defineCommand } from "../../../app/define.ts";
import { currentUser } from "../../../app/shared.ts";
import { optional } from "../../../command/args.ts";
import { collaboratorPermission, collaboratorPermissionGet } from "../../../forge/collaborators.ts";
import { call } from "../../../forge/operation.ts";
import { explainUnknownUser } from "./unknown-user.ts";

/** `tongs repo collaborator permission`: GET what a user may do in a repository. */
export const permission = defineCommand({
  summary: "View a user's permission for a repository",
  details: "The access that a team gives to single units does not count.",
  on: "repository",
  effect: "read",
  args: { user: optional("username (default: you)") },
  output: collaboratorPermission,
  examples: [["Print a user's permission", "tongs repo collaborator permission jonas --jq .permission"]],
  async run(context) {
    const { args, http, repo, out } = context;
    const collaborator = args.user ?? (await currentUser(context));
    const found = await call(http, collaboratorPermissionGet, { repo, collaborator }).catch(
      explainUnknownUser(collaborator),
    );
    await out.record(found, ({ permission, role_name, user }) => ({
      title: user?.login ?? collaborator,
      fields: [
        ["permission", permission],
        ["role", role_name === permission ? undefined : role_name],
      ],
    }));
  },
});
