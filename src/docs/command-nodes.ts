import type { Aliases } from "../command/route.ts";
import type { CommandSpec } from "../command/spec.ts";
import { type Group, isGroup, type Table } from "../command/table.ts";

/** A place in the command table: the whole, a noun, or a command, with the words that lead there. */
export interface CommandNode {
  /** Empty for tongs itself. */
  readonly words: readonly string[];
  readonly summary: string;
  /** What can follow: nouns or verbs. Empty for a command. */
  readonly verbs: readonly { readonly name: string; readonly summary: string }[];
  /** The verb that is meant when another word was typed. */
  readonly defaultVerb?: string | undefined;
  readonly command?: CommandSpec;
}

/** Every place of the table, in its order, tongs itself first. Loads every command. */
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
  return [{ words, summary: group.summary, verbs, defaultVerb: group.defaultVerb }, ...below];
}

/** One step on the way to a command: from a place, by any of these words, to another. */
export interface Step {
  readonly from: string;
  readonly typed: readonly string[];
  readonly to: string;
}

/** The steps between nodes, other spellings included. */
export function stepsOf(nodes: readonly CommandNode[], aliases: Aliases): Step[] {
  return nodes
    .flatMap((node) => {
      const known = node.verbs.map((verb) => verb.name);
      const from = node.words.join(" ");
      return known.map((name) => {
        const to = [...node.words, name].join(" ");
        const verbs = Object.entries(aliases.verbs)
          .filter(([other, meant]) => !known.includes(other) && meant.find((verb) => known.includes(verb)) === name)
          .map(([other]) => other);
        return { from, typed: [name, ...verbs], to };
      });
    })
    .concat(
      Object.entries(aliases.commands)
        .filter(([typed, to]) => isNode(nodes, to) && !isNode(nodes, typed))
        .map(([typed, to]) => {
          const words = typed.split(" ");
          return { from: words.slice(0, -1).join(" "), typed: words.slice(-1), to };
        }),
    );
}

function isNode(nodes: readonly CommandNode[], words: string): boolean {
  return nodes.some((node) => node.words.join(" ") === words);
}
