import type { BaseContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { type FindContext, type FoundRun, findRun, recordOf } from "../../app/runs/find.ts";
import { type RunSelector, runSelector } from "../../app/runs/selector.ts";
import { waitLimit, watchRun, withinLimit } from "../../app/runs/watch-run.ts";
import { seconds, toggle } from "../../command/flags.ts";
import { Failure, isTransient, UsageError } from "../../failure/failure.ts";
import { branchHeadGet } from "../../forge/branches.ts";
import { find } from "../../forge/operation.ts";
import { readRun } from "../../forge/read-run.ts";
import { run, runGet, taskList } from "../../forge/runs.ts";

/** `tongs run watch`: GET a run and its jobs repeatedly until the run completes. */
export const watch = defineCommand({
  summary: "Watch a workflow run until it completes",
  details:
    "Refreshes every 3 seconds, and less often while nothing changes. Keeps waiting while the server restarts or cannot " +
    "be reached. Without RUN, right after a push, waits up to a minute for a run of the pushed commit. " +
    "The JSON formats print the run's record at the end.",
  on: "repository",
  needs: [[runGet, taskList]],
  effect: "read",
  args: { run: runSelector },
  flags: {
    interval: seconds("minimum refresh interval", { short: "i" }),
    failFast: toggle("stop as soon as a job fails"),
    logs: toggle("print the logs as they arrive"),
    wait: seconds("stop waiting after this time (0: no limit)"),
    timeout: seconds("--wait", { hidden: true }),
    exitStatus: toggle("the exit code says it anyway", { hidden: true }),
  },
  exclusive: [["wait", "timeout"]],
  output: run,
  exits: {
    ok: "the run succeeded",
    awaitedFailed: "the run failed or was cancelled",
    pending: "--wait was reached, or the run waits for an approval",
  },
  examples: [
    ["Watch the newest run of the current branch", "tongs run watch"],
    ["Deploy when the run succeeds", "tongs run watch 31 && ./deploy"],
  ],
  async run(context) {
    const { flags } = context;
    if (flags.interval !== undefined && flags.interval < 1)
      throw new UsageError("--interval must be at least 1 second");
    const timeout = waitLimit(flags, context);
    const limited = withinLimit(context, timeout);
    return watchRun(await findPushed(context.args.run, limited), { ...flags, timeout }, limited);
  },
});

/** How long the run of a commit that was just pushed is waited for, and how often it is looked for, in milliseconds. */
const longestWait = 60_000;
const interval = 3_000;

/**
 * The selected run. Without one: if the current commit is that of the branch on the server, its run, which servers create a
 * moment after the push. Gitea can answer 500 until then. Throws a `not_found` failure if there is none by then.
 */
async function findPushed(
  selector: RunSelector,
  context: FindContext & Pick<BaseContext, "system">,
): Promise<FoundRun> {
  if (selector.by !== "current") return findRun(selector, context);
  const { git, http, out, repo, system } = context;
  const branch = await git.currentBranch();
  const { stdout } = await git.attempt(["rev-parse", "--verify", "--quiet", "HEAD"]);
  const commit = stdout.trim();
  if (branch === undefined || commit === "") return findRun(selector, context);
  let isOnServer: boolean | undefined;
  const isAwaited = async () =>
    (isOnServer ??= (await find(http, branchHeadGet, { repo, branch }))?.commit?.id === commit);
  const look = async (): Promise<FoundRun | undefined> => {
    const found = await findRun(selector, context).catch(async (error: unknown) => {
      if (!(error instanceof Failure) || error.code !== "not_found" || !(await isAwaited())) throw error;
      return undefined;
    });
    const sha = found && readRun(recordOf(found)).sha;
    return sha === commit || !(await isAwaited()) ? found : undefined;
  };
  for (let waited = 0; ; waited += interval) {
    const found = await look().catch((error: unknown) => {
      if (!(error instanceof Failure) || waited >= longestWait || system.signal.aborted) throw error;
      // One that never answered may have another address.
      if (error.exit !== "serverFailed" && (waited === 0 || !isTransient(error))) throw error;
      return undefined;
    });
    if (found !== undefined) return found;
    if (waited >= longestWait)
      throw new Failure("not_found", `No run of commit ${commit.slice(0, 10)} was started within a minute`, {
        hint: "To watch the newest run, whatever it is of, run: tongs run watch latest",
      });
    if (waited === 0) out.note(`Waiting for a run of commit ${commit.slice(0, 10)}`);
    await system.sleep(interval, system.signal);
  }
}
