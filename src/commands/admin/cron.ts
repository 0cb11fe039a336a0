import type { Command } from "../../app/define.ts";
import { inServer, resource } from "../../app/resource.ts";
import type { Table } from "../../command/table.ts";
import { type CronTask, cronTask, cronTaskList, cronTaskRun } from "../../forge/admin.ts";
import { call } from "../../forge/operation.ts";
import { notFound } from "../../http/errors.ts";
import { column } from "../../output/table.ts";

const tasks = resource({
  ...inServer,
  noun: ["cron task", "cron tasks"],
  a: "a cron task",
  record: cronTask,
  argument: { key: "task", one: "name of the task", many: "names of tasks" },
  target: () => (name) => ({ name }),
  name: ({ name }: Pick<CronTask, "name">) => `cron task ${name}`,
});

/** The verbs of `tongs admin cron`. */
export const verbs: Table<Command> = {
  list: tasks.list({
    summary: "List the cron tasks of the server",
    columns: [
      column<CronTask>("NAME", "name", { style: "strong" }),
      column<CronTask>("SCHEDULE", "schedule"),
      column<CronTask>("LAST RUN", "prev", { as: "time or never" }),
      column<CronTask>("NEXT RUN", "next", { as: "time" }),
      column<CronTask>("RUNS", "exec_times"),
    ],
    fetch: ({ http }) => call(http, cronTaskList, {}),
    examples: [["List all cron tasks", "tongs admin cron list --all"]],
  }),
  run: tasks.each({
    verb: ["start", "started"],
    summary: "Run cron tasks of the server now",
    details: "The tasks run in the background: success means that they were started.",
    leavesNothing: true,
    work: ({ name }, { http }) =>
      call(http, cronTaskRun, { task: name }).catch(
        notFound(`Cron task ${name}`, "To see the tasks, run: tongs admin cron list --all"),
      ),
    examples: [["Update the mirrors", "tongs admin cron run update_mirrors"]],
  }),
};
