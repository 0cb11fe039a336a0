import type { RepositoryContext } from "../../app/context.ts";
import { Failure } from "../../failure/failure.ts";
import type { Run } from "../../forge/runs.ts";
import { UnknownOperationError } from "../../http/errors.ts";
import { addressText } from "../../profiles/server.ts";
import { type FindContext, type FoundRun, findRun } from "./find.ts";
import type { RunSelector } from "./selector.ts";

/** Says that the server cannot do something, and which page does. */
export function unsupported(what: string, page: string, { server }: Pick<RepositoryContext, "server">): Failure {
  const message = `${server.base.host} has no operation to ${what}`;
  return new Failure("unknown_operation", "notFound", message, { hint: `Its page can: ${page}` });
}

/** What `work` comes to; where the server lacks its operation, the page that can do it is named. */
export async function orPage<T>(
  what: string,
  page: string,
  context: Pick<RepositoryContext, "server">,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnknownOperationError)) throw error;
    throw unsupported(what, page, context);
  }
}

/** The page of a run, at the address that the person uses for the server. */
export function runPage(found: FoundRun, { server, repo }: Pick<RepositoryContext, "server" | "repo">): string {
  const address = found.kind === "run" ? found.run.html_url : found.tasks[0].url;
  const shown = /\/actions\/runs\/(\d+)/.exec(address)?.[1];
  return `${addressText(server.base)}/${repo.owner}/${repo.name}/actions${shown === undefined ? "" : `/runs/${shown}`}`;
}

/** The selected run where its record is needed; on a server with tasks only, what it cannot do is said. */
export async function findRunFor(what: string, selector: RunSelector, context: FindContext): Promise<Run> {
  const found = await findRun(selector, context);
  if (found.kind === "run") return found.run;
  throw unsupported(what, runPage(found, context), context);
}
