import { defineCommand } from "../../app/define.ts";
import { optional } from "../../command/args.ts";
import { choice, integer, text, toggle } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import type { CreateUserOption } from "../../forge/admin-users.ts";
import type { Forge } from "../../forge/index.ts";
import { type User, user, visibilities } from "../../forge/users.ts";
import { DryRun } from "../../http/dry-run.ts";
import { asFailure } from "../../output/report-failure.ts";
import { showOnce } from "../../output/show-once.ts";
import { accountLabel } from "../../profiles/server.ts";
import { record, string } from "../../shape/shape.ts";
import { completeAccount } from "./create-input.ts";

/** `tongs user create`: POST /admin/users, and PATCH for what that operation lacks. */
export const create = defineCommand({
  summary: "Create an account",
  details:
    "On a terminal, what is missing is asked for. In a script nothing is: name, --email and a password (or a login " +
    "source) must be given. The account is active at once. --generate-password prints the password alone on stdout; " +
    "with --json the record has it as generated_password.",
  on: "server",
  effect: "write",
  args: { name: optional("the login name") },
  flags: {
    email: text("the mail address", { placeholder: "E" }),
    fullName: text("the display name", { placeholder: "N" }),
    passwordStdin: toggle("read the password from stdin"),
    passwordFile: text("read the password from this file; - is stdin", { placeholder: "F" }),
    generatePassword: toggle("make a password and print it"),
    noMustChangePassword: toggle("the password need not be changed at the first sign-in"),
    admin: toggle("make the account an administrator"),
    restricted: toggle("the account sees only what it is added to"),
    visibility: choice(visibilities, "who sees the account", { placeholder: "V" }),
    sourceId: integer("the login source (0 is the server itself)"),
    loginName: text("the name at the login source", { placeholder: "L" }),
    notify: toggle("the server sends a mail about the new account"),
    createdAt: text("date the account back to this time", { placeholder: "TIME" }),
  },
  exclusive: [["passwordStdin", "passwordFile", "generatePassword"]],
  output: record({ ...user.fields, generated_password: { ...string, optional: true } }),
  examples: [
    ["Be asked for everything", "tongs user create"],
    ["In a script", "tongs user create mara --email mara@example.org --password-file mara.txt"],
    ["With a password that is made and printed", "tongs user create mara --email mara@example.org --generate-password"],
  ],
  async run(context) {
    const { out, server, forge, system } = context;
    const account = await completeAccount(context);
    const { account: made, failure } = await createAccount(forge, account.option, account.admin);
    const { generated } = account;
    const record = generated === undefined ? made : { ...made, generated_password: generated };
    const role = account.admin && failure === undefined ? "administrator" : "user";
    const message = `Created ${role} ${made.login} ${accountLabel(server)}`;
    const show = () => out.done(message, { prints: generated ?? made.html_url, record });
    if (generated === undefined) await show();
    else await showOnce(system.stdout, show, (reason) => lostPassword(made.login, reason, failure));
    if (failure !== undefined) throw failure;
  },
});

/** An account as it is now, and what could not be done to it. */
interface Created {
  readonly account: User;
  readonly failure: Failure | undefined;
}

/**
 * Creates an account; administrator's rights take a second request. When that one fails the account is there
 * nevertheless: the failure says so and how to go on, and is for the caller to throw once the account is reported.
 */
async function createAccount(forge: Forge, option: CreateUserOption, admin: boolean): Promise<Created> {
  const made = await forge.adminUsers.create(option);
  if (!admin) return { account: made, failure: undefined };
  try {
    return { account: await forge.adminUsers.edit(made, { admin: true }), failure: undefined };
  } catch (error) {
    if (error instanceof DryRun) throw error;
    const failure = asFailure(error);
    const message = `The account ${made.login} was created, but is not an administrator: ${failure.message}`;
    const hint = `Finish with: tongs user edit ${made.login} --admin   (or undo with: tongs user delete ${made.login})`;
    const { status, method, path } = failure;
    return {
      account: made,
      failure: new Failure("half_done", failure.exit, message, { hint, status, method, path, cause: error }),
    };
  }
}

/** The account is there, and nobody has seen its password. `other` is what failed besides. */
function lostPassword(login: string, reason: string, other: Failure | undefined): Failure {
  const message = `The account ${login} was created, but its password could not be printed and is lost: ${reason}`;
  const another = `Set another password with: tongs user edit ${login} --password-file FILE`;
  const hint = [another, other?.message, other?.hint].filter((part) => part !== undefined).join("\n");
  return new Failure("output_lost", "failure", message, { hint });
}
