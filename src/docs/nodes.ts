import { withReleases } from "../command/releases.ts";
import type { CommandSpec } from "../command/spec.ts";
import { type Group, isGroup, type Table } from "../command/table.ts";
import type { Block } from "../command/topic-text.ts";
import { topics } from "../command/topics.ts";

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
  return visit([], { summary: "", verbs: async () => table });
}

async function visit(words: readonly string[], group: Group): Promise<CommandNode[]> {
  const below: CommandNode[] = [];
  const verbs: { name: string; summary: string }[] = [];
  for (const [name, entry] of Object.entries(await group.verbs())) {
    const here = [...words, name];
    if (isGroup(entry)) below.push(...(await visit(here, entry)));
    else {
      const command = await withReleases(await entry());
      below.push({ words: here, summary: command.summary, verbs: [], command });
    }
    verbs.push({ name, summary: below.find((node) => node.words.join(" ") === here.join(" "))?.summary ?? "" });
  }
  return [{ words, summary: group.summary, verbs, defaultVerb: group.defaultVerb, details: group.details }, ...below];
}

/** A help topic with its text. */
export interface TopicNode {
  readonly name: string;
  readonly summary: string;
  readonly blocks: readonly Block[];
}

/** All help topics, in the order of the help. Loads their texts. */
export async function topicNodes(): Promise<TopicNode[]> {
  return Promise.all(
    Object.entries(topics).map(async ([name, { summary, blocks }]) => ({ name, summary, blocks: await blocks() })),
  );
}
