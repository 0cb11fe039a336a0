import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { workflow } from "../../forge/workflows.ts";
import { styled } from "../../output/cells.ts";
import { orWebPage } from "../run/shared.ts";
import { workflowFile, workflowState, workflowsPage } from "./shared.ts";

/** `tongs workflow view`: GET one workflow. */
export const view = defineCommand({
  summary: "View a workflow",
  on: "repository",
  effect: "read",
  args: { workflow: one("workflow file, such as ci.yml, or workflow name") },
  output: workflow,
  examples: [["View a workflow by name", "tongs workflow view Release"]],
  async run(context) {
    const { args, forge, repo, out } = context;
    const file = await workflowFile(args.workflow, { of: "repository", repo }, context);
    const get = () => forge.workflows.get(repo, file);
    const found = await orWebPage("view a workflow", workflowsPage(context, file), context, get);
    await out.record(found, (shown) => ({
      title: shown.name,
      fields: [
        ["state", workflowState(shown)],
        ["file", shown.path],
        ["url", styled("link", shown.html_url)],
        ["badge", styled("link", shown.badge_url)],
      ],
    }));
  },
});
