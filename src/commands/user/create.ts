import type { ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { requireSecret } from "../../app/require-secret.ts";
import { optional } from "../../command/args.ts";
import { Failure, withHint } from "../../failure/failure.ts";
import { editUser, userCreate } from "../../forge/admin-users.ts";
import type { CreateUserOption } from "../../forge/generated/operations.ts";
import { call } from "../../forge/operation.ts";
import { type User, user } from "../../forge/users.ts";
import { DryRun } from "../../http/debug.ts";
import { mayHaveActed } from "../../http/no-answer-error.ts";
import { asFailure } from "../../output/report-failure.ts";
import { showOnce } from "../../output/show-once.ts";
import { accountLabel, commandOn, type Server } from "../../profiles/server.ts";
import { record, string } from "../../shape/shape.ts";
import { createFlags, readNewUser } from "./create-input.ts";

/** `tongs user create`: POST /admin/users, and PATCH for fields that POST does not accept. */
export const create = defineCommand({
  summary: "Create a user",
  details:
    "On a terminal, tongs prompts for missing values and shows a summary. Otherwise NAME and --email are required, and " +
    "a password unless --source-id names an external authentication source. The user is active immediately. " +
    "--generate-password prints only the password on stdout; with --json it is the field generated_password, which " +
    "--json FIELDS must include; a filter of --jq can lose it.",
  on: "server",
  effect: "write",
  args: { name: optional("username") },
  flags: createFlags,
  exclusive: [["passwordStdin", "passwordFile", "generatePassword"]],
  output: record({ ...user.fields, generated_password: { ...string, optional: true } }),
  exits: { partly: "the user was created, but is not an administrator" },
  examples: [
    ["Create a user interactively", "tongs user create"],
    ["Create a user in a script", "tongs user create mara --email mara@example.org --password-file mara.txt"],
    ["Generate the password", "tongs user create mara --email mara@example.org --generate-password"],
  ],
  async run(context) {
    const { out, server, http, system } = context;
    if (context.flags.generatePassword) requireSecret("generated_password", context);
    const { option, admin, generated } = await readNewUser(context);
    const { created, failure } = await createUser({ http, server }, option, admin).catch((error: unknown) => {
      if (generated === undefined || !mayHaveActed(error)) throw error;
      throw withHint(error, `If it has, the generated password is lost. ${resetPassword(server, option.username)}`);
    });
    const record = generated === undefined ? created : { ...created, generated_password: generated };
    const role = admin && failure === undefined ? "administrator" : "user";
    const message = `Created ${role} ${created.login} ${accountLabel(server)}`;
    const show = () => out.done(message, { prints: generated ?? created.html_url, record });
    if (generated === undefined) await show();
    else await showOnce(system.stdout, show, (reason) => lostPassword(server, created.login, reason, failure));
    if (failure !== undefined) throw failure;
  },
});

interface Created {
  readonly created: User;
  /** Why the user could not be made an administrator. */
  readonly failure: Failure | undefined;
}

/**
 * Creates a user. Administrator rights take a second request; if that fails the user exists anyway, and the failure is
 * returned so that the caller can print the user first.
 */
async function createUser({ http, server }: ServerContext, option: CreateUserOption, admin: boolean): Promise<Created> {
  const created = await call(http, userCreate, {}, option);
  if (!admin) return { created, failure: undefined };
  try {
    return { created: await editUser(http, created, { admin: true }), failure: undefined };
  } catch (error) {
    if (error instanceof DryRun) throw error;
    const failure = asFailure(error);
    const message = `Created user ${created.login}, but could not make it an administrator: ${failure.message}`;
    const [again, undo] = [`tongs user edit ${created.login} --admin`, `tongs user delete ${created.login}`];
    const hint = `To try again, run: ${commandOn(server, again)}\nTo undo, run: ${commandOn(server, undo)}`;
    const { status, method, path } = failure;
    return {
      created,
      failure: new Failure("partly_done", message, { hint, status, method, path, cause: error }),
    };
  }
}

const resetPassword = (server: Server, login: string) =>
  `To set another password, run: ${commandOn(server, `tongs user edit ${login} --password-file FILE`)}`;

/** The failure for a user whose generated password could not be printed. `other` is reported with it. */
function lostPassword(server: Server, login: string, reason: string, other: Failure | undefined): Failure {
  const message = `Created user ${login}, but could not print the generated password: ${reason}`;
  const reset = resetPassword(server, login);
  const hint = [reset, other?.message, other?.hint].filter((part) => part !== undefined).join("\n");
  return new Failure("output_lost", message, { hint });
}
