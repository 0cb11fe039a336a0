import { batch } from "../../app/batch.ts";
import { type Command, defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { levelExclusive, levelOf } from "../../app/shared.ts";
import { many } from "../../command/args.ts";
import { wholeNumber } from "../../command/flags.ts";
import { runner } from "../../forge/runners.ts";
import { accountLabel } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";
import { levelFlags } from "../run/level.ts";
import { orPage } from "../run/unsupported.ts";
import { runnersPage } from "./look.ts";

/** `tongs runner enable|disable`: PATCH whether runners get jobs. */
export function switchCommand(disabled: boolean): Command {
  const [verb, done] = disabled ? ["disable", "Disabled"] : ["enable", "Enabled"];
  return defineCommand({
    summary: disabled ? "Give runners no more jobs" : "Give runners jobs again",
    on: "server",
    effect: "write",
    args: { id: many("the runners' ids; - reads them from stdin, one a line") },
    flags: levelFlags,
    exclusive: levelExclusive,
    output: list(runner),
    exits: { partly: `some were ${done?.toLowerCase()}, some could not be` },
    examples: [["One of the server's", `tongs runner ${verb} 3 --admin`]],
    async run(context) {
      const { args, flags, forge, server, system } = context;
      const ids = (await readTargets(args.id, system)).map((id) => wholeNumber(id, "ID", 1));
      const level = await levelOf(flags, context);
      const work = async (id: number) => {
        const set = () => forge.runners.setDisabled(level, id, disabled);
        const record = await orPage(`${verb} a runner`, runnersPage(level, context), context, set);
        return { message: `${done} runner ${record.name} (${id}) ${accountLabel(server)}`, record };
      };
      return batch(ids, work, context);
    },
  });
}
