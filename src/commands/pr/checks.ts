import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { seconds, toggle } from "../../command/flags.ts";
import type { ExitName } from "../../failure/exit-codes.ts";
import { UsageError } from "../../failure/failure.ts";
import { commitStatus } from "../../forge/commits.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullGet } from "../../forge/pulls.ts";
import { list } from "../../shape/shape.ts";
import { type CheckRow, type Checks, checksText, overall, summary, type Verdict } from "./check-rows.ts";
import { findNumber, findPull, pullSelector } from "./find.ts";
import { firstCheckPatience, loadChecks, withoutOwn } from "./load-checks.ts";
import { baseBranch, requiredContexts } from "./status-cells.ts";

/** `tongs pr checks`: GET the statuses of the head commit, and what the base branch requires. */
export const checks = defineCommand({
  summary: "Show the status checks of a pull request",
  details:
    "Required checks come from the protection of the base branch. The JSON formats print the commit statuses. " +
    "With --watch, --jsonl prints every change and --json prints the final result. After a push, --watch waits for the first " +
    "check: 60 seconds, or 10 minutes if the base branch requires checks or the commit has a workflow for a push.",
  on: "repository",
  effect: "read",
  args: { pr: pullSelector },
  flags: {
    watch: toggle("watch until no check is pending", { short: "w" }),
    required: toggle("show only required checks", { filters: true }),
    failFast: toggle("with --watch: stop at the first failed check"),
    interval: seconds("with --watch: refresh interval (default: 10)", { short: "i" }),
  },
  output: list(commitStatus),
  exits: {
    ok: "all passed",
    failure: "no checks were reported",
    pending: "some are pending, or a run waits for an approval",
    awaitedFailed: "some failed",
  },
  examples: [
    ["Show the checks of pull request 12", "tongs pr checks 12"],
    ["Watch them until all have finished", "tongs pr checks 12 --watch"],
  ],
  web: { page: async (context) => repoPage(context.repo, "pulls", await findNumber(context.args.pr, context)) },
  async run(context) {
    const { flags, out, system } = context;
    if (!flags.watch && (flags.failFast || flags.interval !== undefined)) {
      throw new UsageError(`${flags.failFast ? "--fail-fast" : "--interval"} requires --watch`);
    }
    if (flags.interval !== undefined && flags.interval < 1)
      throw new UsageError("--interval must be at least one second");
    const pull = await findPull(context.args.pr, context);
    const branch = await baseBranch(pull, context);
    const required = requiredContexts(branch);
    const load = async (current: PullRequest): Promise<Checks> => {
      const { rows, ...rest } = await loadChecks(current, required, context);
      return { ...rest, rows: flags.required ? rows.filter((row) => row.required) : rows };
    };
    let found = await load(pull);
    let hadChecks = found.rows.length > 0;
    // Where none is required, none is to come.
    const watched = flags.watch && (hadChecks || !flags.required);
    if (watched) {
      const { watchChecks } = await import("./watch-checks.ts");
      // The check of the job that this runs in says nothing of others, which can be reported later.
      const poll = async () =>
        withoutOwn(await load(await call(context.http, pullGet, { repo: context.repo, index: pull.number })), context);
      const patience = (sha: string) => firstCheckPatience(branch?.enable_status_check === true, sha, pull, context);
      found = withoutOwn(found, context);
      hadChecks = found.rows.length > 0;
      found = await watchChecks(found, { poll, patience }, flags, context);
    } else if (!out.records) await out.raw(await checksText(found.rows, context));
    if (out.records && !(watched && out.format === "jsonl")) {
      await out.items(found.rows.flatMap(({ status }) => status ?? []));
    }
    if (found.rows.length === 0) out.note(noChecksNote(found.sha, flags.required && !watched, pull));
    else if (out.records || system.stdout.isTTY)
      out.note(`${summary(found.rows)}${missingChecks(found.rows, out.records)}`);
    if (found.unapproved !== undefined) out.note(found.unapproved);
    if (found.rows.length > 0) return exits[overall(found.rows)];
    // If there were checks before, those of a commit that was pushed meanwhile are still to come.
    return hadChecks || found.unapproved !== undefined ? "pending" : "failure";
  },
});

const exits: Readonly<Record<Verdict, ExitName>> = { passed: "ok", pending: "pending", failed: "awaitedFailed" };

function noChecksNote(sha: string, onlyRequired: boolean, { base }: PullRequest): string {
  if (onlyRequired) return `No required checks for ${base?.ref ?? "the base branch"}.`;
  return `No checks reported on ${sha.slice(0, 10)}.`;
}

/** Names the required checks that were not reported: they are not among the printed records. */
function missingChecks(rows: readonly CheckRow[], records: boolean): string {
  const expected = rows.filter(({ status }) => status === undefined).map(({ context }) => context);
  return records && expected.length > 0 ? `; required but not reported: ${expected.join(", ")}` : "";
}
