import { defineCommand } from "../../app/define.ts";
import { filtered, repoPage } from "../../app/web.ts";
import { orWebPage } from "../../app/web-instead.ts";
import { workflowFile } from "../../app/workflow-file.ts";
import { one } from "../../command/args.ts";
import { text, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { defaultBranch, repoGet } from "../../forge/repos.ts";
import { workflowSource } from "../../forge/workflow-source.ts";
import { workflow, workflowGet } from "../../forge/workflows.ts";
import { styled } from "../../output/cells.ts";
import { workflowState, workflowsPage } from "./shared.ts";

/** `tongs workflow view`: GET one workflow. */
export const view = defineCommand({
  summary: "View a workflow",
  on: "repository",
  needs: [workflowGet],
  effect: "read",
  flags: {
    yaml: toggle("print the workflow file"),
    ref: text("with --yaml: branch, tag or commit (default: the default branch)", {
      short: "r",
      placeholder: "REF",
      source: "branch",
    }),
  },
  args: { workflow: one("workflow file, such as ci.yml, or workflow name", { source: "workflow" }) },
  output: workflow,
  examples: [
    ["View a workflow by name", "tongs workflow view Release"],
    ["Print its file", "tongs workflow view release.yml --yaml"],
  ],
  web: {
    async page(context) {
      const { args, repo } = context;
      const workflow = await workflowFile(args.workflow, { of: "repository", repo }, context);
      return filtered(repoPage(repo, "actions"), { workflow });
    },
  },
  async run(context) {
    const { args, flags, http, repo, out } = context;
    if (flags.ref !== undefined && !flags.yaml) throw new UsageError("--ref requires --yaml");
    const file = await workflowFile(args.workflow, { of: "repository", repo }, context);
    if (flags.yaml) {
      const ref = flags.ref ?? defaultBranch(await call(http, repoGet, { repo }));
      const source = await workflowSource(http, repo, file, ref);
      return out.text(source.text.endsWith("\n") ? source.text : `${source.text}\n`);
    }
    const get = () => call(http, workflowGet, { repo, workflow_id: file });
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
