import { defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { one } from "../../command/args.ts";
import { openAliases } from "../../profiles/aliases.ts";
import { aliasRecord, checkAliasName, checkExpansion } from "./shared.ts";

/** `tongs alias set`: stores another name for a command line. */
export const set = defineCommand({
  summary: "Create or change an alias",
  details:
    "The expansion is a command line without 'tongs'. $1 to $9 in it stand for the arguments of the alias; other arguments " +
    "are added at the end. An expansion that begins with ! is a shell command, run by sh, with the arguments as $1 and so on.",
  on: "profiles",
  effect: "write",
  args: { name: one("name of the alias", { source: "alias" }), expansion: one("command line it stands for") },
  output: aliasRecord,
  examples: [
    ["Check out pull requests with tongs co", "tongs alias set co 'pr checkout'"],
    ["List issues by label: tongs bugs alice", "tongs alias set bugs 'issue list --label bug --author $1'"],
    ["Count the open issues", "tongs alias set count '!tongs issue list --all --jsonl | wc -l'"],
  ],
  async run({ args, commands, options, out, system }) {
    const { name, expansion } = args;
    await checkAliasName(name, commands);
    await checkExpansion(expansion, commands);
    const store = openAliases(system);
    const old = Object.hasOwn(store.read(), name);
    const what = `${old ? "change" : "add"} alias ${name}`;
    if (await reportDryRun({ out, options }, what)) return;
    await store.update((aliases) => ({ ...aliases, [name]: expansion }));
    await out.done(`${old ? "Changed" : "Added"} alias ${name}: ${expansion}`, { record: { name, expansion } });
  },
});
