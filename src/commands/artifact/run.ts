import { Failure } from "../../command/failure.ts";
import { UsageError } from "../../command/usage-error.ts";
import type { BaseContext, RepositoryContext } from "../../context.ts";
import { fullName } from "../../forge/repo-name.ts";
import { path } from "../../http/path.ts";

type Context = Pick<BaseContext, "git"> & RepositoryContext;

/** The id of the run that is meant: an id, or `latest`, which prefers the current branch's (as leaving it out does). */
export async function runId(typed: string | undefined, context: Context): Promise<number> {
  if (typed !== undefined && /^[1-9]\d*$/.test(typed)) return Number(typed);
  if (typed !== undefined && typed !== "latest") {
    throw new UsageError(`--run wants the id of a run or 'latest', not '${typed}'`);
  }
  const branch = await context.git.currentBranch();
  const found = (branch === undefined ? undefined : await latest(context, branch)) ?? (await latest(context));
  if (found !== undefined) return found;
  throw new Failure("not_found", "notFound", `There is no run in ${fullName(context.repo)} yet`);
}

async function latest({ forge, repo }: Context, branch?: string): Promise<number | undefined> {
  const runs = forge.http.list<{ readonly id: number }>(path`/repos/${repo.owner}/${repo.name}/actions/runs`, {
    envelope: "workflow_runs",
    query: { branch },
    since: "1.25",
  });
  for await (const run of runs.take(1)) return run.id;
  return undefined;
}
