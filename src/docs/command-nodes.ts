import type { CommandSpec } from "../command/spec.ts";
import { type Group, isGroup, type Table } from "../command/table.ts";

/** A node of the command table: tongs, a noun or a command. */
export interface CommandNode {
  /** The name in words; empty for tongs. */
  readonly words: readonly string[];
  readonly summary: string;
  /** The nouns or verbs below it; empty for a command. */
  readonly verbs: readonly { readonly name: string; readonly summary: string }[];
  /** The verb for a command line without one. */
  readonly defaultVerb?: string | undefined;
  readonly details?: string | undefined;
  readonly command?: CommandSpec;
}

/** All nodes of a table in order, tongs first. Loads every command. */
export async function commandNodes(table: Table): Promise<CommandNode[]> {
  return visit([], { summary: "", verbs: table });
}

async function visit(words: readonly string[], group: Group): Promise<CommandNode[]> {
  const below: CommandNode[] = [];
  const verbs: { name: string; summary: string }[] = [];
  for (const [name, entry] of Object.entries(group.verbs)) {
    const here = [...words, name];
    if (isGroup(entry)) below.push(...(await visit(here, entry)));
    else {
      const command = await entry();
      below.push({ words: here, summary: command.summary, verbs: [], command });
    }
    verbs.push({ name, summary: below.find((node) => node.words.join(" ") === here.join(" "))?.summary ?? "" });
  }
  return [{ words, summary: group.summary, verbs, defaultVerb: group.defaultVerb, details: group.details }, ...below];
}
