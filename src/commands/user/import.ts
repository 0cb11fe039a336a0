import pMap from "p-map";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { readFileFlag } from "../../app/input.ts";
import { type Change, runPlan } from "../../app/plan.ts";
import { currentUser } from "../../app/shared.ts";
import { one } from "../../command/args.ts";
import { choice, integer } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { addressText } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";
import { type AccountOptions, type AccountPlan, keepingOwnAccess, makeAccount, planAccount } from "./import/account.ts";
import { accountFlags, accountOptions, type RowPlan, withPasswords } from "./import/flags.ts";
import { findAccount, newUserProblems } from "./import/look-up.ts";
import { type Outcome, outcome, outcomeColumns, outcomeRow, summary, takenByOrganization } from "./import/outcome.ts";
import type { PasswordFile } from "./import/passwords.ts";
import { formatOf, type Problem, type Row, readRows } from "./import/rows.ts";

/** `tongs user import`: POST /admin/users for each new user, PATCH for other fields and existing users. */
export const importUsers = defineCommand({
  summary: "Create and update users from a file",
  details:
    "The file is CSV, with commas, semicolons or TABs, or JSON lines. Its columns are the API's field names: username, email, full_name, password, " +
    "must_change_password, admin, … The whole file is checked and compared with the accounts of the server before anything is sent: " +
    "accounts that equal their row are not changed. Passwords are set only when an account is created, or with --reset-passwords. " +
    "After an interruption, run the same command again: it continues with what is left. Without --on-existing, an account that is " +
    "less than a day old is completed if nobody has signed in and the fields that differ have their defaults.",
  on: "server",
  effect: "write",
  asTool: "none",
  args: { file: one("file to import", { dash: "stdin", names: "input file" }) },
  flags: {
    format: choice(["csv", "jsonl"], "format of the file (default: by its extension)"),
    ...accountFlags,
    jobs: integer("number of requests at once (default: 8)", { min: 1, max: 64 }),
  },
  output: list(outcome),
  exits: {
    usage: "the file has errors; nothing was sent",
    refused: "no row can be imported",
    partly: "some rows failed",
  },
  examples: [
    ["Show what would change", "tongs user import people.csv --plan"],
    ["Import users with generated passwords", "tongs user import people.csv --generate-passwords passwords.csv"],
  ],
  async run(context) {
    const { args, flags, system, server } = context;
    const { options, path } = accountOptions(flags, system);
    const format = flags.format ?? formatOf(args.file);
    const { rows, problems } = await readRows(await readFileFlag("FILE", args.file, system), format);
    refuse(problems, args.file);
    const { plans, invalid } = await planRows(rows, options, context);
    if (!flags.plan) refuse(invalid, args.file);
    return withPasswords(path, plans, flags.plan, context, async (passwords) => {
      const changes = plans.flatMap(({ row, plan }) => changeOf(row, plan, passwords, context));
      const others = plans
        .map(({ plan }) => plan.action)
        .filter((action) => action === "unchanged" || action === "skip");
      const kept = summary(others.map((action) => (action === "skip" ? "skipped" : action)));
      return runPlan(
        changes,
        {
          asks: flags.resetPasswords
            ? `Import ${changes.length} accounts on ${addressText(server.base)} and set their passwords`
            : undefined,
          begin: passwords?.save,
          lines: [],
          isPlan: flags.plan,
          columns: outcomeColumns,
          rowOf: outcomeRow,
          nothing: `No changes (${kept || "no rows"})`,
          summary: (all) => [summary(all.map(({ action }) => action)), ...(kept === "" ? [] : [kept])].join(", "),
          progress: "imported",
          jobs: flags.jobs,
        },
        context,
      );
    });
  },
});

/** Compares the rows with the accounts of the server, and checks those to create. Sends only reads. */
async function planRows(
  rows: readonly Row[],
  options: AccountOptions,
  context: BaseContext & ServerContext,
): Promise<{ readonly plans: readonly RowPlan[]; readonly invalid: readonly Problem[] }> {
  const { http } = context;
  const problemOf = newUserProblems(http, options.generates);
  const invalid: Problem[] = [];
  const plans = await pMap(
    rows,
    async (row): Promise<RowPlan> => {
      const username = String(row.fields["username"]);
      const { user, isOrganization } = await findAccount(http, username);
      if (isOrganization) return { row, plan: { action: "invalid", reason: takenByOrganization } };
      const plan = await keepingOwnAccess(row, planAccount(row, user, options), () => currentUser(context));
      const reason = plan.action === "create" ? await problemOf(row) : undefined;
      if (reason === undefined) return { row, plan };
      invalid.push({ line: row.line, username, message: reason });
      return { row, plan: { action: "invalid", reason } };
    },
    { concurrency: 8 },
  );
  return { plans, invalid };
}

/** The change of a row; none for an account that is not changed. */
function changeOf(
  row: Row,
  plan: AccountPlan,
  passwords: PasswordFile | undefined,
  { http }: ServerContext,
): Change<Outcome>[] {
  const { action, changes, reason } = plan;
  if (action === "unchanged" || action === "skip") return [];
  const username = String(row.fields["username"]);
  const known = { ...(changes === undefined ? {} : { changes }), ...(reason === undefined ? {} : { reason }) };
  return [
    {
      place: username,
      line: `line ${row.line} (${username})`,
      row: { line: row.line, username, action, ...known },
      stopped: action === "invalid" ? reason : undefined,
      async make() {
        const { action: made, failure } = await makeAccount(http, row, plan, passwords);
        return { row: { action: made, ...(failure === undefined ? {} : { reason: failure.message }) }, failure };
      },
    },
  ];
}

/** The most problems of a file that are named. */
const mostNamed = 50;

/** Throws a usage error that names the problems of a file, if there are any. */
function refuse(problems: readonly Problem[], file: string): void {
  if (problems.length === 0) return;
  const count = `${problems.length} ${problems.length === 1 ? "error" : "errors"}`;
  const lines = problems
    .toSorted((one, other) => one.line - other.line)
    .slice(0, mostNamed)
    .map(({ line, username, message }) => `line ${line}${username ? ` (${username})` : ""}: ${message}`);
  const more = problems.length > mostNamed ? [`and ${problems.length - mostNamed} more`] : [];
  throw new UsageError(`${count} in ${file}; nothing was sent`, [...lines, ...more].join("\n"));
}
