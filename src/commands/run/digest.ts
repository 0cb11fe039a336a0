import { writeFile } from "node:fs/promises";
import type { ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { secondsText } from "../../app/runs/columns.ts";
import { workflowFile } from "../../app/workflow-file.ts";
import { text } from "../../command/flags.ts";
import { ageFlag } from "../../command/time-flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { type GiteaJob, jobList } from "../../forge/jobs.ts";
import { listRuns } from "../../forge/list-runs.ts";
import { call } from "../../forge/operation.ts";
import { isTask, type RunOrTask, readRun } from "../../forge/read-run.ts";
import { runList, type Task, taskList } from "../../forge/runs.ts";
import { UnknownOperationError } from "../../http/errors.ts";
import { column } from "../../output/table.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { fullPath } from "../../system/files.ts";
import { digestChart } from "./digest/chart.ts";
import {
  type FlakyJob,
  runDigest,
  summarize,
  type WaitingTime,
  type WorkflowDigest,
  workflowDigest,
} from "./digest/summary.ts";

const percent = (share: number | null) => (share === null ? "" : `${Math.round(share * 100)}%`);

const workflowColumns = [
  column<WorkflowDigest>("WORKFLOW", "workflow", { flexible: true }),
  column<WorkflowDigest>("BRANCH", "branch", { style: "link", flexible: true }),
  column<WorkflowDigest>("RUNS", "runs"),
  column<WorkflowDigest>("FAILED", "failures"),
  column<WorkflowDigest>("RATE", "failure_rate", (one) => percent(one.failure_rate)),
  column<WorkflowDigest>("MEDIAN", "median_seconds", (one) => secondsText(one.median_seconds ?? undefined)),
  column<WorkflowDigest>("P95", "p95_seconds", (one) => secondsText(one.p95_seconds ?? undefined)),
];
const flakyColumns = [
  column<FlakyJob>("FLAKY JOB", "job", { flexible: true }),
  column<FlakyJob>("WORKFLOW", "workflow", { flexible: true }),
  column<FlakyJob>("TIMES", "flaky"),
  column<FlakyJob>("JOBS", "runs"),
];
const waitingColumns = [
  column<WaitingTime>("WAITED FOR", "label", { flexible: true }),
  column<WaitingTime>("JOBS", "jobs"),
  column<WaitingTime>("MEDIAN", "median_seconds", (one) => secondsText(one.median_seconds)),
  column<WaitingTime>("P95", "p95_seconds", (one) => secondsText(one.p95_seconds)),
];

/** `tongs run digest`: GET the runs of a period and the jobs of all their attempts. */
export const digest = defineCommand({
  summary: "Summarize workflow runs",
  details:
    "Shows for each workflow and branch how many runs finished, how many failed, and how long they took; which jobs " +
    "failed and then succeeded on the same commit; and how long jobs waited for a runner. In a pipe and as CSV, prints " +
    "the workflows only. On a server that lists only started jobs, waiting times are unknown.",
  on: "repository",
  needs: [[runList, taskList]],
  effect: "read",
  asTool: "write",
  flags: {
    since: ageFlag("summarize the runs of this period: 7d, 12h, 4w (default: 7d)"),
    workflow: text("only this workflow (file or name)", { short: "w", placeholder: "WORKFLOW", source: "workflow" }),
    branch: text("only this branch", { short: "b", placeholder: "BRANCH", source: "branch" }),
    svg: text("also draw the results per day to an SVG file", {
      dash: "stdout",
      names: "output file",
      placeholder: "FILE",
    }),
  },
  output: runDigest,
  examples: [
    ["Summarize the last week", "tongs run digest"],
    ["List the flaky jobs of the last month", "tongs run digest --since 30d --jq '.flaky_jobs[].job'"],
    ["Draw the results on main", "tongs run digest --branch main --svg results.svg"],
  ],
  async run(context) {
    const { flags, http, options, out, repo, system } = context;
    const level = { of: "repository", repo } as const;
    if (flags.svg === "-" && (out.records || out.format === "csv")) {
      throw new UsageError("Cannot use --svg - with a JSON format or --csv", "Write the chart to a file.");
    }
    const until = system.now();
    const since = new Date(until.getTime() - (flags.since ?? 7 * 86_400_000));
    const workflow = flags.workflow === undefined ? undefined : await workflowFile(flags.workflow, level, context);
    const runs = await runsSince(listRuns(http, level, { workflow, branch: flags.branch }), since);
    const jobs = runs.every(isTask) ? runs : await jobsOrTasksSince(context, repo, since);
    const found = summarize(runs, jobs, { since, until });
    if (flags.svg !== undefined) {
      const title = `Runs of ${fullName(repo)}${flags.branch === undefined ? "" : ` on ${flags.branch}`}`;
      const chart = digestChart(found.days, title);
      if (flags.svg === "-") return out.raw(chart);
      if (!options.dryRun) await writeFile(fullPath(flags.svg, system), chart);
      out.note(`${options.dryRun ? "Would write" : "Wrote"} ${flags.svg}`);
    }
    if (out.format === "csv" || (!out.records && !out.terminal)) {
      const csvFields = Object.keys(workflowDigest.fields);
      return out.list(found.workflows, workflowColumns, { unlimited: true, csvFields });
    }
    if (out.records) return out.record(found, () => ({ fields: [] }));
    if (found.workflows.length === 0) return out.note(`No runs of ${fullName(repo)} finished since ${found.since}.`);
    await out.list(found.workflows, workflowColumns, { unlimited: true, lists: ["workflow", "workflows"] });
    if (found.flaky_jobs.length > 0) await out.raw("\n");
    if (found.flaky_jobs.length > 0)
      await out.list(found.flaky_jobs, flakyColumns, { unlimited: true, lists: ["flaky job", "flaky jobs"] });
    if (found.waiting.length > 0) await out.raw("\n");
    if (found.waiting.length > 0)
      await out.list(found.waiting, waitingColumns, { unlimited: true, lists: ["waiting time", "waiting times"] });
  },
});

/** The runs that started since a time, of a list with the newest first. A rerun starts an old run again. */
async function runsSince(
  listing: { take(limit: number): AsyncIterable<RunOrTask> },
  since: Date,
): Promise<RunOrTask[]> {
  const found: RunOrTask[] = [];
  let older = 0;
  for await (const one of listing.take(Number.POSITIVE_INFINITY)) {
    const { started } = readRun(one);
    const isOld = started !== undefined && Date.parse(started) < since.getTime();
    older = isOld ? older + 1 : 0;
    // A page of older runs: those before them are older, too.
    if (older >= 50) break;
    if (!isOld) found.push(one);
  }
  return found;
}

/** The jobs created since a time, or the tasks on a server without a list of all jobs (Forgejo). */
async function jobsOrTasksSince(
  context: ServerContext,
  repo: RepoName,
  since: Date,
): Promise<readonly (GiteaJob | Task)[]> {
  try {
    return await jobsSince(context, repo, since);
  } catch (error) {
    if (!(error instanceof UnknownOperationError)) throw error;
    return (await runsSince(call(context.http, taskList, { repo }), since)).filter(isTask);
  }
}

/** The jobs created since a time, newest first, or oldest first on servers that ignore the order. */
async function jobsSince({ http }: ServerContext, repo: RepoName, since: Date): Promise<GiteaJob[]> {
  const found: GiteaJob[] = [];
  let before: number | undefined;
  for await (const one of call(http, jobList, { level: { of: "repository", repo }, sort: "id", order: "desc" }).take(
    Number.POSITIVE_INFINITY,
  )) {
    const isNewestFirst = before !== undefined && one.id < before;
    before = one.id;
    if (Date.parse(one.created_at ?? "") >= since.getTime()) found.push(one);
    else if (isNewestFirst) break;
  }
  return found;
}
