import type { RepositoryContext } from "../../app/context.ts";
import type { Workflow } from "../../forge/workflows.ts";
import { type Cell, styled } from "../../output/cells.ts";
import { addressText } from "../../profiles/server.ts";
import { percentEncoded } from "../../text/percent.ts";

/** The web page of a repository's Actions, or of the runs of one workflow. */
export function workflowsPage({ server, repo }: RepositoryContext, file?: string): string {
  const query = file === undefined ? "" : `?workflow=${percentEncoded(file)}`;
  return `${addressText(server.base)}/${repo.owner}/${repo.name}/actions${query}`;
}

/** The state of a workflow, in the server's words. */
export function workflowState({ state }: Workflow): Cell {
  return styled(state === "active" ? "good" : "warn", state);
}
