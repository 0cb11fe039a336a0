import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { user } from "../../forge/users.ts";
import { isOnServer } from "../../profiles/choose.ts";
import { accountLabel } from "../../profiles/server.ts";
import { refuseWrong, wrongName } from "./rules.ts";

/** `tongs user rename`: POST /admin/users/{username}/rename. */
export const rename = defineCommand({
  summary: "Rename an account",
  details: "The old name redirects to the new one until somebody takes it.",
  on: "server",
  effect: "write",
  args: { old: one("the present name"), new: one("the new name") },
  output: user,
  examples: [["Rename tomas", "tongs user rename tomas tomas.lund"]],
  async run({ args, forge, git, out, profiles, server }) {
    refuseWrong(wrongName(args.new));
    await forge.adminUsers.rename(args.old, args.new);
    const record = () => forge.users.get(args.new);
    await out.done(`Renamed ${args.old} to ${args.new} ${accountLabel(server)}; the old name redirects`, { record });
    const config = profiles.read();
    for (const remote of await git.remotes()) {
      const same = remote.owner.toLowerCase() === args.old.toLowerCase() && isOnServer(config, server, remote.host);
      if (!same) continue;
      out.note(`The remote ${remote.name} here still uses the old name; see: git remote set-url ${remote.name} …`);
    }
  },
});
