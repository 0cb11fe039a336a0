import { type Command, defineCommand } from "../../app/define.ts";
import { orWebPage } from "../../app/web-instead.ts";
import { workflowFile } from "../../app/workflow-file.ts";
import { one } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { workflow, workflowDisable, workflowEnable, workflowGet } from "../../forge/workflows.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { workflowsPage } from "./shared.ts";

/** `tongs workflow enable`. */
export const enable = enableCommand("enable");

/** `tongs workflow disable`. */
export const disable = enableCommand("disable");

/** PUT …/enable or …/disable. */
function enableCommand(verb: "enable" | "disable"): Command {
  return defineCommand({
    summary: verb === "enable" ? "Enable a workflow" : "Disable a workflow",
    on: "repository",
    needs: [verb === "enable" ? workflowEnable : workflowDisable],
    effect: "write",
    args: {
      workflow: one("workflow file, such as ci.yml, or workflow name", { source: "workflow" }),
    },
    output: workflow,
    examples: [
      [`${verb === "enable" ? "Enable" : "Disable"} a workflow by its file`, `tongs workflow ${verb} nightly.yml`],
    ],
    async run(context) {
      const { args, http, repo, out, server } = context;
      const file = await workflowFile(args.workflow, { of: "repository", repo }, context);
      const page = workflowsPage(context, file);
      await orWebPage(`${verb} a workflow`, page, context, () =>
        call(http, verb === "enable" ? workflowEnable : workflowDisable, { repo, workflow_id: file }),
      );
      const done = verb === "enable" ? "Enabled" : "Disabled";
      await out.done(`${done} ${file} of ${fullName(repo)} ${accountLabel(server)}`, {
        record: () => call(http, workflowGet, { repo, workflow_id: file }),
      });
    },
  });
}
