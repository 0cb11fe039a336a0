import type { RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { type Workflow, workflow } from "../../forge/workflows.ts";
import { type Cell, styled } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { addressText } from "../../profiles/server.ts";
import { list as listOf } from "../../shape/shape.ts";
import { orPage } from "../run/unsupported.ts";

const columns = [
  column<Workflow>("FILE", (one) => styled("strong", one.id)),
  column<Workflow>("NAME", (one) => one.name, true),
  column<Workflow>("STATE", (one) => workflowState(one)),
  column<Workflow>("PATH", (one) => one.path, true),
];

/** `tongs workflow list`: GET the workflows of the default branch. */
export const list = defineCommand({
  summary: "List workflows",
  on: "repository",
  effect: "read",
  output: listOf(workflow),
  examples: [["Those that are off", "tongs workflow list --jq '.[] | select(.state != \"active\") | .id'"]],
  async run(context) {
    const { forge, repo, out } = context;
    const list = () => out.list(forge.workflows.list(repo), columns);
    await orPage("list workflows", workflowsPage(context), context, list);
  },
});

/** The page of a repository's Actions, or of the runs of one workflow. */
export function workflowsPage({ server, repo }: RepositoryContext, file?: string): string {
  const query = file === undefined ? "" : `?workflow=${encodeURIComponent(file)}`;
  return `${addressText(server.base)}/${repo.owner}/${repo.name}/actions${query}`;
}

/** Whether it runs, as the server says it. */
export function workflowState({ state }: Workflow): Cell {
  return styled(state === "active" ? "good" : "warn", state);
}
