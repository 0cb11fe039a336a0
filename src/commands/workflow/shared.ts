import type { RepositoryContext, ServerContext } from "../../app/context.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import type { Level } from "../../forge/level.ts";
import type { Workflow } from "../../forge/workflows.ts";
import { UnknownOperationError } from "../../http/errors.ts";
import { type Cell, styled } from "../../output/cells.ts";
import { addressText } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { nearest } from "../../text/nearest.ts";

/** The file of a workflow that was named by its file, its path or its name; nothing is asked for a file or a path. */
export async function workflowFile(
  typed: string,
  level: Level,
  { forge }: Pick<ServerContext, "forge">,
): Promise<string> {
  const base = typed.slice(typed.lastIndexOf("/") + 1);
  if (/\.ya?ml$/i.test(base)) return base;
  if (level.of !== "repository") {
    throw new UsageError(
      `--workflow wants a file such as ci.yml here, not '${typed}'`,
      "Names belong to one repository.",
    );
  }
  const all: Workflow[] = [];
  try {
    for await (const workflow of forge.workflows.list(level.repo).take(Number.POSITIVE_INFINITY)) all.push(workflow);
  } catch (error) {
    if (!(error instanceof UnknownOperationError)) throw error;
    throw new UsageError(
      `Name the workflow by its file, such as ci.yml, not '${typed}'`,
      "This server lists no workflows.",
    );
  }
  const named = all.filter(({ name, id }) => name === typed || id === `${typed}.yml` || id === `${typed}.yaml`);
  const [only] = named;
  if (only !== undefined && named.length === 1) return only.id;
  const where = fullName(level.repo);
  if (named.length > 1) {
    throw new UsageError(`Several workflows of ${where} are called '${typed}'`, named.map(({ id }) => id).join(", "));
  }
  const near = nearest(
    typed,
    all.flatMap(({ id, name }) => [id, name]),
  );
  const known = all.map(({ id }) => id).join(", ");
  throw new Failure("not_found", "notFound", `There is no workflow '${typed}' in ${where}`, {
    hint: near.length > 0 ? `Did you mean: ${near.join(", ")}?` : known === "" ? undefined : `There are: ${known}`,
  });
}

/** The page of a repository's Actions, or of the runs of one workflow. */
export function workflowsPage({ server, repo }: RepositoryContext, file?: string): string {
  const query = file === undefined ? "" : `?workflow=${encodeURIComponent(file)}`;
  return `${addressText(server.base)}/${repo.owner}/${repo.name}/actions${query}`;
}

/** Whether it runs, as the server says it. */
export function workflowState({ state }: Workflow): Cell {
  return styled(state === "active" ? "good" : "warn", state);
}
