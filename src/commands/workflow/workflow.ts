import type { Command } from "../../app/define.ts";
import { listCommand } from "../../app/list-command.ts";
import { repoPage } from "../../app/web.ts";
import { listOrWebPage, orWebPage } from "../../app/web-instead.ts";
import { workflowFile } from "../../app/workflow-file.ts";
import { writeCommand } from "../../app/write-command.ts";
import { one } from "../../command/args.ts";
import type { Table } from "../../command/table.ts";
import { call } from "../../forge/operation.ts";
import {
  type Workflow,
  workflow,
  workflowDisable,
  workflowEnable,
  workflowGet,
  workflowList,
} from "../../forge/workflows.ts";
import { column } from "../../output/table.ts";
import { fullName } from "../../repo/repo-name.ts";
import { workflowState, workflowsPage } from "./shared.ts";

/** The verbs of `tongs workflow`. */
export const verbs: Table<Command> = {
  list: listCommand({
    summary: "List workflows",
    on: "repository",
    lists: ["workflow", "workflows"],
    needs: [workflowList],
    record: workflow,
    columns: [
      column<Workflow>("FILE", "id", { style: "strong" }),
      column<Workflow>("NAME", "name", { flexible: true }),
      column<Workflow>("STATE", "state", (one) => workflowState(one)),
      column<Workflow>("PATH", "path", { flexible: true, rank: "optional" }),
    ],
    fetch(context) {
      const workflows = call(context.http, workflowList, { repo: context.repo });
      return listOrWebPage("list workflows", workflowsPage(context), context, workflows);
    },
    page: ({ repo }) => repoPage(repo, "actions"),
    examples: [["List disabled workflows", "tongs workflow list --jq '.[] | select(.state != \"active\") | .id'"]],
  }),
  view: () => import("./view.ts").then((file) => file.view),
  enable: turn("enable", "Enable", workflowEnable),
  disable: turn("disable", "Disable", workflowDisable),
  check: () => import("./check.ts").then((file) => file.check),
  run: () => import("./run.ts").then((file) => file.runWorkflow),
};

/** PUT …/enable or …/disable. */
function turn(verb: string, start: string, send: typeof workflowEnable | typeof workflowDisable) {
  return writeCommand({
    summary: `${start} a workflow`,
    on: "repository",
    needs: [send],
    args: { workflow: one("workflow file, such as ci.yml, or workflow name", { source: "workflow" }) },
    output: workflow,
    async work(context) {
      const { args, http, repo } = context;
      const file = await workflowFile(args.workflow, { of: "repository", repo }, context);
      const path = { repo, workflow_id: file };
      await orWebPage(`${verb} a workflow`, workflowsPage(context, file), context, () => call(http, send, path));
      return { done: `${start}d ${file} of ${fullName(repo)}`, record: () => call(http, workflowGet, path) };
    },
    examples: [[`${start} a workflow by its file`, `tongs workflow ${verb} nightly.yml`]],
  });
}
