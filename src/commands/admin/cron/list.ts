import { defineCommand } from "../../../app/define.ts";
import { type CronTask, cronTask, cronTaskList } from "../../../forge/admin.ts";
import { call } from "../../../forge/operation.ts";
import { column } from "../../../output/table.ts";
import { list as listOf } from "../../../shape/shape.ts";

const columns = [
  column<CronTask>("NAME", "name", { style: "strong" }),
  column<CronTask>("SCHEDULE", "schedule"),
  column<CronTask>("LAST RUN", "prev", { as: "time or never" }),
  column<CronTask>("NEXT RUN", "next", { as: "time" }),
  column<CronTask>("RUNS", "exec_times"),
];

/** `tongs admin cron list`: GET /admin/cron. */
export const list = defineCommand({
  summary: "List the cron tasks of the server",
  on: "server",
  effect: "read",
  lists: ["cron task", "cron tasks"],
  output: listOf(cronTask),
  examples: [["List all cron tasks", "tongs admin cron list --all"]],
  async run({ http, out }) {
    await out.list(call(http, cronTaskList, {}), columns);
  },
});
