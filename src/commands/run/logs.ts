import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { integer, text, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import type { Job } from "../../forge/jobs.ts";
import { runState } from "../../forge/run-or-task.ts";
import { NotFoundError } from "../../http/errors.ts";
import type { Listing } from "../../http/pages.ts";
import { paged } from "../../output/pager.ts";
import { list } from "../../shape/shape.ts";
import { safeLine } from "../../text/safe.ts";
import { findJob, jobsOf } from "./jobs-of.ts";
import { failedSteps, type LogLine, logLines, logRecord, stepTeller } from "./log-lines.ts";
import { plainText, shownText } from "./log-text.ts";
import { runSelector } from "./selector.ts";
import { findRunFor } from "./unsupported.ts";

const flags = {
  job: text("of this job: its name or id", { short: "j", placeholder: "JOB" }),
  attempt: integer("of this attempt", { short: "a", min: 1 }),
  failed: toggle("only the lines of the steps that failed"),
  tail: integer("only the last lines of each job, so many", { short: "n" }),
  grep: text("only lines that fit this regular expression", { placeholder: "RE" }),
  noTimestamps: toggle("leave the times out"),
};

interface Told extends LogLine {
  readonly job: Job;
  readonly step: string | undefined;
}

/** `tongs run logs`: GET the logs of the jobs of a run. */
export const logs = defineCommand({
  summary: "Print the logs of a workflow run",
  details:
    "Steps are told apart by their times, in whole seconds: lines of short steps beside the failed one may come along. " +
    "With several jobs each line in a pipe begins with the job's name and a TAB. The JSON forms print one record a line " +
    "of the log. The log of a running job ends where it is now; run watch --logs follows.",
  on: "repository",
  effect: "read",
  args: { run: runSelector },
  flags,
  output: list(logRecord),
  examples: [
    ["Why did the newest run fail", "tongs run logs latest --failed"],
    ["The end of one job", "tongs run logs 31 --job build --tail 50"],
    ["Every warning", "tongs run logs '#7' --grep '(?i)warning'"],
  ],
  async run(context) {
    const { out, system } = context;
    const expression = searchFor(context.flags.grep);
    const run = await findRunFor("read the logs of a run", context.args.run, context);
    const all = await jobsOf(run, context, context.flags.attempt);
    const named = context.flags.job === undefined ? all : [findJob(context.flags.job, all, run)];
    const jobs = context.flags.failed ? named.filter((job) => runState(job) === "failure") : named;
    if (jobs.length === 0) {
      if (out.records) await out.items([]);
      out.note(context.flags.failed ? "No job has failed." : "The run has no jobs yet.");
      return;
    }
    const lines = read(jobs, expression, context);
    if (out.records) return out.list(asRecords(lines), [], { whole: true });
    const severalJobs = jobs.length > 1;
    if (out.terminal) {
      return paged(system, async (write) => {
        let before: Job | undefined;
        for await (const line of lines) {
          const shown = lineText(line, context);
          if (shown === undefined) continue;
          const head = severalJobs && line.job !== before ? `${heading(line.job, context)}\n` : "";
          before = line.job;
          if (!(await write(`${head}${shown}\n`))) return;
        }
      });
    }
    for await (const line of lines) {
      const shown = lineText(line, context);
      if (shown !== undefined) await out.raw(`${severalJobs ? `${safeLine(line.job.name)}\t` : ""}${shown}\n`);
    }
  },
});

type LogsContext = RepositoryContext &
  Pick<BaseContext, "out" | "system"> & {
    readonly flags: {
      readonly job: string | undefined;
      readonly failed: boolean;
      readonly tail: number | undefined;
      readonly noTimestamps: boolean;
    };
  };

/** The wanted lines of every job. A job without a log is noted, unless it is the only one. */
async function* read(jobs: readonly Job[], search: RegExp | undefined, context: LogsContext): AsyncGenerator<Told> {
  const { forge, repo, out, flags } = context;
  const tail = flags.tail ?? Number.POSITIVE_INFINITY;
  for (const job of jobs) {
    try {
      const log = await forge.jobs.log(repo, job.id);
      const wanted = wantedLines(job, logLines(log.body), search, flags.failed);
      yield* tail === Number.POSITIVE_INFINITY ? wanted : last(wanted, tail);
    } catch (error) {
      if (!(error instanceof NotFoundError) || jobs.length === 1) throw error;
      out.note(`${job.name}: ${error.serverMessage || "there is no log"}.`);
    }
  }
}

async function* wantedLines(
  job: Job,
  lines: AsyncIterable<LogLine>,
  search: RegExp | undefined,
  failed: boolean,
): AsyncGenerator<Told> {
  const tell = stepTeller(job);
  const failing = new Set(failedSteps(job));
  for await (const line of lines) {
    const step = tell(line);
    // A job may fail outside its steps, in the set-up: then all of its log is telling.
    if (failed && failing.size > 0 && (step === undefined || !failing.has(step))) continue;
    if (search !== undefined && !search.test(plainText(line.text))) continue;
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

function asRecords(lines: AsyncIterable<Told>): Listing<unknown> {
  return {
    async *take() {
      for await (const { job, step, time, text } of lines) yield { job_id: job.id, job: job.name, step, time, text };
    },
    total: undefined,
  };
}

function lineText(line: Told, { out, flags }: LogsContext): string | undefined {
  const shown = shownText(line.text, out.palette);
  if (shown === undefined || flags.noTimestamps || line.time === "") return shown;
  return `${out.palette("dim", line.time)} ${shown}`;
}

function heading(job: Job, { out }: LogsContext): string {
  return out.palette("strong", `── ${safeLine(job.name)} (${runState(job)})`);
}

/** `(?i)` at the beginning means any case, as other tools have it. */
function searchFor(typed: string | undefined): RegExp | undefined {
  if (typed === undefined) return undefined;
  const anyCase = typed.startsWith("(?i)");
  try {
    return new RegExp(anyCase ? typed.slice(4) : typed, anyCase ? "iu" : "u");
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`--grep: '${typed}' is no regular expression`, error.message);
  }
}
