import { batch } from "../../../app/batch.ts";
import { defineCommand } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { many } from "../../../command/args.ts";
import { cronTaskRun } from "../../../forge/admin.ts";
import { call } from "../../../forge/operation.ts";
import { NotFoundError } from "../../../http/errors.ts";
import { accountLabel } from "../../../profiles/server.ts";

/** `tongs admin cron run`: POST /admin/cron/{task} for each. */
export const runTask = defineCommand({
  summary: "Run cron tasks of the server now",
  details: "The tasks run in the background: success means that they were started.",
  on: "server",
  effect: "write",
  args: { task: many("names of tasks; - reads them from stdin, one per line") },
  exits: { partly: "some tasks were started, some failed" },
  examples: [["Update the mirrors", "tongs admin cron run update_mirrors"]],
  async run(context) {
    const { args, http, server, system } = context;
    const start = async (name: string) => {
      await call(http, cronTaskRun, { task: name }).catch((error: unknown) => {
        if (!(error instanceof NotFoundError)) throw error;
        const message = `Cron task ${name} not found on ${error.exchange.server}`;
        throw new NotFoundError(error.exchange, message, "To see the tasks, run: tongs admin cron list --all");
      });
      return { message: `Started cron task ${name} ${accountLabel(server)}` };
    };
    return batch(await readTargets(args.task, system), start, context);
  },
});
