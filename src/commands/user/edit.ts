import { defineCommand } from "../../app/define.ts";
import { readPassword } from "../../app/read-password.ts";
import { one } from "../../command/args.ts";
import { choice, inputFile, integer, text, toggle, yesNo } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { appliedNames, requireApplied } from "../../failure/ignored.ts";
import { emailProblem, lengthProblem } from "../../forge/account-rules.ts";
import { editUser, userEdit } from "../../forge/admin-users.ts";
import type { EditUserOption } from "../../forge/generated/operations.ts";
import { call } from "../../forge/operation.ts";
import { isOrganization, user, userGet, visibilities } from "../../forge/users.ts";
import { accountLabel } from "../../profiles/server.ts";
import { rejectProblems } from "./rules.ts";

/** `tongs user edit`: PATCH /admin/users/{username} with the given fields. */
export const edit = defineCommand({
  summary: "Edit a user",
  details: "Changes only the fields given by flags. To clear a field, pass an empty value: --website ''.",
  on: "server",
  fieldsOf: userEdit,
  effect: "write",
  args: { name: one("username", { source: "account" }) },
  flags: {
    email: text("primary email address", { placeholder: "EMAIL" }),
    fullName: text("full name", { placeholder: "NAME" }),
    passwordStdin: toggle("read a new password from stdin", { readsStdin: true }),
    passwordFile: inputFile("read a new password from a file", { names: "password" }),
    mustChangePassword: yesNo("require a password change at the next sign-in"),
    admin: yesNo("make the user an administrator"),
    active: yesNo("activate the user"),
    restricted: yesNo("limit the user to explicitly granted organizations and repositories"),
    prohibitLogin: yesNo("prohibit the user from signing in"),
    visibility: choice(visibilities, "visibility of the profile"),
    hideEmail: yesNo("hide the email address from other users"),
    website: text("website", { placeholder: "URL" }),
    location: text("location"),
    description: text("description"),
    maxRepoCreation: integer("maximum number of repositories (-1 for the server's default)", { min: -1 }),
    allowGitHook: yesNo("allow the user to edit Git hooks"),
    allowImportLocal: yesNo("allow the user to import local repositories"),
    allowCreateOrganization: yesNo("allow the user to create organizations"),
    sourceId: integer("ID of the authentication source (0 is the local one)"),
    loginName: text("name at the authentication source", { placeholder: "NAME" }),
  },
  exclusive: [["passwordStdin", "passwordFile"]],
  output: user,
  examples: [
    ["Prohibit a user from signing in", "tongs user edit jonas --prohibit-login"],
    ["Make a user an administrator", "tongs user edit mara --admin"],
    ["Set a temporary password", "tongs user edit mara --password-file new.txt --must-change-password"],
  ],
  async run({ args, flags, http, out, server, system }) {
    rejectProblems(
      flags.email === undefined ? undefined : emailProblem(flags.email),
      lengthProblem("full_name", flags.fullName ?? ""),
      lengthProblem("website", flags.website ?? ""),
      lengthProblem("location", flags.location ?? ""),
      lengthProblem("description", flags.description ?? ""),
    );
    const changes: EditUserOption = {
      email: flags.email,
      full_name: flags.fullName,
      password: await readPassword(flags, system),
      must_change_password: flags.mustChangePassword,
      admin: flags.admin,
      active: flags.active,
      restricted: flags.restricted,
      prohibit_login: flags.prohibitLogin,
      visibility: flags.visibility,
      hide_email: flags.hideEmail,
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
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    if (given.length === 0) throw new UsageError("Nothing to change: pass at least one flag");
    const [account, isOrg] = await Promise.all([
      call(http, userGet, { username: args.name }),
      isOrganization(http, args.name),
    ]);
    if (isOrg) throw new UsageError(`${account.login} is an organization, not a user`);
    const changed = await editUser(http, account, Object.fromEntries(given));
    const fields = appliedNames(given.map(([name]) => name));
    const message = `Updated user ${changed.login} (${fields.join(", ")}) ${accountLabel(server)}`;
    await out.done(fields.length > 0 ? message : undefined, { record: changed });
    requireApplied(`user ${changed.login}`);
  },
});
