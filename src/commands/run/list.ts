import { defineCommand } from "../../app/define.ts";
import { currentUser, levelExclusive, levelFlags, levelOf } from "../../app/shared.ts";
import { choicesOf, text } from "../../command/flags.ts";
import { listRuns } from "../../forge/list-runs.ts";
import { run, task } from "../../forge/runs.ts";
import { list as listOf, optional, record } from "../../shape/shape.ts";
import { workflowFile } from "../workflow/shared.ts";
import { runColumns, runColumnsWithRepository } from "./columns.ts";

/** The states that a list of runs can be filtered by (docs/server-differences.md, "Runs and jobs"). */
const runStatuses = [
  "queued",
  "waiting",
  "pending",
  "requested",
  "action_required",
  "in_progress",
  "completed",
  "success",
  "failure",
  "cancelled",
  "timed_out",
  "skipped",
  "neutral",
] as const;

/** The fields that only tasks have. */
const taskFields = Object.fromEntries(
  Object.entries(task.fields)
    .filter(([name]) => !(name in run.fields))
    .map(([name, shape]) => [name, optional(shape)]),
);

/** `tongs run list`: GET the runs of a repository, a user, an organization or the server. */
export const list = defineCommand({
  summary: "List workflow runs",
  details:
    "Newest runs first. On a server without run records (Forgejo), lists tasks: one row for each job that a runner " +
    "picked up. @me is the signed-in user. --branch does not match runs of pull requests and tags.",
  on: "server",
  effect: "read",
  flags: {
    workflow: text("filter by workflow file or name", { short: "w", placeholder: "WORKFLOW" }),
    branch: text("filter by branch", { short: "b", placeholder: "BRANCH" }),
    event: text("filter by event: push, pull_request, schedule, workflow_dispatch …", {
      short: "e",
      placeholder: "EVENT",
    }),
    status: choicesOf(runStatuses, "filter by state", { short: "s" }),
    actor: text("filter by the user who triggered the run", { short: "u", placeholder: "USER" }),
    headSha: text("filter by commit (full SHA)", { short: "c", placeholder: "SHA" }),
    ...levelFlags,
  },
  exclusive: levelExclusive,
  output: listOf(record({ ...run.fields, ...taskFields })),
  examples: [
    ["List recent runs", "tongs run list"],
    ["List failed runs on main", "tongs run list --branch main --status failure"],
    ["List runs in progress on the whole server", "tongs run list --admin --status in_progress"],
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
    await out.list(runs, level.of === "repository" ? runColumns : runColumnsWithRepository);
  },
});
