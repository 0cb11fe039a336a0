import { Failure } from "../../failure/failure.ts";
import { listRuns, runNumbered } from "../../forge/list-runs.ts";
import { call, find, type Operation } from "../../forge/operation.ts";
import { isTask, type RunOrTask, readRun } from "../../forge/read-run.ts";
import { type Run, runApprove, runGet, type Task, taskList } from "../../forge/runs.ts";
import { isKnownToHaveOperation } from "../../forge/server-has.ts";
import { DeniedError, type HttpError, NotFoundError, UnknownOperationError } from "../../http/errors.ts";
import { addressText, commandIn } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import type { BaseContext, RepositoryContext } from "../context.ts";
import { repoPage } from "../web.ts";
import { unsupported } from "../web-instead.ts";
import type { RunSelector } from "./selector.ts";

export type FindContext = RepositoryContext & Pick<BaseContext, "git" | "out">;

/** A run as the server describes it: by a run record, or by the tasks of its jobs. */
export type FoundRun =
  | { readonly kind: "run"; readonly run: Run }
  | { readonly kind: "tasks"; readonly number: number; readonly tasks: readonly [Task, ...Task[]] };

/** The record of a run, or the first of its tasks. */
export function recordOf(found: FoundRun): RunOrTask {
  return found.kind === "run" ? found.run : found.tasks[0];
}

/** The selected run. Sends one request if it is selected by ID. Throws a `not_found` failure with a hint if there is none. */
export async function findRun(selector: RunSelector, context: FindContext): Promise<FoundRun> {
  try {
    switch (selector.by) {
      case "id":
        return await byId(selector.id, context);
      case "url":
        return { kind: "run", run: await runAtPage(selector.segment, context) };
      case "number":
        return await byNumber(selector.number, context);
      default:
        return await newestOf(selector, context);
    }
  } catch (error) {
    // The server has no run records: IDs are those of tasks, and URLs contain the run number.
    if (error instanceof UnknownOperationError) return findTasks(selector, context, error);
    // Gitea before 1.26 lists runs for owners only, and tasks for everyone who can read them.
    if (!(error instanceof DeniedError) || error.status !== 403 || selector.by === "id") throw error;
    return findTasks(selector, context, error).catch((other: unknown) => {
      throw other instanceof DeniedError ? error : other;
    });
  }
}

async function byId(id: number, context: FindContext): Promise<FoundRun> {
  const { http, repo } = context;
  try {
    return { kind: "run", run: await call(http, runGet, { repo, run: id }) };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const numbered = await runNumbered(http, repo, id).catch(ignoreFailure);
    if (numbered === undefined) throw error;
    const hint = `Run number ${id} has ID ${numbered.id}. To select it by number, pass '#${id}'.`;
    throw noRun(`${fullName(repo)} has no run with ID ${id}`, hint);
  }
}

async function byNumber(number: number, context: FindContext): Promise<FoundRun> {
  const { http, repo } = context;
  const run = await runNumbered(http, repo, number);
  if (run !== undefined) return { kind: "run", run };
  const other = await call(http, runGet, { repo, run: number }).catch(ignoreFailure);
  const hint =
    other && `The run with ID ${number} has number ${readRun(other).number}. To select it by ID, pass ${number}.`;
  throw noRun(`${fullName(repo)} has no run number ${number}`, hint);
}

/**
 * The run whose page is at `/actions/runs/SEGMENT`: the segment is its ID, or its number on older servers. Throws a
 * `not_found` failure if there is none.
 */
export async function runAtPage(segment: number, context: RepositoryContext): Promise<Run> {
  const { http, repo } = context;
  const ends = (run: Run) => new RegExp(`/actions/runs/${segment}$`).test(readRun(run).url ?? "");
  const run = await find(http, runGet, { repo, run: segment });
  if (run !== undefined && ends(run)) return run;
  const numbered = await runNumbered(http, repo, segment);
  if (numbered !== undefined && ends(numbered)) return numbered;
  throw noRun(`${fullName(repo)} has no run at /actions/runs/${segment}`);
}

async function newestOf(selector: RunSelector, context: FindContext): Promise<FoundRun> {
  const { repo, git } = context;
  const branch =
    selector.by === "branch" ? selector.branch : selector.by === "current" ? await git.currentBranch() : undefined;
  const ofBranch = branch === undefined ? undefined : await newest(context, branch);
  const found = ofBranch ?? (selector.by === "branch" ? undefined : await newest(context));
  if (found === undefined) {
    if (branch === undefined || selector.by !== "branch") throw noRun(`No runs found in ${fullName(repo)}`);
    const hint = "Runs of pull requests and tags cannot be selected by branch. To find one, run: tongs run list";
    throw noRun(`No runs found on branch ${branch} of ${fullName(repo)}`, hint);
  }
  if (!isTask(found)) return { kind: "run", run: found };
  return tasksOf(found.run_number, context);
}

async function newest({ http, repo }: FindContext, branch?: string): Promise<RunOrTask | undefined> {
  for await (const run of listRuns(http, { of: "repository", repo }, { branch }).take(1)) return run;
  return undefined;
}

/** For requests that only improve an error message: a failure of theirs is ignored. */
function ignoreFailure(error: unknown): undefined {
  if (error instanceof Failure) return undefined;
  throw error;
}

/**
 * The selected run on a server that has only tasks (Forgejo), where IDs are those of tasks and URLs contain the run
 * number.
 */
async function findTasks(selector: RunSelector, context: FindContext, missing: HttpError): Promise<FoundRun> {
  if (selector.by === "number") return tasksOf(selector.number, context);
  if (selector.by === "url") return tasksOf(selector.segment, context);
  if (selector.by !== "id") throw missing;
  let numbered: Task | undefined;
  for await (const task of all(context)) {
    if (task.run_number === selector.id) numbered = task;
    if (task.id !== selector.id) continue;
    // The number may come from a run's URL, where it is the run number.
    if (numbered !== undefined && task.run_number !== selector.id) {
      context.out.note(
        `${selector.id} is the ID of a task of run #${task.run_number}. To select run number ${selector.id}, pass '#${selector.id}'.`,
      );
    }
    return tasksOf(task.run_number, context);
  }
  const hint = numbered && `There is a run number ${selector.id}. To select it, pass '#${selector.id}'.`;
  throw noRun(`${fullName(context.repo)} has no task with ID ${selector.id}`, hint);
}

/** The tasks of the run with a number, oldest first. Throws a `not_found` failure if there are none. */
export async function tasksOf(number: number, context: FindContext): Promise<FoundRun> {
  const found: Task[] = [];
  let newest = 0;
  for await (const task of all(context)) {
    newest = Math.max(newest, task.run_number);
    if (task.run_number === number) found.unshift(task);
  }
  const [first, ...rest] = found;
  if (first !== undefined) return { kind: "tasks", number, tasks: [first, ...rest] };
  const hint = "This server lists a job only after a runner has picked it up. Waiting runs are not listed.";
  throw noRun(`${fullName(context.repo)} has no run number ${number}`, hint);
}

/** The state of a run, from those of its tasks. */
export function stateOfTasks(tasks: readonly Task[]): string {
  const states = tasks.map((task) => readRun(task).state);
  return ["failure", "cancelled", "in_progress"].find((word) => states.includes(word)) ?? states[0] ?? "waiting";
}

function all({ http, repo }: FindContext): AsyncGenerator<Task> {
  return call(http, taskList, { repo }).take(Number.POSITIVE_INFINITY);
}

function noRun(message: string, hint?: string): Failure {
  return new Failure("not_found", message, { hint });
}

/** The web page of a run, at the address that the user has for the server. */
export function runPage(record: RunOrTask, context: Pick<RepositoryContext, "server" | "repo">): string {
  return addressText(context.server.base) + runPath(record, context);
}

/** The command that approves a run or, on a server that has no operation for it, the web page that does. */
export async function howToApprove(record: RunOrTask, context: RepositoryContext): Promise<string> {
  const canApprove = await isKnownToHaveOperation(context.http, runApprove);
  if (!canApprove || isTask(record)) return `Approve the run at ${runPage(record, context)}`;
  return `Approve it: ${commandIn(context, `tongs run approve ${record.id}`)}`;
}

/** The path of the web page of a run. */
export function runPath(record: RunOrTask, { repo }: Pick<RepositoryContext, "repo">): string {
  const shown = /\/actions\/runs\/(\d+)/.exec(readRun(record).url ?? "")?.[1];
  return repoPage(repo, "actions", ...(shown === undefined ? [] : ["runs", shown]));
}

/**
 * The record of the selected run, for an operation on it. Throws an `unknown_operation` failure on a server that has only
 * tasks.
 */
export async function findRunRecord(
  what: string,
  operation: Operation,
  selector: RunSelector,
  context: FindContext,
): Promise<Run> {
  const found = await findRun(selector, context);
  if (found.kind === "run") return found.run;
  throw unsupported(what, runPage(recordOf(found), context), context, runGet, operation);
}
