import { batch } from "../../app/batch.ts";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { bodyOf, flagsOf, nothingToChange } from "../../app/fields.ts";
import { readTargets } from "../../app/input.ts";
import { readPassword } from "../../app/read-password.ts";
import { currentUser } from "../../app/shared.ts";
import { many } from "../../command/args.ts";
import { inputFile, toggle } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { appliedNames } from "../../failure/ignored.ts";
import { editUser, ownAccess, userEdit } from "../../forge/admin-users.ts";
import type { EditUserOption } from "../../forge/generated/operations.ts";
import { listUsers } from "../../forge/list-users.ts";
import { call } from "../../forge/operation.ts";
import { notUndone } from "../../forge/undo.ts";
import { isOrganization, user, userGet } from "../../forge/users.ts";
import { ServerError } from "../../http/errors.ts";
import { accountLabel, addressText } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";
import { accountFields } from "./fields.ts";
import { rejectProblems } from "./rules.ts";

const fields = flagsOf(accountFields);

/** `tongs user edit`: PATCH /admin/users/{username} with the given fields. */
export const edit = defineCommand({
  summary: "Edit users",
  details:
    "Changes only the fields given by flags. To clear a field, pass an empty value: --website ''. " +
    "Asks before --no-admin, --no-active, --prohibit-login or --must-change-password takes your own access away.",
  on: "server",
  fieldsOf: userEdit,
  effect: "write",
  args: { name: many("usernames", { source: "account", dash: "lines" }) },
  flags: {
    passwordStdin: toggle("read a new password from stdin", { readsStdin: true, names: "password" }),
    passwordFile: inputFile("read a new password from a file", { names: "password" }),
    ...fields,
  },
  exclusive: [["passwordStdin", "passwordFile"]],
  output: list(user),
  exits: { partly: "some users were edited, some failed" },
  examples: [
    ["Prohibit two users from signing in", "tongs user edit jonas priya --prohibit-login"],
    ["Make a user an administrator", "tongs user edit mara --admin"],
    ["Set a temporary password", "tongs user edit mara --password-file new.txt --must-change-password"],
  ],
  async run(context) {
    const { args, flags, http, server, system } = context;
    const changes: EditUserOption = { ...bodyOf(fields, flags), password: await readPassword(flags, system) };
    rejectProblems(changes);
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    if (given.length === 0) throw nothingToChange();
    const names = await readTargets(args.name, system);
    const own = flags.email === undefined ? (flags.loginName === undefined ? undefined : "--login-name") : "--email";
    if (own !== undefined && names.length > 1) throw new UsageError(`${own} is of one user: pass one username`);
    await confirmOwn(changes, names, context);
    /** The server fails for an authentication source that does not exist, and lists none. */
    const explainSource = async (error: unknown): Promise<never> => {
      const source_id = flags.sourceId ?? 0;
      if (!(error instanceof ServerError) || source_id === 0) throw error;
      for await (const _ of listUsers(http, { source_id }).take(1)) throw error;
      const message = `No user has the authentication source ${source_id}, and the server failed: it may not exist`;
      throw new Failure("invalid", message, { hint: error.message, cause: error });
    };
    const editOne = async (username: string) => {
      const [account, isOrg] = await Promise.all([call(http, userGet, { username }), isOrganization(http, username)]);
      if (isOrg) throw new UsageError(`${account.login} is an organization, not a user`);
      const record = await editUser(http, account, Object.fromEntries(given)).catch(explainSource);
      const fields = appliedNames(given.map(([name]) => name)).join(", ");
      const already = `User ${record.login} already had this: ${fields}`;
      const message = `Updated user ${record.login} (${fields}) ${accountLabel(server)}`;
      return { record, already, message: fields === "" ? undefined : message };
    };
    return batch(names, editOne, context, { name: (name) => `user ${name}` });
  },
});

/** Asks before administrators take their own access away. */
async function confirmOwn(
  changes: EditUserOption,
  names: readonly string[],
  context: ServerContext & Pick<BaseContext, "prompt">,
): Promise<void> {
  const taken = Object.entries(ownAccess).filter(([name, value]) => changes[name as keyof typeof ownAccess] === value);
  if (taken.length === 0) return;
  const own = (await currentUser(context)).toLowerCase();
  if (!names.some((name) => name.toLowerCase() === own)) return;
  const what = `Take away your own access to ${addressText(context.server.base)}`;
  await context.prompt.confirmAction({ what, sends: { undo: notUndone("only another administrator can") } });
}
