import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { currentUser } from "../../app/shared.ts";
import { Failure } from "../../failure/failure.ts";
import { listRuns } from "../../forge/list-runs.ts";
import { branchOf, isTask, type RunOrTask, workflowOf } from "../../forge/run-or-task.ts";

type Context = RepositoryContext & Pick<BaseContext, "system" | "out">;

/** What a dispatch was, for telling its run from others. */
interface Dispatch {
  readonly file: string;
  readonly ref: string;
  /** The newest run number before it. */
  readonly after: number;
}

/** How long a new run is looked for, in seconds; where tasks are all there is, a runner must take it first. */
const patience = 30;

/** The number of the newest run that there is. */
export async function newestNumber({ forge, repo }: Context): Promise<number> {
  for await (const run of listRuns(forge, { of: "repository", repo }, {}).take(1)) return run.run_number;
  return 0;
}

/**
 * The run that a dispatch made, on servers that do not say: the only one since then of its workflow, event, ref and
 * (where the record has it) actor. Undefined when none shows up; throws when several fit, which is never guessed.
 */
export async function findDispatched(dispatch: Dispatch, context: Context): Promise<RunOrTask | undefined> {
  const { forge, repo, system } = context;
  const login = await currentUser(context);
  const ref = dispatch.ref.replace(/^refs\/(heads|tags)\//, "");
  for (let waited = 0; waited <= patience; waited += 2) {
    const fitting = new Map<number, RunOrTask>();
    const filter = { workflow: dispatch.file, event: "workflow_dispatch" };
    for await (const run of listRuns(forge, { of: "repository", repo }, filter).take(50)) {
      if (run.run_number <= dispatch.after) break;
      const mine = isTask(run) || run.actor == null || run.actor.login === login;
      // A dispatch on a commit has its hash for a branch.
      if (workflowOf(run) === dispatch.file && mine && [branchOf(run), run.head_sha].includes(ref)) {
        fitting.set(run.run_number, run);
      }
    }
    const [only] = fitting.values();
    if (fitting.size > 1) {
      const numbers = [...fitting.keys()].map((number) => `#${number}`).join(", ");
      throw new Failure("ambiguous", "failure", `It was started, but which of the runs ${numbers} is it?`, {
        hint: "Somebody started the same at the same time, and this server does not say which run is whose.",
      });
    }
    if (only !== undefined) return only;
    await system.sleep(2000, system.signal);
  }
  return undefined;
}
