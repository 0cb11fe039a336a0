import type { Job } from "../../forge/jobs.ts";
import { readJob, stepState } from "../../forge/read-job.ts";
import { readRun } from "../../forge/read-run.ts";
import type { Task } from "../../forge/runs.ts";
import { glyphOf } from "../../output/cells.ts";
import { safeLine } from "../../text/safe.ts";
import { compose, type Styled } from "../../text/styled.ts";
import type { BaseContext } from "../context.ts";
import { durationOf, stateStyle } from "./columns.ts";
import type { FoundRun } from "./find.ts";

type ScreenContext = Pick<BaseContext, "out" | "system">;

/** The state of a run and its jobs at one moment. */
export interface Snapshot {
  readonly found: FoundRun;
  readonly jobs: readonly (Job | Task)[];
  readonly state: string;
  readonly finished: boolean;
}

/** Shows a snapshot of a run, and why the last refresh failed. */
export type Show = (snapshot: Snapshot | undefined, problem: string | undefined) => Promise<void>;

/**
 * Shows a run while `work` watches it: on a terminal as a live block, in a pipe as a line for each change. If logs are
 * printed, changes are shown as notes.
 */
export async function withScreen<T>(
  context: ScreenContext,
  withLogs: boolean,
  work: (show: Show) => Promise<T>,
): Promise<T> {
  const { out, system } = context;
  if (!out.redraws || withLogs) return work(changes(context, withLogs));
  const [{ live }, { ticking }] = await Promise.all([
    import("../../output/live.ts"),
    import("../../output/ticking.ts"),
  ]);
  const block = live(system.stdout, out);
  const clock = ticking(system);
  let before: ReadonlyMap<number, string> | undefined;
  // The block shows that the server cannot be reached, so the client's notes about retries are dropped.
  out.hold(true);
  try {
    return await work(async (snapshot, problem) => {
      const previous = before;
      if (snapshot !== undefined) before = new Map(snapshot.jobs.map((job) => [job.id, readJob(job).state]));
      clock.each((frame) => {
        const footer = [
          ...(snapshot === undefined ? [] : [summary(snapshot, context, frame)]),
          ...(problem === undefined ? [] : [out.palette("warn", safeLine(problem))]),
        ];
        block.draw(snapshot === undefined ? [] : jobLines(snapshot, previous, context), footer);
      });
    });
  } finally {
    clock.end();
    block.done();
    out.hold(false);
  }
}

/**
 * A line for each job, finished ones above, followed by a line for each step that is running or failed. Marks the jobs
 * whose state is not that of the snapshot before.
 */
function jobLines(
  { jobs }: Snapshot,
  before: ReadonlyMap<number, string> | undefined,
  { out, system }: ScreenContext,
): Styled[] {
  const now = system.now();
  const line = (state: string, name: string, isChanged = false) => {
    const mark = isChanged ? out.palette("strong", "→ ") : "  ";
    const word = `${glyphOf(state) || " "} ${safeLine(state)}`;
    return compose`${mark}${out.palette(stateStyle(state), word.padEnd(14))} ${safeLine(name)}`;
  };
  const read = jobs.map((job) => ({ ...readJob(job), id: job.id, name: job.name }));
  const ordered = [...read.filter((job) => job.isFinished), ...read.filter((job) => !job.isFinished)];
  return ordered.flatMap((job) => {
    const { state } = job;
    const isChanged = before !== undefined && before.get(job.id) !== state;
    const time = durationOf(job, now);
    const name = time === "" ? job.name : `${job.name}  (${time})`;
    const steps = !job.isFinished || state === "failure" ? job.steps : [];
    const shownSteps = steps.filter((step) => ["in_progress", "failure"].includes(stepState(step)));
    return [line(state, name, isChanged), ...shownSteps.map((step) => compose`  ${line(stepState(step), step.name)}`)];
  });
}

function summary({ found, state, jobs, finished: isOver }: Snapshot, { out }: ScreenContext, frame: string): Styled {
  const number = found.kind === "run" ? readRun(found.run).number : found.number;
  const finished = jobs.filter((job) => readJob(job).isFinished).length;
  return out.palette(
    "plain",
    `${isOver ? "" : `${frame} `}run #${number}: ${safeLine(state)}, ${finished} of ${jobs.length} jobs finished`,
  );
}

/** Prints a line for each job whose state changed, and for the run. */
function changes(context: ScreenContext, withLogs: boolean): Show {
  const { out } = context;
  const seen = new Map<string, string>();
  let lastProblem: string | undefined;
  const print = async (key: string, name: string, state: string, ...more: readonly string[]) => {
    if (seen.get(key) === state) return;
    seen.set(key, state);
    if (out.records) return;
    if (withLogs) out.note(`${name}: ${state}`);
    else await out.raw(`${[name, state, ...more].map(safeLine).join("\t")}\n`);
  };
  return async (snapshot, problem) => {
    if (problem !== undefined && problem !== lastProblem) out.note(`${problem}; still waiting.`);
    if (problem === undefined && lastProblem !== undefined) out.note("The server can be reached again.");
    lastProblem = problem;
    if (snapshot === undefined || problem !== undefined) return;
    for (const job of snapshot.jobs) await print(`job ${job.id}`, job.name, readJob(job).state);
    const number = snapshot.found.kind === "run" ? readRun(snapshot.found.run).number : snapshot.found.number;
    await print("run", `#${number}`, snapshot.state);
  };
}
