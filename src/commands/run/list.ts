import type { ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { everywhereFlags, listEverywhere, serverField } from "../../app/everywhere.ts";
import { runColumns, runColumnsWithRepository } from "../../app/runs/columns.ts";
import { levelFlagsOf, levelOf } from "../../app/shared.ts";
import { filtered, repoPage } from "../../app/web.ts";
import { fileOfWorkflow, workflowFile } from "../../app/workflow-file.ts";
import { UsageError } from "../../failure/failure.ts";
import { listRuns } from "../../forge/list-runs.ts";
import { run, runList, task, taskList } from "../../forge/runs.ts";
import { list as listOf, optional, record } from "../../shape/shape.ts";
import { runFilter, runFilterFlags } from "./filters.ts";
import { runsOfAllRepos, runTime } from "./list-all-repos.ts";

/** The fields that only tasks have. */
const taskFields = Object.fromEntries(
  Object.entries(task.fields)
    .filter(([name]) => !(name in run.fields))
    .map(([name, shape]) => [name, optional(shape)]),
);

/** The columns of CSV: a state is two fields of the API, and tasks and runs of Forgejo have other names for some. */
const csvFields = [
  ...["id", "run_number", "status", "conclusion", "display_title", "path", "workflow_id", "head_branch", "event"],
  ...["started_at", "run_started_at", "index_in_repo", "title", "prettyref", "trigger_event", "started"],
];
const csvFieldsWithRepository = ["repository.full_name", ...csvFields];

/** `tongs run list`: GET the runs of a repository, a user, an organization or the server. */
export const list = defineCommand({
  summary: "List workflow runs",
  details:
    "Newest runs first. On a server without run records, lists tasks: one row for each job that a " +
    "runner picked up. @me is the signed-in user. --branch does not match runs of pull requests, " +
    "and those of a tag only by refs/tags/NAME. " +
    "--all-repos and --everywhere read the newest runs of each repository.",
  external: { uses: "the servers of all profiles", with: ["everywhere"] },
  onSelected: true,
  on: "profiles",
  needs: [[runList, taskList]],
  effect: "read",
  lists: ["workflow run", "workflow runs"],
  flags: {
    ...runFilterFlags,
    ...levelFlagsOf(runList),
    ...everywhereFlags,
  },
  exclusive: [["org", "user", "admin", "allRepos", "everywhere"]],
  output: listOf(record({ ...run.fields, ...taskFields, ...serverField })),
  exits: { partly: "with --everywhere: some servers did not respond" },
  examples: [
    ["List recent runs", "tongs run list"],
    ["List failed runs on main", "tongs run list --branch main --state failure"],
    ["List runs in progress on the whole server", "tongs run list --admin --state in_progress"],
    ["List failed runs on the servers of all profiles", "tongs run list --everywhere --state failure"],
  ],
  web: {
    page: async (context) => {
      const repo = await context.locate();
      const { workflow: typed } = context.flags;
      const workflow =
        typed === undefined
          ? undefined
          : await workflowFile(typed, { of: "repository", repo }, await context.connect());
      return filtered(repoPage(repo, "actions"), { workflow });
    },
    uses: ["workflow"],
  },
  async run(context) {
    const { flags, options, out } = context;
    // What the server does not filter is filtered here (docs/server-differences.md, "Runs and jobs").
    const onBound = (searched: number) =>
      out.note(
        `Searched only the newest ${searched} runs, because the server lacks a filter. To search all, pass --all.`,
      );
    if (flags.allRepos || flags.everywhere) {
      if (options.repo !== undefined) throw new UsageError("Cannot use --repo with --all-repos or --everywhere");
      const workflow = flags.workflow === undefined ? undefined : fileOfWorkflow(flags.workflow);
      const most = options.all ? Number.POSITIVE_INFINITY : (options.limit ?? 30) + 1;
      const list = async (server: ServerContext) =>
        runsOfAllRepos(server.http, await runFilter(flags, workflow, server), most, onBound);
      if (flags.everywhere)
        return listEverywhere(
          { list, time: runTime, columns: runColumnsWithRepository, csvFields: csvFieldsWithRepository },
          context,
        );
      return out.list(await list(await context.connect()), runColumnsWithRepository, {
        csvFields: csvFieldsWithRepository,
      });
    }
    const level = await levelOf(flags, context);
    const server = await context.connect();
    const workflow = flags.workflow === undefined ? undefined : await workflowFile(flags.workflow, level, server);
    const runs = listRuns(server.http, level, await runFilter(flags, workflow, server), onBound);
    if (level.of === "repository") await out.list(runs, runColumns, { csvFields });
    else await out.list(runs, runColumnsWithRepository, { csvFields: csvFieldsWithRepository });
  },
});
