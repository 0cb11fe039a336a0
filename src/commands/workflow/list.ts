import { defineCommand } from "../../command/define.ts";
import { list as listOf } from "../../forge/records/shape.ts";
import { type Workflow, workflow } from "../../forge/records/workflow.ts";
import { type Cell, styled } from "../../output/cells.ts";
import { column } from "../../output/table.ts";

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
  async run({ forge, repo, out }) {
    await out.list(forge.workflows.list(repo), columns);
  },
});

/** Whether it runs, as the server says it. */
export function workflowState({ state }: Workflow): Cell {
  return styled(state === "active" ? "good" : "warn", state);
}
