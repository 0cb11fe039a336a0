import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { type Change, planFlag, runPlan } from "../../app/plan.ts";
import { any } from "../../command/args.ts";
import { type FlagValues, inputFile, text, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { addressText } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";
import { grouped } from "../../text/grouped.ts";
import { readPeopleFile } from "./people/file.ts";
import { type LeavePlan, type Leaver, planLeaving } from "./people/leave-plan.ts";
import { describe, type LeaveStep, type Successors, takeStep, waitsFor } from "./people/leave-steps.ts";
import { type Outcome, outcome, outcomeColumns, outcomeRow, peopleText } from "./people/outcome.ts";

const flags = {
  file: inputFile("read the users from a file"),
  to: text("hand over to this user, or only repositories to this organization", {
    placeholder: "USER",
    source: "account",
  }),
  delete: toggle("delete the accounts at the end"),
  plan: planFlag,
};

/** `tongs user offboard`: blocks the sign-in of users, revokes their access, and hands over their work. */
export const offboard = defineCommand({
  summary: "Revoke the access of departing users and hand over their work",
  details:
    "Blocks the sign-in: sessions and tokens do not work while the account is blocked. Removes the administrator's right; deletes SSH and GPG keys and, where the server has an " +
    "operation for that, tokens; hands open assigned issues and pull requests, review requests and repositories over to the " +
    "--to user, or only repositories to an organization; removes the users as collaborators and from all organizations and their teams; " +
    "and deletes the accounts with --delete. Users who are the last owner of an organization, or whose issues the --to user cannot read, are listed first and not changed. " +
    "--plan shows all steps. After an interruption, run the same command again: it continues with what is left. " +
    "FILE is YAML or JSON: under 'users' the users by name, each with its own 'to' and 'delete', or a list of names. With --yes, each user of FILE " +
    "needs the 'id' or 'email' of the account (see tongs help files). A user who was renamed is an error that says the new name. " +
    "With --delete, a user of FILE whose 'id' and 'email' no account has was deleted already; a name alone that no user has " +
    "can be mistyped: the others are offboarded, and the exit code is not 0.",
  on: "server",
  effect: "destroy",
  asTool: "none",
  external: { uses: "the header of --sudo itself" },
  args: { name: any("usernames", { dash: "lines", source: "account" }) },
  flags,
  output: list(outcome),
  exits: {
    usage: "the file has errors, or users were renamed or, without --delete, do not exist; nothing was sent",
    notFound: "no user has any of the names, with --delete",
    refused: "nobody could be offboarded",
    partly: "some users could not be offboarded, or only in part",
  },
  examples: [
    ["Show the access and work of a user", "tongs user offboard jonas --to mara --plan"],
    ["Hand over and block the account", "tongs user offboard jonas --to mara"],
    ["Offboard many users from a file", "tongs user offboard --file leavers.yml --yes"],
  ],
  async run(context) {
    const { args, flags, out, server } = context;
    const { leavers, fault, check } = await readLeavers(context, args.name, flags);
    const successors = new Map(leavers.map(({ name, to }) => [name.toLowerCase(), to]));
    const plans = await planLeaving(context, leavers, successors, fault);
    check();
    for (const { leaver, stops, unchanged, missing } of plans) {
      if (missing === "deleted") out.note(`${leaver.name} was deleted already`);
      if (stops.length === 0 && unchanged.length > 0) out.note(`${leaver.name} keeps ${unchanged.join(", ")}`);
    }
    const ready = plans.filter(({ stops, steps }) => stops.length === 0 && steps.length > 0).length;
    return runPlan(
      plans.flatMap((plan) => changesOf(plan, successors, context)),
      {
        asks: `Offboard ${ready === 1 ? "1 user" : `${ready} users`} on ${addressText(server.base)}`,
        lines: plans.map(planText),
        isPlan: flags.plan,
        columns: outcomeColumns,
        rowOf: outcomeRow,
        nothing: "Nothing to do",
        summary: (rows) => peopleText(rows, "offboarded"),
        progress: "steps",
      },
      context,
    );
  },
});

/** The changes for a user, or why there are none. */
function changesOf(
  { leaver, steps, stops, missing }: LeavePlan,
  successors: Successors,
  context: ServerContext,
): Change<Outcome>[] {
  const { name } = leaver;
  if (stops.length > 0)
    return stops.map((reason) => ({
      place: name,
      line: `${name} stop`,
      row: { user: name, step: "stop", action: "stopped", reason },
      stopped: reason,
      ...(missing === "unknown" && { stopCode: "not_found" }),
      make: async () => ({}),
    }));
  const taken = new Map<Outcome, LeaveStep>();
  return steps.map((step) => {
    const row: Outcome = { user: name, ...describe(step), action: "done" };
    taken.set(row, step);
    return {
      place: name,
      line: [name, step.step, row.target ?? ""].join(" ").trim(),
      row,
      waitsFor: (failed) =>
        waitsFor(
          step,
          failed.flatMap(({ row: other, failure }) => {
            const step = taken.get(other);
            return step === undefined ? [] : [{ step, failure }];
          }),
        ),
      async make() {
        const made = await takeStep(context, step, leaver, successors);
        if (made === "gone") return { unchanged: true, row: { action: "unchanged", reason: "is gone" } };
        return { unchanged: !made, row: { action: made ? "done" : "unchanged" } };
      },
    };
  });
}

/** `jonas (Jonas Berg, …): block, 2 keys, 1 repository (to mara)`. */
function planText({ leaver: { to }, account, steps, stops }: LeavePlan): string {
  if (stops.length > 0) return `${account}: stopped: ${stops.join("; ")}`;
  const parts = [...grouped(steps, ({ step }) => step)].map(([step, { length: count }]) => {
    if (step === "block" || step === "delete" || step === "administrator") return step;
    return count === 1 ? `1 ${step}` : `${count} ${step.replace(/(?<!e)y$/, "ie")}s`;
  });
  return `${account}: ${parts.join(", ") || "nothing to do"}${to === undefined ? "" : ` (to ${to})`}`;
}

/** The users to offboard, named or from the file, and where to report faults. */
async function readLeavers(
  { system, options }: BaseContext,
  typed: readonly string[],
  { file, to, delete: isDeleted, plan }: FlagValues<typeof flags>,
): Promise<{
  readonly leavers: readonly Leaver[];
  readonly fault: (name: string, what: string) => void;
  readonly check: () => void;
}> {
  if ((file !== undefined) === typed.length > 0)
    throw new UsageError(file === undefined ? "Missing argument NAME (usernames)" : "Specify either NAME or --file");
  if (file === undefined) {
    const names = new Map((await readTargets(typed, system)).map((name) => [name.toLowerCase(), name]));
    const faults: string[] = [];
    return {
      leavers: [...names.values()].map((name) => ({ name, to, isDeleted })),
      fault: (name, what) => faults.push(`${name} ${what}`),
      check() {
        const [first, ...more] = faults;
        if (first !== undefined) throw new UsageError(first, more.join("\n") || "Nothing was changed.");
      },
    };
  }
  const people = await readPeopleFile(file, ["to", "delete", "users"], system);
  const all = people.text(people.top.get("to"), ["to"]) ?? to;
  const isEachDeleted = people.toggle(people.top.get("delete"), ["delete"]) ?? isDeleted;
  const isAsked = !options.yes || options.dryRun || plan;
  const leavers = [...people.users(["id", "email", "to", "delete"])].map(([name, own]) => {
    const at = (key: string) => ["users", name, key];
    const id = people.text(own.get("id"), at("id"));
    const email = people.text(own.get("email"), at("email"));
    if (id !== undefined && !/^[1-9]\d*$/.test(id)) people.fault(at("id"), "must be the number of an account");
    if (email === "") people.fault(at("email"), "must be an address");
    if (!isAsked && id === undefined && email === undefined)
      people.fault(["users", name], "needs the id or email of the account with --yes");
    return {
      name,
      id: id === undefined ? undefined : Number(id),
      email,
      to: people.text(own.get("to"), at("to")) ?? all,
      isDeleted: people.toggle(own.get("delete"), at("delete")) ?? isEachDeleted,
    };
  });
  people.check();
  return { leavers, fault: (name, what) => people.fault(["users", name], what), check: () => people.check() };
}
