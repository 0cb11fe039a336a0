import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { userRename } from "../../forge/admin-users.ts";
import { call } from "../../forge/operation.ts";
import { user, userGet } from "../../forge/users.ts";
import type { Config } from "../../profiles/profile.ts";
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
  async run({ args, http, out, profiles, server }) {
    rejectProblems({ username: args.new });
    await call(http, userRename, { username: args.old }, { new_username: args.new });
    const record = () => call(http, userGet, { username: args.new });
    // Servers ignore the case of names.
    const isOwn = server.administrator === undefined && server.user?.toLowerCase() === args.old.toLowerCase();
    const { profile } = server;
    if (isOwn && profile !== undefined) await profiles.update((config) => withUser(config, profile, args.new));
    const signedIn = isOwn ? { ...server, user: args.new } : server;
    await out.done(`Renamed user ${args.old} to ${args.new} ${accountLabel(signedIn)}; the old name redirects`, {
      record,
    });
  },
});

/** The configuration with the new name of the user of a profile. */
function withUser(config: Config, name: string, user: string): Config {
  const profile = config.profiles[name];
  return profile === undefined ? config : { ...config, profiles: { ...config.profiles, [name]: { ...profile, user } } };
}
