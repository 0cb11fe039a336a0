import { isFinished, runState } from "../../forge/run-or-task.ts";
import { safeLine } from "../../text/safe.ts";
import { duration, stateStyle } from "./look.ts";
import type { Moment, WatchContext } from "./watch-run.ts";

/** Shows a moment of a run, and a remark on the last look. */
export type Show = (moment: Moment | undefined, remark: string | undefined) => Promise<void>;

/**
 * Shows a run while `work` watches it: on a terminal by a block that is drawn over itself, in a pipe by a line for each
 * change.
 */
export async function whileShown<T>(
  context: WatchContext,
  withLogs: boolean,
  work: (show: Show) => Promise<T>,
): Promise<T> {
  const { out } = context;
  if (!out.terminal || withLogs) return work(changes(context, withLogs));
  // What is written between two drawings would shift the second.
  out.hold(true);
  try {
    return await work(block(context));
  } finally {
    out.hold(false);
  }
}

/** Draws over what was drawn before, only the lines that changed; the whole never outgrows the screen. */
function block(context: WatchContext): Show {
  const { out, system } = context;
  let drawn: readonly string[] = [];
  return async (moment, remark) => {
    const width = (system.stdout.columns || out.width) - 1;
    const room = Math.max(3, (system.stdout.rows || 24) - 3);
    const all = moment === undefined ? [] : jobLines(moment, context, width);
    const lines = all.length > room ? [...all.slice(0, room - 1), `… ${all.length - room + 1} more`] : [...all];
    if (moment !== undefined) lines.push(summary(moment, context));
    if (remark !== undefined) lines.push(out.palette("warn", safeLine(remark).slice(0, width)));
    const height = Math.max(drawn.length, lines.length);
    let text = drawn.length === 0 ? "" : `\u001b[${drawn.length}A\r`;
    for (let index = 0; index < height; index += 1) {
      const line = lines[index] ?? "";
      const same = index < drawn.length && drawn[index] === line;
      text += same ? "\n" : `${line}\u001b[K\n`;
    }
    if (height > lines.length) text += `\u001b[${height - lines.length}A`;
    if (lines.join("\n") !== drawn.join("\n")) await out.raw(text);
    drawn = lines;
  };
}

function jobLines({ jobs }: Moment, { out, system }: WatchContext, width: number): string[] {
  const now = system.now();
  return jobs.flatMap((job) => {
    const state = runState(job);
    const took = "labels" in job && isFinished(job) ? duration(job.started_at, job.completed_at, now) : "";
    const name = `${safeLine(job.name)}${took === "" ? "" : `  (${took})`}`.slice(0, width - 14);
    const head = `${out.palette(stateStyle(state), state.padEnd(12))} ${name}`;
    const steps = "steps" in job && (!isFinished(job) || state === "failure") ? (job.steps ?? []) : [];
    const telling = steps.filter((step) => runState(step) === "in_progress" || runState(step) === "failure");
    return [
      head,
      ...telling.map((step) => {
        const word = runState(step);
        return `  ${out.palette(stateStyle(word), word.padEnd(12))} ${safeLine(step.name).slice(0, width - 16)}`;
      }),
    ];
  });
}

function summary({ found, state, jobs }: Moment, { out }: WatchContext): string {
  const number = found.kind === "run" ? found.run.run_number : found.number;
  const over = jobs.filter(isFinished).length;
  return out.palette("dim", `run #${number}: ${state}, ${over} of ${jobs.length} jobs over`);
}

/** A line for each job whose state changed, and for the run; beside logs they are notes. */
function changes(context: WatchContext, withLogs: boolean): Show {
  const { out } = context;
  const seen = new Map<string, string>();
  let remarked: string | undefined;
  const say = async (key: string, name: string, state: string, ...more: readonly string[]) => {
    if (seen.get(key) === state) return;
    seen.set(key, state);
    if (out.records) return;
    if (withLogs) out.note(`${name}: ${state}`);
    else await out.raw(`${[name, state, ...more].map(safeLine).join("\t")}\n`);
  };
  return async (moment, remark) => {
    if (remark !== undefined && remark !== remarked) out.note(`${remark}; still waiting.`);
    if (remark === undefined && remarked !== undefined) out.note("It answers again.");
    remarked = remark;
    if (moment === undefined || remark !== undefined) return;
    for (const job of moment.jobs) await say(`job ${job.id}`, job.name, runState(job));
    const number = moment.found.kind === "run" ? moment.found.run.run_number : moment.found.number;
    await say("run", `#${number}`, moment.state);
  };
}
