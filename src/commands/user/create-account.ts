import { Failure } from "../../command/failure.ts";
import type { Forge } from "../../forge/index.ts";
import type { CreateUserOption } from "../../forge/records/admin-user.ts";
import type { User } from "../../forge/records/user.ts";
import { asFailure } from "../../output/report-failure.ts";

/** Creates an account; administrator's rights take a second request. If that fails the message says what exists now. */
export async function createAccount(forge: Forge, option: CreateUserOption, admin: boolean): Promise<User> {
  const made = await forge.adminUsers.create(option);
  if (!admin) return made;
  try {
    return await forge.adminUsers.edit(made, { admin: true });
  } catch (error) {
    const failure = asFailure(error);
    const message = `The account ${made.login} was created, but is not an administrator: ${failure.message}`;
    const hint = `Finish with: tongs user edit ${made.login} --admin   (or undo with: tongs user delete ${made.login})`;
    const { status, method, path } = failure;
    throw new Failure("half_done", failure.exit, message, { hint, status, method, path, cause: error });
  }
}
