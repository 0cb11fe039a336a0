import { Failure } from "../../failure/failure.ts";
import { fullName } from "../../repo/repo-name.ts";
import { type FindContext, findRun } from "../run/find.ts";
import { parseRun } from "../run/selector.ts";

/** The id of the run that is meant, named as `run view` takes it; left out, the newest of the branch here, else of all. */
export async function runId(typed: string | undefined, context: FindContext): Promise<number> {
  const selector = typed === undefined ? ({ by: "current" } as const) : parseRun(typed);
  if (selector.by === "id") return selector.id;
  const found = await findRun(selector, context);
  if (found.kind === "run") return found.run.id;
  throw new Failure(
    "no_runs",
    "notFound",
    `The server of ${fullName(context.repo)} keeps tasks only, and no artifacts`,
    {
      hint: "Fetch them from the run's page: tongs run view --web",
    },
  );
}
