import { runState } from "../../forge/run-or-task.ts";
import type { Task } from "../../forge/runs.ts";
import type { UnknownOperationError } from "../../http/errors.ts";
import { fullName } from "../../repo/repo-name.ts";
import type { FindContext, FoundRun } from "./find.ts";
import { noRun } from "./no-run.ts";
import type { RunSelector } from "./selector.ts";

/** The selected run on a server that has tasks only (Forgejo). An id is that of a task; addresses hold the number. */
export async function findTasks(
  selector: RunSelector,
  context: FindContext,
  missing: UnknownOperationError,
): Promise<FoundRun> {
  if (selector.by === "number") return tasksOf(selector.number, context);
  if (selector.by === "url") return tasksOf(selector.shown, context);
  if (selector.by !== "id") throw missing;
  let numbered: Task | undefined;
  for await (const task of all(context)) {
    if (task.run_number === selector.id) numbered = task;
    if (task.id !== selector.id) continue;
    // The page's address holds the number: whoever typed this may have meant that.
    if (numbered !== undefined && task.run_number !== selector.id) {
      context.out.note(`${selector.id} is the id of a task of run #${task.run_number}. By number: '#${selector.id}'`);
    }
    return tasksOf(task.run_number, context);
  }
  const hint = numbered && `Run number ${selector.id} is there. By number: '#${selector.id}'`;
  throw noRun(`${fullName(context.repo)} has no task with the id ${selector.id}`, { hint });
}

/** The tasks of the run with a number, oldest first. */
export async function tasksOf(number: number, context: FindContext): Promise<FoundRun> {
  const found: Task[] = [];
  let newest = 0;
  for await (const task of all(context)) {
    newest = Math.max(newest, task.run_number);
    if (task.run_number === number) found.unshift(task);
  }
  const [first, ...rest] = found;
  if (first !== undefined) return { kind: "tasks", number, tasks: [first, ...rest] };
  const hint = "This server tells of jobs once a runner took them: runs that wait are not in its list.";
  throw noRun(`${fullName(context.repo)} has no run number ${number}`, { hint });
}

/** One word for how a run stands whose tasks these are. */
export function stateOfTasks(tasks: readonly Task[]): string {
  const states = tasks.map((task) => runState(task));
  return ["failure", "cancelled", "in_progress"].find((word) => states.includes(word)) ?? states[0] ?? "waiting";
}

function all({ forge, repo }: FindContext): AsyncGenerator<Task> {
  return forge.tasks.list(repo).take(Number.POSITIVE_INFINITY);
}
