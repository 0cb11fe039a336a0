import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { nameProblem } from "../../forge/account-rules.ts";
import { userRename } from "../../forge/admin-users.ts";
import { call } from "../../forge/operation.ts";
import { user, userGet } from "../../forge/users.ts";
import { isOnServer } from "../../profiles/choose.ts";
import { accountLabel } from "../../profiles/server.ts";
import { rejectProblems } from "./rules.ts";

/** `tongs user rename`: POST /admin/users/{username}/rename. */
export const rename = defineCommand({
  summary: "Rename a user",
  details: "The old name redirects to the new one until another user takes it.",
  on: "server",
  effect: "write",
  args: { old: one("current name", { source: "account" }), new: one("new name") },
  output: user,
  examples: [["Rename a user", "tongs user rename tomas tomas.lund"]],
  async run({ args, http, git, out, profiles, server }) {
    rejectProblems(nameProblem(args.new));
    await call(http, userRename, { username: args.old }, { new_username: args.new });
    const record = () => call(http, userGet, { username: args.new });
    await out.done(`Renamed user ${args.old} to ${args.new} ${accountLabel(server)}; the old name redirects`, {
      record,
    });
    const config = profiles.read();
    for (const remote of await git.remotes()) {
      const usesOldName =
        remote.owner.toLowerCase() === args.old.toLowerCase() && isOnServer(config, server, remote.host);
      if (!usesOldName) continue;
      out.note(
        `The remote ${remote.name} still uses the old name; to change it, run: git remote set-url ${remote.name} URL`,
      );
    }
  },
});
