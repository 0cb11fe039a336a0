import { Failure } from "../../failure/failure.ts";
import { attemptJobList, type Job, runJobList } from "../../forge/jobs.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { isTask, readRun } from "../../forge/read-run.ts";
import { type Run, type Task, taskList } from "../../forge/runs.ts";
import { UnknownOperationError } from "../../http/errors.ts";
import { nearest } from "../../text/nearest.ts";
import type { RepositoryContext } from "../context.ts";

/** The jobs of a run: of the latest attempt, or of the given one. */
export async function jobsOf(run: Run, { http, repo }: RepositoryContext, attempt?: number): Promise<Job[]> {
  const listing =
    attempt === undefined
      ? call(http, runJobList, { repo, run: run.id })
      : call(http, attemptJobList, { repo, run: run.id, attempt });
  return collect(listing);
}

/** The jobs of a run, or its tasks, oldest first, on a server that has runs but not their jobs: Forgejo before 16.0. */
export async function jobsOrTasksOf(
  run: Run,
  context: RepositoryContext,
  attempt?: number,
): Promise<readonly Job[] | readonly Task[]> {
  try {
    return await jobsOf(run, context, attempt);
  } catch (error) {
    if (!(error instanceof UnknownOperationError) || attempt !== undefined) throw error;
    const { number, created = "" } = readRun(run);
    const tasks: Task[] = [];
    for await (const task of call(context.http, taskList, { repo: context.repo }).take(Number.POSITIVE_INFINITY)) {
      // Newest first: those before were created before the run.
      if (Date.parse(task.created_at ?? "") < Date.parse(created)) break;
      if (task.run_number === number) tasks.unshift(task);
    }
    return tasks;
  }
}

/** Whether they are tasks, and not jobs. */
export function areTasks(found: readonly Job[] | readonly Task[]): found is readonly Task[] {
  return found[0] !== undefined && isTask(found[0]);
}

/** The job of a run by its ID, its name, or a unique part of its name. Throws when no job or several jobs match. */
export function findJob(typed: string, jobs: readonly Job[], run: Run): Job {
  const exact = jobs.filter(({ id, name }) => String(id) === typed || name === typed);
  const part = typed.toLowerCase();
  const found = exact.length > 0 ? exact : jobs.filter(({ name }) => name.toLowerCase().includes(part));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const many = found.length > 1;
  const names = (many ? found : jobs).map(({ name, id }) => `${name} (${id})`).join(", ");
  const near = nearest(
    typed,
    jobs.map(({ name }) => name),
  );
  const message = `${many ? "Several jobs" : "No job"} of run #${readRun(run).number} ${many ? "match" : "matches"} '${typed}'`;
  throw new Failure("not_found", message, {
    hint: !many && near.length > 0 ? `Did you mean: ${near.join(", ")}?` : `Available: ${names || "none yet"}`,
  });
}
