import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { seconds, toggle } from "../../command/flags.ts";
import type { ExitName } from "../../failure/exit-codes.ts";
import { UsageError } from "../../failure/failure.ts";
import { commitStatus, latestStatusList } from "../../forge/commits.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullGet } from "../../forge/pulls.ts";
import { list } from "../../shape/shape.ts";
import { type CheckRow, type Checks, checkRows, checksText, overall, summary, type Verdict } from "./check-rows.ts";
import { findNumber, findPull, pullSelector } from "./find.ts";
import { baseBranch, requiredContexts } from "./status-cells.ts";

/** `tongs pr checks`: GET the statuses of the head commit, and what the base branch requires. */
export const checks = defineCommand({
  summary: "Show the status checks of a pull request",
  details:
    "Required checks come from the protection of the base branch. The JSON formats print the commit statuses. " +
    "With --watch, --jsonl prints every change and --json prints the final result.",
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
  exits: { ok: "all passed, or no checks", pending: "some are pending", awaitedFailed: "some failed" },
  examples: [
    ["Show the checks of pull request 12", "tongs pr checks 12"],
    ["Merge when all checks have passed", "tongs pr checks 12 --watch && tongs pr merge 12"],
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
    const required = baseBranch(pull, context).then(requiredContexts);
    const load = async (current: PullRequest): Promise<Checks> => {
      const sha = current.head?.sha ?? "";
      const rows = checkRows(
        ...(await Promise.all([
          collect(call(context.http, latestStatusList, { repo: context.repo, ref: sha })),
          required,
        ])),
      );
      return { sha, rows: flags.required ? rows.filter((row) => row.required) : rows };
    };
    let found = await load(pull);
    const watched = flags.watch && found.rows.length > 0;
    if (watched) {
      const { watchChecks } = await import("./watch-checks.ts");
      const reload = async () => load(await call(context.http, pullGet, { repo: context.repo, index: pull.number }));
      found = await watchChecks(found, reload, flags, context);
    } else if (!out.records) await out.raw(await checksText(found.rows, context));
    if (out.records && !(watched && out.format === "jsonl")) {
      await out.items(found.rows.flatMap(({ status }) => status ?? []));
    }
    if (found.rows.length === 0) out.note(noChecksNote(found.sha, flags.required && !watched, pull));
    else if (out.records || system.stdout.isTTY)
      out.note(`${summary(found.rows)}${missingChecks(found.rows, out.records)}`);
    // There were checks before: those of a commit that was pushed meanwhile are still to come.
    return watched && found.rows.length === 0 ? "pending" : exits[overall(found.rows)];
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
