import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { currentUser } from "../../app/shared.ts";
import { Failure } from "../../failure/failure.ts";
import { listRuns } from "../../forge/list-runs.ts";
import { type RunOrTask, readRun } from "../../forge/run-or-task.ts";
import { UnknownOperationError } from "../../http/errors.ts";

type Context = RepositoryContext & Pick<BaseContext, "system" | "out">;

/** A dispatch, as far as needed to find its run. */
interface Dispatch {
  readonly file: string;
  readonly ref: string;
  /** The newest run number before the dispatch. */
  readonly after: number;
}

/** How long to look for the new run, in seconds. Servers with only tasks list it after a runner has picked it up. */
const maxWait = 30;

/** The number of the newest run, or 0. A server without runs has no dispatch either, and that is what is then reported. */
export async function newestNumber({ http, repo }: Context): Promise<number> {
  try {
    for await (const run of listRuns(http, { of: "repository", repo }, {}).take(1)) return readRun(run).number;
  } catch (error) {
    if (!(error instanceof UnknownOperationError)) throw error;
  }
  return 0;
}

/**
 * Finds the run that a dispatch created, for servers that do not report it: the only newer run with its workflow, event,
 * ref and (if the record has one) actor. Undefined if none is listed in time. Throws an `ambiguous` failure if several
 * match.
 */
export async function findDispatched(dispatch: Dispatch, context: Context): Promise<RunOrTask | undefined> {
  const { http, repo, system } = context;
  const login = await currentUser(context);
  const ref = dispatch.ref.replace(/^refs\/(heads|tags)\//, "");
  for (let waited = 0; waited <= maxWait; waited += 2) {
    const matching = new Map<number, RunOrTask>();
    const filter = { workflow: dispatch.file, event: "workflow_dispatch" };
    for await (const run of listRuns(http, { of: "repository", repo }, filter).take(50)) {
      const { number, workflow, actor, branch, sha } = readRun(run);
      if (number <= dispatch.after) break;
      const mine = actor === undefined || actor === login;
      // For a dispatch on a commit, the branch is the hash.
      if (workflow === dispatch.file && mine && [branch, sha].includes(ref)) matching.set(number, run);
    }
    const [only] = matching.values();
    if (matching.size > 1) {
      const numbers = [...matching.keys()].map((number) => `#${number}`).join(", ");
      throw new Failure("ambiguous_run", `Started the workflow, but could not tell which run it is: ${numbers}`, {
        hint: "Someone else started the workflow at the same time, and this server does not report which run is yours.",
      });
    }
    if (only !== undefined) return only;
    await system.sleep(2000, system.signal);
  }
  return undefined;
}
