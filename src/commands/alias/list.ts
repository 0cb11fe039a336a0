import { defineCommand } from "../../app/define.ts";
import { column } from "../../output/table.ts";
import { openAliases } from "../../profiles/aliases.ts";
import { list as listOf } from "../../shape/shape.ts";
import { aliasRecord } from "./shared.ts";

interface Entry {
  readonly name: string;
  readonly expansion: string;
}

/** `tongs alias list`: lists the stored aliases. */
export const list = defineCommand({
  summary: "List aliases",
  on: "profiles",
  effect: "read",
  lists: ["alias", "aliases"],
  asTool: "none",
  output: listOf(aliasRecord),
  examples: [["List the aliases", "tongs alias list"]],
  async run({ out, system }) {
    const items: Entry[] = Object.entries(openAliases(system).read()).map(([name, expansion]) => ({ name, expansion }));
    items.sort((a, b) => (a.name < b.name ? -1 : 1));
    await out.list(items, [column<Entry>("NAME", "name"), column<Entry>("EXPANSION", "expansion", { flexible: true })]);
  },
});
