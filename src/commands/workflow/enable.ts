import { type Command, defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { workflow } from "../../forge/workflows.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { orPage } from "../run/shared.ts";
import { workflowFile, workflowsPage } from "./shared.ts";

/** `tongs workflow enable`. */
export const enable = switchCommand("enable");

/** `tongs workflow disable`. */
export const disable = switchCommand("disable");

/** PUT …/enable or …/disable. */
function switchCommand(verb: "enable" | "disable"): Command {
  return defineCommand({
    summary: verb === "enable" ? "Let a workflow run again" : "Let a workflow run no more",
    on: "repository",
    effect: "write",
    args: { workflow: one("its file, such as ci.yml, or its name") },
    output: workflow,
    examples: [["By its file", `tongs workflow ${verb} nightly.yml`]],
    async run(context) {
      const { args, forge, repo, out, server } = context;
      const file = await workflowFile(args.workflow, { of: "repository", repo }, context);
      const page = workflowsPage(context, file);
      await orPage(`${verb} a workflow`, page, context, () => forge.workflows[verb](repo, file));
      const done = verb === "enable" ? "Enabled" : "Disabled";
      await out.done(`${done} ${file} of ${fullName(repo)} ${accountLabel(server)}`, {
        record: () => forge.workflows.get(repo, file),
      });
    },
  });
}
