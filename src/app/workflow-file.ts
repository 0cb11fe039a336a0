import { Failure, UsageError } from "../failure/failure.ts";
import type { Level } from "../forge/level.ts";
import { call } from "../forge/operation.ts";
import { type Workflow, workflowList } from "../forge/workflows.ts";
import { UnknownOperationError } from "../http/errors.ts";
import { fullName } from "../repo/repo-name.ts";
import { nearest } from "../text/nearest.ts";
import type { ServerContext } from "./context.ts";

/**
 * The file of a workflow that is selected by file, path or name. Sends a request only for a name. Throws a usage error
 * for an ambiguous name and a `not_found` failure for an unknown one.
 */
export async function workflowFile(
  typed: string,
  level: Level,
  { http }: Pick<ServerContext, "http">,
): Promise<string> {
  const base = typed.slice(typed.lastIndexOf("/") + 1);
  if (/\.ya?ml$/i.test(base)) return base;
  if (level.of !== "repository") return fileOfWorkflow(typed);
  const all: Workflow[] = [];
  try {
    for await (const workflow of call(http, workflowList, { repo: level.repo }).take(Number.POSITIVE_INFINITY))
      all.push(workflow);
  } catch (error) {
    if (!(error instanceof UnknownOperationError)) throw error;
    const message = `${error.exchange.server} has no API operation to list workflows, so '${typed}' must be a file such as ci.yml`;
    throw new Failure("unknown_operation", message, { hint: error.hint, cause: error });
  }
  const named = all.filter(({ name, id }) => name === typed || id === `${typed}.yml` || id === `${typed}.yaml`);
  const [only] = named;
  if (only !== undefined && named.length === 1) return only.id;
  const where = fullName(level.repo);
  if (named.length > 1) {
    throw new UsageError(
      `Several workflows of ${where} are named '${typed}'`,
      `Use one of the files: ${named.map(({ id }) => id).join(", ")}`,
    );
  }
  const near = nearest(
    typed,
    all.flatMap(({ id, name }) => [id, name]),
  );
  const known = all.map(({ id }) => id).join(", ");
  throw new Failure("not_found", `Workflow '${typed}' not found in ${where}`, {
    hint: near.length > 0 ? `Did you mean: ${near.join(", ")}?` : known === "" ? undefined : `Available: ${known}`,
  });
}

/** The file of a workflow that is selected by file or path. Throws a usage error for a name. */
export function fileOfWorkflow(typed: string): string {
  const base = typed.slice(typed.lastIndexOf("/") + 1);
  if (/\.ya?ml$/i.test(base)) return base;
  throw new UsageError(
    `--workflow must be a file such as ci.yml, not '${typed}'`,
    "Workflow names can be used only with a repository.",
  );
}
