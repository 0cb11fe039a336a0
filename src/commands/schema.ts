import { defineCommand } from "../app/define.ts";
import { unknownCommand } from "../app/help.ts";
import { any } from "../command/args.ts";
import { route } from "../command/route.ts";
import { allCommands } from "../command/write-help.ts";
import { contract, contractOf } from "../docs/schema/contract.ts";

/** `tongs schema`: the command table as data, for those who drive tongs by program. */
export const schema = defineCommand({
  summary: "Describe commands for machines, as JSON",
  details:
    "Arguments, flags and output as JSON Schema (draft 2020-12), exit codes, kind of effect and examples. " +
    "Always JSON, also without --json.",
  on: "nothing",
  effect: "read",
  args: { command: any("the words of a command or a noun; left out, all") },
  output: contract,
  examples: [
    ["One command", "tongs schema pr merge"],
    ["Which commands only read", `tongs schema --jq '.commands[] | select(.effect == "read") | .command'`],
  ],
  async run({ args, out, commands: { table, aliases } }) {
    const found = route(args.command, table, aliases);
    if (found.to === "unknown") throw unknownCommand(found);
    const commands =
      found.to === "command"
        ? [{ words: found.words, command: await found.load() }]
        : await allCommands(found.group.verbs, found.words);
    const described = contractOf(commands);
    if (out.records) await out.record(described, () => ({ fields: [] }));
    else await out.raw(`${JSON.stringify(described, null, out.terminal ? 2 : undefined)}\n`);
  },
});
