import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { nameProblem } from "../../forge/account-rules.ts";
import { userRename } from "../../forge/admin-users.ts";
import { call } from "../../forge/operation.ts";
import { user, userGet } from "../../forge/users.ts";
import { isOnServer } from "../../profiles/choose.ts";
import type { Config } from "../../profiles/profile.ts";
import { accountLabel, addressText } from "../../profiles/server.ts";
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
    const isOwn = server.administrator === undefined && isOld(server.user, args.old);
    const { profile } = server;
    if (isOwn && profile !== undefined) await profiles.update((config) => withUser(config, profile, args.new));
    const signedIn = isOwn ? { ...server, user: args.new } : server;
    await out.done(`Renamed user ${args.old} to ${args.new} ${accountLabel(signedIn)}; the old name redirects`, {
      record,
    });
    const config = profiles.read();
    for (const { name, owner, repo, host, url } of await git.remotes()) {
      if (!isOld(owner, args.old) || !isOnServer(config, server, host)) continue;
      const web = `${addressText(server.base)}/${args.new}/${repo}.git`;
      const address = /^https?:/.test(url) ? web : url.replace(`${owner}/${repo}`, `${args.new}/${repo}`);
      out.note(`The remote ${name} still uses the old name; to change it, run: git remote set-url ${name} ${address}`);
    }
  },
});

/** Whether a name is the old one: servers ignore the case of names. */
function isOld(name: string | undefined, old: string): boolean {
  return name?.toLowerCase() === old.toLowerCase();
}

/** The configuration with the new name of the user of a profile. */
function withUser(config: Config, name: string, user: string): Config {
  const profile = config.profiles[name];
  return profile === undefined ? config : { ...config, profiles: { ...config.profiles, [name]: { ...profile, user } } };
}
