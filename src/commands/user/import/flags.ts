import type { BaseContext } from "../../../app/context.ts";
import { planFlag } from "../../../app/plan.ts";
import { choice, text, toggle } from "../../../command/flags.ts";
import { UsageError } from "../../../failure/failure.ts";
import { type AccountOptions, type AccountPlan, needsPassword } from "./account.ts";
import { openPasswordFile, type PasswordFile, unsavedPasswords } from "./passwords.ts";
import type { Row } from "./rows.ts";

/** The flags of commands that create accounts from a file. */
export const accountFlags = {
  plan: planFlag,
  onExisting: choice(["skip", "update", "fail"], "what to do with accounts that differ from the file (default: fail)"),
  generatePasswords: text("generate missing passwords and append them to this file", {
    names: "output file",
    placeholder: "FILE",
  }),
  resetPasswords: toggle("also set the passwords of existing accounts"),
};

/** The options of accounts by their flags. */
export function accountOptions(flags: {
  readonly onExisting: AccountOptions["onExisting"] | undefined;
  readonly generatePasswords: string | undefined;
  readonly resetPasswords: boolean;
}): AccountOptions {
  const { onExisting = "fail", resetPasswords } = flags;
  if (resetPasswords && onExisting !== "update")
    throw new UsageError("--reset-passwords requires --on-existing update");
  return { onExisting, resetPasswords, generates: flags.generatePasswords !== undefined };
}

/** A row and what it does with its account. */
export interface RowPlan {
  readonly row: Row;
  readonly plan: AccountPlan;
}

/** The passwords to generate for planned accounts, all of them on disk; none with `--plan` and `--dry-run`. */
export async function passwordsOf(
  path: string | undefined,
  plans: readonly RowPlan[],
  isPlan: boolean,
  { options }: BaseContext,
): Promise<PasswordFile | undefined> {
  if (path === undefined) return undefined;
  if (isPlan || options.dryRun) return unsavedPasswords();
  const needed = plans.filter(({ row, plan }) => needsPassword(row, plan));
  return openPasswordFile(
    path,
    needed.map(({ row }) => String(row.fields["username"])),
  );
}
