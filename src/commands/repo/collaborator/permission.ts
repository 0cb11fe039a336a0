import { defineCommand } from "../../../app/define.ts";
import { currentUser } from "../../../app/shared.ts";
import { one, optional } from "../../../command/args.ts";
import {
  type CollaboratorPermission,
  collaboratorCheck,
  collaboratorPermission,
  collaboratorPermissionGet,
} from "../../../forge/collaborators.ts";
import { call } from "../../../forge/operation.ts";
import { repoGet } from "../../../forge/repos.ts";
import type { Sheet } from "../../../output/sheet.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { explainUnknownUser } from "./add-remove.ts";

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
    const user = args.user ?? (await currentUser(context));
    const found = await call(http, collaboratorPermissionGet, { repo, collaborator: user }).catch((error: unknown) => {
      throw explainUnknownUser(error, user);
    });
    await out.record(found, (record) => sheet(user, record));
  },
});

function sheet(typed: string, { permission, role_name, user }: CollaboratorPermission): Sheet {
  return {
    title: user?.login ?? typed,
    fields: [
      ["permission", permission],
      ["role", role_name === permission ? undefined : role_name],
    ],
  };
}

/** `tongs repo collaborator check`: GET …/collaborators/{collaborator}; the exit code is the answer. */
export const check = defineCommand({
  summary: "Check whether a user is a collaborator of a repository",
  on: "repository",
  effect: "read",
  args: { user: one("username", { source: "account" }) },
  exits: { ok: "a collaborator", failure: "not a collaborator" },
  examples: [["Check in a script", "if tongs repo collaborator check jonas; then echo yes; fi"]],
  async run({ args, http, repo, out }) {
    const found = await call(http, collaboratorCheck, { repo, collaborator: args.user }).catch((error: unknown) => {
      throw explainUnknownUser(error, args.user);
    });
    // The answer is the same for an unknown repository, which is an error here.
    if (!found) await call(http, repoGet, { repo });
    out.note(`${args.user} is ${found ? "" : "not "}a collaborator of ${fullName(repo)}`);
    return found ? undefined : "failure";
  },
});
