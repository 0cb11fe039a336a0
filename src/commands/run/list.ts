import { defineCommand } from "../../app/define.ts";
import { currentUser, levelExclusive, levelOf } from "../../app/shared.ts";
import { choicesOf, text } from "../../command/flags.ts";
import { listRuns } from "../../forge/list-runs.ts";
import { run, task } from "../../forge/runs.ts";
import { list as listOf, optional, record } from "../../shape/shape.ts";
import { levelFlags } from "./level.ts";
import { runColumns, runColumnsAnywhere } from "./look.ts";
import { runStatuses } from "./statuses.ts";
import { workflowFile } from "./workflow-file.ts";

/** What only a task has. */
const taskFields = Object.fromEntries(
  Object.entries(task.fields)
    .filter(([name]) => !(name in run.fields))
    .map(([name, shape]) => [name, optional(shape)]),
);

/** `tongs run list`: GET the runs of a repository, yourself, an organization or the server. */
export const list = defineCommand({
  summary: "List workflow runs",
  details:
    "Newest first. A server without run records (Forgejo) is asked for its tasks: one line for each job that a runner " +
    "took. @me is the signed-in user. Runs of pull requests and tags are not found by --branch.",
  on: "server",
  effect: "read",
  flags: {
    workflow: text("of this workflow: its file, or its name", { short: "w", placeholder: "WORKFLOW" }),
    branch: text("on this branch", { short: "b", placeholder: "BRANCH" }),
    event: text("caused by this event: push, pull_request, schedule, workflow_dispatch …", {
      short: "e",
      placeholder: "EVENT",
    }),
    status: choicesOf(runStatuses, "in one of these states", { short: "s" }),
    actor: text("caused by this user", { short: "u", placeholder: "USER" }),
    headSha: text("of this commit, its whole hash", { short: "c", placeholder: "SHA" }),
    ...levelFlags,
  },
  exclusive: levelExclusive,
  output: listOf(record({ ...run.fields, ...taskFields })),
  examples: [
    ["The newest runs here", "tongs run list"],
    ["What failed on main", "tongs run list --branch main --status failure"],
    ["What runs now on the whole server", "tongs run list --admin --status in_progress"],
  ],
  async run(context) {
    const { flags, forge, out } = context;
    const level = await levelOf(flags, context);
    const runs = listRuns(forge, level, {
      workflow: flags.workflow === undefined ? undefined : await workflowFile(flags.workflow, level, context),
      branch: flags.branch,
      event: flags.event,
      status: flags.status.length === 0 ? undefined : flags.status,
      actor: flags.actor === "@me" ? await currentUser(context) : flags.actor,
      head_sha: flags.headSha,
    });
    await out.list(runs, level.of === "repository" ? runColumns : runColumnsAnywhere);
  },
});
