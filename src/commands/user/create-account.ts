import { Failure } from "../../failure/failure.ts";
import type { CreateUserOption } from "../../forge/admin-users.ts";
import type { Forge } from "../../forge/index.ts";
import type { User } from "../../forge/users.ts";
import { DryRun } from "../../http/debug.ts";
import { asFailure } from "../../output/report-failure.ts";

/** An account as it is now, and what could not be done to it. */
interface Created {
  readonly account: User;
  readonly failure: Failure | undefined;
}

/**
 * Creates an account; administrator's rights take a second request. When that one fails the account is there
 * nevertheless: the failure says so and how to go on, and is for the caller to throw once the account is reported.
 */
export async function createAccount(forge: Forge, option: CreateUserOption, admin: boolean): Promise<Created> {
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
export function lostPassword(login: string, reason: string, other: Failure | undefined): Failure {
  const message = `The account ${login} was created, but its password could not be printed and is lost: ${reason}`;
  const another = `Set another password with: tongs user edit ${login} --password-file FILE`;
  const hint = [another, other?.message, other?.hint].filter((part) => part !== undefined).join("\n");
  return new Failure("output_lost", "failure", message, { hint });
}
