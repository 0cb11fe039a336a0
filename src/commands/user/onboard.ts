import type { ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { type Change, runPlan } from "../../app/plan.ts";
import { one } from "../../command/args.ts";
import { userKeyAdd } from "../../forge/admin-users.ts";
import { call } from "../../forge/operation.ts";
import { teamMemberAdd } from "../../forge/teams.ts";
import { addressText } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";
import { makeAccount } from "./import/account.ts";
import { accountFlags, accountOptions, withPasswords } from "./import/flags.ts";
import { detailsOf } from "./import/outcome.ts";
import type { PasswordFile } from "./import/passwords.ts";
import { readPeopleFile } from "./people/file.ts";
import { type JoinPlan, planJoining, readJoining } from "./people/join-plan.ts";
import { type Outcome, outcome, outcomeColumns, outcomeRow, peopleText } from "./people/outcome.ts";

/** `tongs user onboard`: creates accounts, adds them to teams and gives them their keys, as a file says. */
export const onboard = defineCommand({
  summary: "Create accounts, with teams and keys, from a file",
  details:
    "FILE is YAML or JSON: under 'users', by name, the fields of user import (email, full_name, password, admin, …), the teams by organization under 'organizations', and public SSH keys " +
    "under 'keys' (see tongs help files). The whole file is checked and compared with the server before anything is sent: accounts that equal the file are not changed. --plan shows all steps. " +
    "Passwords are set only when an account is created, or with --reset-passwords. After an interruption, run the same command again: it continues with what is left.",
  on: "server",
  effect: "write",
  asTool: "none",
  args: { file: one("file with the users", { names: "input file" }) },
  flags: accountFlags,
  output: list(outcome),
  exits: {
    usage: "the file has errors, or names what does not exist; nothing was sent",
    refused: "nobody could be onboarded",
    partly: "some users could not be onboarded, or only in part",
  },
  examples: [
    ["Show what would be done", "tongs user onboard newcomers.yml --plan --generate-passwords passwords.csv"],
    [
      "Create the accounts with generated passwords",
      "tongs user onboard newcomers.yml --generate-passwords passwords.csv",
    ],
  ],
  async run(context) {
    const { args, flags, server, system } = context;
    const { options, path } = accountOptions(flags, system);
    const file = await readPeopleFile(args.file, ["users"], system);
    const people = readJoining(file);
    file.check();
    const plans = await planJoining(context, people, options, file);
    // In the same run as what else is wrong.
    if (file.isFaulty)
      for (const { joining, plan } of plans)
        if (plan.action === "invalid") file.fault(["users", joining.name], plan.reason ?? "");
    file.check();
    return withPasswords(path, plans, flags.plan, context, (passwords) =>
      runPlan(
        plans.flatMap((plan) => changesOf(plan, passwords, context)),
        {
          asks: flags.resetPasswords
            ? `Onboard ${plans.length} users on ${addressText(server.base)} and set their passwords`
            : undefined,
          begin: passwords?.save,
          lines: [],
          isPlan: flags.plan,
          columns: outcomeColumns,
          rowOf: outcomeRow,
          nothing: "Nothing to do",
          summary: (rows) => peopleText(rows, "onboarded"),
          progress: "steps",
        },
        context,
      ),
    );
  },
});

/** The changes for a user: the account, for which the others wait, the teams and the keys. */
function changesOf(
  { joining: { name, row }, plan, teams, keys }: JoinPlan,
  passwords: PasswordFile | undefined,
  { http }: ServerContext,
): Change<Outcome>[] {
  const change = (step: string, about: Partial<Outcome>, make: Change<Outcome>["make"]): Change<Outcome> => ({
    place: name,
    line: [name, step, about.target ?? ""].join(" ").trim(),
    row: { user: name, step, action: "done", ...about },
    waitsFor: (failed) => failed.some(({ row: other }) => other.step === "account"),
    make,
  });
  if (plan.action === "invalid") {
    const { reason = "" } = plan;
    return [{ ...change("stop", { reason }, async () => ({})), stopped: reason }];
  }
  const details = [plan.action, detailsOf(plan)]
    .filter((part) => part !== "")
    .join(plan.action === "create" ? ", " : ": ");
  const account = change("account", { reason: details }, async () => {
    const { failure } = await makeAccount(http, row, plan, passwords);
    return failure === undefined
      ? {}
      : { failure, row: outcomeRow({ user: name, step: "account", action: "failed" }, "failed", failure.message) };
  });
  return [
    ...(plan.action === "create" || plan.action === "update" ? [account] : []),
    ...teams.map((team) =>
      change("team", { target: `${team.org}/${team.team}` }, async () => {
        await call(http, teamMemberAdd, { id: team.id, username: name });
        return {};
      }),
    ),
    ...keys.map((key) =>
      change("key", { target: key.title }, async () => {
        await call(http, userKeyAdd, { username: name }, key);
        return {};
      }),
    ),
  ];
}
