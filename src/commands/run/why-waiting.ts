import type { RepositoryContext } from "../../app/context.ts";
import { Failure } from "../../failure/failure.ts";
import type { Job } from "../../forge/jobs.ts";
import type { Level } from "../../forge/level.ts";
import { runState } from "../../forge/run-or-task.ts";
import type { Runner } from "../../forge/runners.ts";
import type { Run } from "../../forge/runs.ts";
import { runPage } from "./find.ts";

/** What each job that has not begun waits for, in words. */
export async function whyWaiting(run: Run, jobs: readonly Job[], context: RepositoryContext): Promise<string[]> {
  const queued = jobs.filter((job) => runState(job) === "queued");
  const blocked = jobs.filter((job) => runState(job) === "waiting");
  const said: string[] = [];
  if (queued.length > 0) {
    const runners = await runnersInReach(context);
    said.push(...queued.map((job) => waitsFor(job, runners)));
  }
  if (blocked.length > 0 && blocked.length === jobs.length) {
    const page = runPage({ kind: "run", run }, context);
    said.push(`No job may begin: a run of a fork's pull request waits for approval, on its page: ${page}`);
  } else said.push(...blocked.map((job) => `${job.name} waits for the jobs that it needs`));
  return said;
}

/** The runners that may take the jobs of a repository, as far as one may see them; undefined when none of the lists. */
async function runnersInReach({ forge, repo }: RepositoryContext): Promise<Runner[] | undefined> {
  const levels: readonly (readonly Level[])[] = [
    [{ of: "server" }],
    [
      { of: "repository", repo },
      { of: "organization", org: repo.owner },
    ],
  ];
  for (const group of levels) {
    const found: Runner[] = [];
    let seen = false;
    for (const level of group) {
      try {
        for await (const runner of forge.runners.list(level).take(Number.POSITIVE_INFINITY)) found.push(runner);
        seen = true;
      } catch (error) {
        if (!(error instanceof Failure && (error.exit === "denied" || error.exit === "notFound"))) throw error;
      }
    }
    if (seen) return found;
  }
  return undefined;
}

function waitsFor(job: Job, runners: readonly Runner[] | undefined): string {
  const wanted = job.labels ?? [];
  const wants = `${job.name} wants a runner with ${wanted.join(", ") || "any label"}`;
  if (runners === undefined) return `${wants}; you may not see which runners there are`;
  const names = ({ labels }: Runner) => (labels ?? []).map(({ name }) => name);
  const fitting = runners.filter((runner) => wanted.every((label) => names(runner).includes(label)));
  if (fitting.length === 0) {
    const missing = wanted.filter((label) => !runners.some((runner) => names(runner).includes(label)));
    const why = missing.length > 0 ? `no runner has ${missing.join(", ")}` : "no runner has all of them";
    const there = runners.map((runner) => `${runner.name} (${names(runner).join(", ")})`).join("; ");
    return `${wants}: ${why}. There ${runners.length === 1 ? "is" : "are"}: ${there || "no runner at all"}`;
  }
  const able = fitting.filter(({ status, disabled }) => status === "online" && !disabled);
  if (able.length === 0) {
    const how = fitting.map(({ name, status, disabled }) => `${name} is ${disabled ? "disabled" : status}`).join(", ");
    return `${wants}: ${how}`;
  }
  const busy = able.every((runner) => runner.busy);
  return `${wants}: ${able.map(({ name }) => name).join(", ")} ${busy ? "is busy" : "should take it soon"}`;
}
