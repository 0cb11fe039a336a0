import type { RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { seconds, toggle } from "../../command/flags.ts";
import type { ExitName } from "../../failure/exit-codes.ts";
import { UsageError } from "../../failure/failure.ts";
import { commitStatus } from "../../forge/commits.ts";
import { everything } from "../../forge/listings.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import { NotFoundError } from "../../http/errors.ts";
import { list } from "../../shape/shape.ts";
import { type CheckRow, type Checks, checkRows, counts, overall, rowsText, type Verdict } from "./check-rows.ts";
import { findPull, pullSelector } from "./find.ts";

/** `tongs pr checks`: GET the statuses of the head commit, and what the base branch requires. */
export const checks = defineCommand({
  summary: "Show the checks of a pull request",
  details:
    "Required checks are those that the protection of the base branch names. The JSON forms print the statuses as the " +
    "server has them; --watch with --jsonl prints each change, with --json what there is in the end.",
  on: "repository",
  effect: "read",
  args: { pr: pullSelector },
  flags: {
    watch: toggle("wait until none is pending", { short: "w" }),
    required: toggle("only those that must succeed before a merge"),
    failFast: toggle("with --watch: stop at the first that fails"),
    interval: seconds("with --watch: time between two looks (10)", { short: "i" }),
  },
  output: list(commitStatus),
  exits: { ok: "all good, or none there", pending: "one is pending", awaitedFailed: "one failed" },
  examples: [
    ["How is number 12 doing", "tongs pr checks 12"],
    ["Merge when it is ready", "tongs pr checks 12 --watch && tongs pr merge 12"],
  ],
  async run(context) {
    const { flags, out, system } = context;
    if (!flags.watch && (flags.failFast || flags.interval !== undefined)) {
      throw new UsageError(`${flags.failFast ? "--fail-fast" : "--interval"} goes with --watch`);
    }
    if (flags.interval !== undefined && flags.interval < 1) throw new UsageError("--interval is at least one second");
    const pull = await findPull(context.args.pr, context);
    const required = requiredContexts(pull, context);
    const look = async (current: PullRequest): Promise<Checks> => {
      const sha = current.head?.sha ?? "";
      const rows = checkRows(
        ...(await Promise.all([everything(context.forge.statuses.latest(context.repo, sha)), required])),
      );
      return { sha, rows: flags.required ? rows.filter((row) => row.required) : rows };
    };
    let found = await look(pull);
    if (flags.watch && found.rows.length > 0) {
      const { watchChecks } = await import("./watch-checks.ts");
      const again = async () => look(await context.forge.pulls.get(context.repo, pull.number));
      found = await watchChecks(found, again, flags, context);
    } else if (!out.records) await out.raw(await rowsText(found.rows, context));
    if (out.records && !(flags.watch && out.format === "jsonl" && found.rows.length > 0)) {
      await out.items(found.rows.flatMap(({ status }) => status ?? []));
    }
    if (found.rows.length === 0) out.note(none(found.sha, flags.required, pull));
    else if (out.records || system.stdout.isTTY) out.note(`${counts(found.rows)}${missing(found.rows, out.records)}`);
    return exits[overall(found.rows)];
  },
});

const exits: Readonly<Record<Verdict, ExitName>> = { good: "ok", pending: "pending", failed: "awaitedFailed" };

/** What the base branch's protection requires. Read from the branch, which needs no right beyond reading. */
async function requiredContexts({ base }: PullRequest, { forge, repo }: RepositoryContext): Promise<readonly string[]> {
  try {
    const branch = await forge.branches.get(repo, base?.ref ?? "");
    return branch.enable_status_check ? (branch.status_check_contexts ?? []) : [];
  } catch (error) {
    // The base branch of an old pull request may be gone, and its requirements with it.
    if (error instanceof NotFoundError) return [];
    throw error;
  }
}

function none(sha: string, onlyRequired: boolean, { base }: PullRequest): string {
  if (onlyRequired) return `No check is required for ${base?.ref ?? "the base branch"}.`;
  return `No checks have been reported on ${sha.slice(0, 10)}.`;
}

/** Required checks that nothing was reported for are no records, so they are said. */
function missing(rows: readonly CheckRow[], records: boolean): string {
  const expected = rows.filter(({ status }) => status === undefined).map(({ context }) => context);
  return records && expected.length > 0 ? `; required and not reported: ${expected.join(", ")}` : "";
}
