import type { BaseContext } from "../../../app/context.ts";
import { planFlag } from "../../../app/plan.ts";
import { choice, type FlagValues, text, toggle } from "../../../command/flags.ts";
import { UsageError } from "../../../failure/failure.ts";
import { fullPath } from "../../../system/files.ts";
import { type AccountOptions, type AccountPlan, needsPassword } from "./account.ts";
import { openPasswordFile, type PasswordFile, requirePasswordFile, unsavedPasswords } from "./passwords.ts";
import type { Row } from "./rows.ts";

/** The flags of commands that create accounts from a file. */
export const accountFlags = {
  plan: planFlag,
  onExisting: choice(["skip", "update", "fail"], "what to do with accounts that differ from the file (default: fail)"),
  generatePasswords: text("generate missing passwords and add them to this file", {
    names: "output file",
    placeholder: "FILE",
  }),
  resetPasswords: toggle("also set the passwords of existing accounts"),
};

/** How old an account can be that an import left unfinished, in milliseconds. */
const longestImport = 24 * 3_600_000;

/** The options of accounts by their flags, and the path of the file of passwords. */
export function accountOptions(flags: FlagValues<typeof accountFlags>, system: BaseContext["system"]) {
  const { onExisting = "fail", resetPasswords, generatePasswords: file } = flags;
  const since = flags.onExisting === undefined ? new Date(system.now().getTime() - longestImport) : undefined;
  if (resetPasswords && onExisting !== "update")
    throw new UsageError("--reset-passwords requires --on-existing update");
  const path = file === undefined ? undefined : fullPath(file, system);
  if (path !== undefined) requirePasswordFile(path);
  const options: AccountOptions = { onExisting, resetPasswords, generates: path !== undefined, since };
  return { options, path };
}

/** A row and what it does with its account. */
export interface RowPlan {
  readonly row: Row;
  readonly plan: AccountPlan;
}

/** Runs `work` with the passwords to generate for planned accounts; with `--plan` and `--dry-run`, none are saved. */
export async function withPasswords<T>(
  path: string | undefined,
  plans: readonly RowPlan[],
  isPlan: boolean,
  { options }: BaseContext,
  work: (passwords: PasswordFile | undefined) => Promise<T>,
): Promise<T> {
  if (path === undefined) return work(undefined);
  if (isPlan || options.dryRun) return work(unsavedPasswords());
  const needed = plans.filter(({ row, plan }) => needsPassword(row, plan));
  const passwords = await openPasswordFile(
    path,
    needed.map(({ row, plan }) => ({ username: String(row.fields["username"]), isReset: plan.action === "update" })),
  );
  try {
    return await work(passwords);
  } finally {
    passwords.release();
  }
}
