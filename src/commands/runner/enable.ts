import { batch } from "../../app/batch.ts";
import { type Command, defineCommand } from "../../app/define.ts";
import { readIds } from "../../app/input.ts";
import { levelExclusive, levelFlags, levelOf } from "../../app/shared.ts";
import { many } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { runner, runnerEdit } from "../../forge/runners.ts";
import { accountLabel } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";

/** `tongs runner enable`. */
export const enable = enableCommand(false);

/** `tongs runner disable`. */
export const disable = enableCommand(true);

/** PATCH …/runners/{id} with `disabled`. */
function enableCommand(disabled: boolean): Command {
  const [verb, done] = disabled ? ["disable", "Disabled"] : ["enable", "Enabled"];
  return defineCommand({
    summary: disabled ? "Disable runners" : "Enable runners",
    on: "server",
    effect: "write",
    args: { id: many("runner IDs; - reads them from stdin, one per line", { source: "runner" }) },
    flags: levelFlags,
    exclusive: levelExclusive,
    output: list(runner),
    exits: { partly: `some runners were ${done?.toLowerCase()}, some failed` },
    examples: [[`${disabled ? "Disable" : "Enable"} a runner of the server`, `tongs runner ${verb} 3 --admin`]],
    async run(context) {
      const { args, flags, http, server, system } = context;
      const ids = await readIds(args.id, system);
      const level = await levelOf(flags, context);
      const work = async (id: number) => {
        const record = await call(http, runnerEdit, { level, runner_id: id }, { disabled });
        return { message: `${done} runner ${record.name} (${id}) ${accountLabel(server)}`, record };
      };
      return batch(ids, work, context);
    },
  });
}
