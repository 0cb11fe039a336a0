import type { Aliases } from "../command/route.ts";
import type { Table } from "../command/table.ts";
import { commandNodes } from "./command-nodes.ts";
import { bash } from "./completions/bash.ts";
import { fish } from "./completions/fish.ts";
import { powershell } from "./completions/powershell.ts";
import { vocabularyOf } from "./completions/words.ts";
import { zsh } from "./completions/zsh.ts";
import { manPages } from "./man/pages.ts";

/** Generates the completion scripts and man pages of a command table, by path in the package. */
export async function docFiles(table: Table, aliases: Aliases, version: string): Promise<Record<string, string>> {
  const nodes = await commandNodes(table);
  const vocabulary = vocabularyOf(nodes, aliases);
  const files: Record<string, string> = {
    "completions/tongs.bash": bash(vocabulary),
    "completions/_tongs": zsh(vocabulary),
    "completions/tongs.fish": fish(vocabulary),
    "completions/tongs.ps1": powershell(vocabulary),
  };
  for (const [name, page] of Object.entries(manPages(nodes, version))) files[`man/${name}`] = page;
  return files;
}
