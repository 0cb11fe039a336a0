import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { listOrWebPage } from "../../app/web-instead.ts";
import { call } from "../../forge/operation.ts";
import { type Workflow, workflow, workflowList } from "../../forge/workflows.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { workflowState, workflowsPage } from "./shared.ts";

const columns = [
  column<Workflow>("FILE", "id", { style: "strong" }),
  column<Workflow>("NAME", "name", { flexible: true }),
  column<Workflow>("STATE", "state", (one) => workflowState(one)),
  column<Workflow>("PATH", "path", { flexible: true, rank: "optional" }),
];

/** `tongs workflow list`: GET the workflows of the default branch. */
export const list = defineCommand({
  summary: "List workflows",
  on: "repository",
  needs: [workflowList],
  effect: "read",
  lists: ["workflow", "workflows"],
  output: listOf(workflow),
  examples: [["List disabled workflows", "tongs workflow list --jq '.[] | select(.state != \"active\") | .id'"]],
  web: { page: ({ repo }) => repoPage(repo, "actions") },
  async run(context) {
    const { http, repo, out } = context;
    const workflows = call(http, workflowList, { repo });
    await out.list(listOrWebPage("list workflows", workflowsPage(context), context, workflows), columns);
  },
});
