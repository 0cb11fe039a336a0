import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readIds } from "../../app/input.ts";
import { any } from "../../command/args.ts";
import { moment } from "../../command/moment.ts";
import { UsageError } from "../../failure/failure.ts";
import { notification, notificationMarkAll, repoNotificationMarkAll } from "../../forge/notifications.ts";
import { call } from "../../forge/operation.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { list as listOf } from "../../shape/shape.ts";
import { chosenRepo, mark } from "./mark.ts";

/** `tongs notification read`: PATCH each notification, or PUT all unread ones. */
export const read = defineCommand({
  summary: "Mark notifications as read",
  details: "Without IDs, marks all unread notifications as read, or those of the repository given with --repo.",
  on: "server",
  effect: "write",
  args: { id: any("notification IDs", { dash: "lines" }) },
  flags: { before: moment("without IDs: mark only those updated before this time") },
  output: listOf(notification),
  exits: { partly: "some notifications were marked, some failed" },
  examples: [
    ["Mark a notification as read", "tongs notification read 4"],
    ["Mark all notifications of a repository as read", "tongs notification read -R mara/harbor --yes"],
  ],
  async run(context) {
    const { args, flags, http, out, prompt, server, system } = context;
    if (args.id.length > 0) {
      if (flags.before !== undefined) throw new UsageError("Specify either IDs or --before");
      const work = async (id: number) => {
        const record = await mark(http, id, "read");
        return { message: `Marked notification ${id} as read ${accountLabel(server)}`, record };
      };
      return batch(await readIds(args.id, system), work, context);
    }
    const repo = chosenRepo(context);
    const which = repo === undefined ? "all notifications" : `all notifications of ${fullName(repo)}`;
    await prompt.confirmAction({ what: `Mark ${which} as read`, sends: notificationMarkAll });
    const marked = await (repo === undefined
      ? call(http, notificationMarkAll, { last_read_at: flags.before })
      : call(http, repoNotificationMarkAll, { repo, last_read_at: flags.before }));
    const count = marked?.length ?? 0;
    const what = `${count} notification${count === 1 ? "" : "s"}`;
    await out.done(`Marked ${what} as read ${accountLabel(server)}`, { record: marked ?? [] });
    return undefined;
  },
});
