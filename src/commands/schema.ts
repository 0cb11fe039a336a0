import { defineCommand } from "../app/define.ts";
import { unknownCommand } from "../app/help.ts";
import { any } from "../command/args.ts";
import { withReleases } from "../command/releases.ts";
import { route } from "../command/route.ts";
import { allCommands } from "../command/write-help.ts";
import { contract, contractOf } from "../docs/schema/contract.ts";

/** `tongs schema`: prints the command table as JSON, for programs that run tongs. */
export const schema = defineCommand({
  summary: "Print a description of commands as JSON",
  details:
    "Describes arguments, flags and output as JSON Schema (draft 2020-12), with exit codes, effect and examples. " +
    "The output is JSON even without --json.",
  on: "nothing",
  effect: "read",
  args: { command: any("the command or noun (default: all commands)") },
  output: contract,
  examples: [
    ["Describe one command", "tongs schema pr merge"],
    ["List the commands that only read", `tongs schema --jq '.commands[] | select(.effect == "read") | .command'`],
  ],
  async run({ args, out, commands: { table, aliases } }) {
    const found = await route(args.command, table, aliases);
    if (found.to === "unknown") throw await unknownCommand(found);
    const commands =
      found.to === "command"
        ? [{ words: found.words, command: await withReleases(await found.load()) }]
        : await allCommands(await found.group.verbs(), found.words);
    const described = contractOf(commands);
    if (out.records) await out.record(described, () => ({ fields: [] }));
    else await out.raw(`${JSON.stringify(described, null, out.terminal ? 2 : undefined)}\n`);
  },
});
