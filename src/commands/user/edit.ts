import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { choice, integer, text, toggle, yesNo } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import type { EditUserOption } from "../../forge/admin-users.ts";
import { user, visibilities } from "../../forge/users.ts";
import { accountLabel } from "../../profiles/server.ts";
import { givenPassword } from "./password.ts";
import { refuseWrong, wrongEmail, wrongLength } from "./rules.ts";

/** `tongs user edit`: PATCH /admin/users/{username} with what was asked, and nothing else. */
export const edit = defineCommand({
  summary: "Change an account",
  details: "Only what is named changes. An empty text clears a field: --website ''.",
  on: "server",
  effect: "write",
  args: { name: one("the user") },
  flags: {
    email: text("the primary mail address", { placeholder: "E" }),
    fullName: text("the display name", { placeholder: "N" }),
    passwordStdin: toggle("read a new password from stdin"),
    passwordFile: text("read a new password from this file; - is stdin", { placeholder: "F" }),
    mustChangePassword: yesNo("the password must be changed at the next sign-in"),
    admin: yesNo("administrator"),
    active: yesNo("active"),
    restricted: yesNo("sees only what it is added to"),
    prohibitLogin: yesNo("may not sign in"),
    visibility: choice(visibilities, "who sees the account", { placeholder: "V" }),
    website: text("the web site", { placeholder: "U" }),
    location: text("the location", { placeholder: "L" }),
    description: text("the description", { placeholder: "D" }),
    maxRepoCreation: integer("how many repositories the account may own (-1: the server's default)", { min: -1 }),
    allowGitHook: yesNo("may edit git hooks"),
    allowImportLocal: yesNo("may import local repositories"),
    allowCreateOrganization: yesNo("may create organizations"),
    sourceId: integer("the login source (0 is the server itself)"),
    loginName: text("the name at the login source", { placeholder: "L" }),
  },
  exclusive: [["passwordStdin", "passwordFile"]],
  output: user,
  examples: [
    ["Lock an account out", "tongs user edit jonas --prohibit-login"],
    ["Make an administrator", "tongs user edit mara --admin"],
    ["Set a password that must be changed", "tongs user edit mara --password-file new.txt --must-change-password"],
  ],
  async run({ args, flags, forge, out, server, system }) {
    refuseWrong(
      flags.email === undefined ? undefined : wrongEmail(flags.email),
      wrongLength("full_name", flags.fullName ?? ""),
      wrongLength("website", flags.website ?? ""),
      wrongLength("location", flags.location ?? ""),
      wrongLength("description", flags.description ?? ""),
    );
    const changes: EditUserOption = {
      email: flags.email,
      full_name: flags.fullName,
      password: await givenPassword(flags, system),
      must_change_password: flags.mustChangePassword,
      admin: flags.admin,
      active: flags.active,
      restricted: flags.restricted,
      prohibit_login: flags.prohibitLogin,
      visibility: flags.visibility,
      website: flags.website,
      location: flags.location,
      description: flags.description,
      max_repo_creation: flags.maxRepoCreation,
      allow_git_hook: flags.allowGitHook,
      allow_import_local: flags.allowImportLocal,
      allow_create_organization: flags.allowCreateOrganization,
      source_id: flags.sourceId,
      login_name: flags.loginName,
    };
    const asked = Object.entries(changes).filter(([, value]) => value !== undefined);
    if (asked.length === 0) throw new UsageError("Nothing to change was named", "See: tongs user edit --help");
    const [account, isOrganization] = await Promise.all([
      forge.users.get(args.name),
      forge.users.isOrganization(args.name),
    ]);
    if (isOrganization) throw new UsageError(`${account.login} is an organization, not a user`);
    const changed = await forge.adminUsers.edit(account, Object.fromEntries(asked));
    // Forgejo takes "public" for "unchanged" and says nothing (api-facts 1.8).
    if (flags.visibility !== undefined && changed.visibility !== flags.visibility) {
      out.warn(
        `The server kept the visibility ${changed.visibility}; it can be changed on the account's web page only`,
      );
    }
    const fields = asked.map(([name]) => name).join(", ");
    await out.done(`Changed ${fields} of ${changed.login} ${accountLabel(server)}`, { record: changed });
  },
});
