import type { CommandContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { onExistingOf } from "../../app/download-files.ts";
import { failedSteps, findFailedSteps } from "../../app/runs/failed-steps.ts";
import { findRunRecord } from "../../app/runs/find.ts";
import { findJob, jobsOf } from "../../app/runs/find-job.ts";
import { jobLog } from "../../app/runs/job-failure.ts";
import { type LogLine, logRecord, stepFinder } from "../../app/runs/log-lines.ts";
import { displayText } from "../../app/runs/log-text.ts";
import { runSelector } from "../../app/runs/selector.ts";
import { integer, text, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { type Job, jobLogs, runJobList } from "../../forge/jobs.ts";
import { readJob } from "../../forge/read-job.ts";
import { NotFoundError } from "../../http/errors.ts";
import type { Listing } from "../../http/pages.ts";
import { paged } from "../../output/pager.ts";
import { list } from "../../shape/shape.ts";
import { safeLine } from "../../text/safe.ts";
import { compose, type Styled } from "../../text/styled.ts";
import { type LogSearch, openSearch, readPattern } from "./log-search.ts";

const flags = {
  job: text("print the log of this job (name or ID)", { short: "j", placeholder: "JOB" }),
  attempt: integer("print the logs of this attempt", { short: "a", min: 1 }),
  failed: toggle("print only lines of failed steps"),
  tail: integer("print only the last N lines of each job", { short: "n" }),
  grep: text("print only lines that match this regular expression", { placeholder: "RE" }),
  noTimestamps: toggle("omit timestamps"),
  zip: toggle("save the logs of all jobs as run-ID-logs.zip", { names: "output file" }),
  dir: text("with --zip: directory to save into (default: .)", {
    short: "D",
    names: "output file",
    placeholder: "DIR",
  }),
  clobber: toggle("with --zip: replace an existing file", { names: "output file", aliases: [{ name: "overwrite" }] }),
  skipExisting: toggle("with --zip: keep an existing file", { names: "output file" }),
};

interface JobLine extends LogLine {
  readonly job: Job;
  readonly step: string | undefined;
}

/** `tongs run logs`: GET the logs of the jobs of a run. */
export const logs = defineCommand({
  summary: "Print the logs of a workflow run",
  details:
    "Lines are assigned to steps by their times, in whole seconds, so --failed may include lines of short adjacent steps. " +
    "When the logs of several jobs are piped, each line starts with the job's name and a TAB. The JSON formats print one " +
    "record per line. For a running job, prints the log so far. To follow it, use: tongs run watch --logs",
  on: "repository",
  needs: [runJobList, jobLogs],
  effect: "read",
  args: { run: runSelector },
  flags,
  exclusive: [
    ["zip", "job"],
    ["zip", "failed"],
    ["zip", "tail"],
    ["zip", "grep"],
    ["zip", "noTimestamps"],
    ["clobber", "skipExisting"],
  ],
  output: list(logRecord),
  examples: [
    ["Print the failed steps of the newest run", "tongs run logs latest --failed"],
    ["Print the last lines of a job", "tongs run logs 31 --job build --tail 50"],
    ["Print all warnings", "tongs run logs '#7' --grep '(?i)warning'"],
    ["Save all logs as a zip file", "tongs run logs 31 --zip"],
  ],
  async run(context) {
    const { out, system } = context;
    const { grep, zip, dir, clobber, skipExisting } = context.flags;
    if (!zip && (dir !== undefined || clobber || skipExisting))
      throw new UsageError("--dir, --clobber and --skip-existing require --zip");
    if (zip && out.records) throw new UsageError("Cannot use --zip with a JSON format");
    const pattern = grep === undefined ? undefined : readPattern(grep);
    const run = await findRunRecord("read the logs of a run", jobLogs, context.args.run, context);
    if (zip) {
      const { saveLogs } = await import("./log-zip.ts");
      const onExisting = onExistingOf(context.flags);
      return saveLogs(run, context.flags.attempt, { dir: dir ?? ".", onExisting }, context);
    }
    const all = await jobsOf(run, context, context.flags.attempt);
    const named = context.flags.job === undefined ? all : [findJob(context.flags.job, all, run)];
    const jobs = context.flags.failed ? named.filter((job) => readJob(job).state === "failure") : named;
    if (jobs.length === 0) {
      if (out.records) await out.items([]);
      out.note(context.flags.failed ? "No jobs failed." : "The run has no jobs yet.");
      return;
    }
    const lines = readLines(jobs, pattern, context);
    if (out.records) return out.list(asRecords(lines), [], { unlimited: true });
    const severalJobs = jobs.length > 1;
    if (out.terminal) {
      return paged(system, async (write) => {
        let before: Job | undefined;
        for await (const line of lines) {
          const shown = lineText(line, context);
          if (shown === undefined) continue;
          const head = severalJobs && line.job !== before ? compose`${heading(line.job, context)}\n` : "";
          before = line.job;
          if (!(await write(compose`${head}${shown}\n`))) return;
        }
      });
    }
    for await (const line of lines) {
      const shown = lineText(line, context);
      if (shown !== undefined) await out.raw(compose`${severalJobs ? `${safeLine(line.job.name)}\t` : ""}${shown}\n`);
    }
  },
});

type LogsContext = CommandContext<"repository", { readonly run: typeof runSelector }, typeof flags>;

/** The selected lines of all jobs. */
async function* readLines(
  jobs: readonly Job[],
  pattern: RegExp | undefined,
  context: LogsContext,
): AsyncGenerator<JobLine> {
  const search = pattern === undefined ? undefined : await openSearch(pattern, context.system.signal);
  try {
    for (const job of jobs) yield* linesOf(job, jobs.length === 1, search, context);
  } finally {
    search?.close();
  }
}

/** The selected lines of a job. Prints a note if it has no log; throws if it is the only job. */
async function* linesOf(
  job: Job,
  isOnly: boolean,
  search: LogSearch | undefined,
  context: LogsContext,
): AsyncGenerator<JobLine> {
  const { flags, out } = context;
  try {
    const ofSteps = linesOfSteps(job, () => jobLog(context, job), flags.failed);
    const selected = search === undefined ? ofSteps : search.matching(ofSteps);
    yield* flags.tail === undefined ? selected : last(selected, flags.tail);
  } catch (error) {
    if (!(error instanceof NotFoundError) || isOnly) throw error;
    out.note(`${job.name}: ${error.serverMessage || "no log available"}.`);
  }
}

/** The lines of a log with their steps; all of them or those of failed steps. */
async function* linesOfSteps(
  job: Job,
  readLog: () => AsyncIterable<LogLine>,
  onlyFailed: boolean,
): AsyncGenerator<JobLine> {
  const { steps, commands } = onlyFailed
    ? await findFailedSteps(job, readLog)
    : { steps: new Set(failedSteps(job)), commands: [] };
  const findStep = stepFinder(job, steps);
  let index = -1;
  for await (const line of readLog()) {
    index += 1;
    const step = findStep(line);
    // If a job failed outside its steps, for example in its setup, the whole log is relevant.
    const isRelevant =
      steps.size > 0
        ? step !== undefined && steps.has(step)
        : commands.length === 0 || commands.some(({ first, last }) => index >= first && index <= last);
    if (onlyFailed && !isRelevant) continue;
    yield { ...line, job, step: step?.name };
  }
}

async function* last<T>(items: AsyncIterable<T>, count: number): AsyncGenerator<T> {
  let kept: T[] = [];
  for await (const item of items) {
    kept.push(item);
    if (kept.length > 2 * count + 1000) kept = kept.slice(kept.length - count);
  }
  yield* count === 0 ? [] : kept.slice(-count);
}

function asRecords(lines: AsyncIterable<JobLine>): Listing<unknown> {
  return {
    async *take() {
      for await (const { job, step, time, text } of lines) yield { job_id: job.id, job: job.name, step, time, text };
    },
    total: undefined,
  };
}

function lineText(line: JobLine, { out, flags }: LogsContext): Styled | undefined {
  const shown = displayText(line.text, out.palette);
  if (shown === undefined || flags.noTimestamps || line.time === "") return shown;
  return compose`${out.palette("plain", line.time)} ${shown}`;
}

function heading(job: Job, { out }: LogsContext): Styled {
  return out.palette("strong", `── ${safeLine(job.name)} (${safeLine(readJob(job).state)})`);
}
