import { defineCommand } from "../../../app/define.ts";
import { type CronTask, cronTask, cronTaskList } from "../../../forge/admin.ts";
import { call } from "../../../forge/operation.ts";
import { styled, when } from "../../../output/cells.ts";
import { column } from "../../../output/table.ts";
import { list as listOf } from "../../../shape/shape.ts";

const columns = [
  column<CronTask>("NAME", (task) => styled("strong", task.name)),
  column<CronTask>("SCHEDULE", (task) => task.schedule),
  column<CronTask>("LAST RUN", (task) => when(task.prev, "never")),
  column<CronTask>("NEXT RUN", (task) => when(task.next)),
  column<CronTask>("RUNS", (task) => task.exec_times),
];

/** `tongs admin cron list`: GET /admin/cron. */
export const list = defineCommand({
  summary: "List the cron tasks of the server",
  on: "server",
  effect: "read",
  output: listOf(cronTask),
  examples: [["List all cron tasks", "tongs admin cron list --all"]],
  async run({ http, out }) {
    await out.list(call(http, cronTaskList, {}), columns);
  },
});
