import { version } from "../system/files.ts";
import { commandHelp, defaultWidth, type Entry, groupHelp, rootHelp } from "./help.ts";
import { withReleases } from "./releases.ts";
import type { CommandSpec } from "./spec.ts";
import { type Group, isGroup, type Load, type Table } from "./table.ts";
import { topics } from "./topics.ts";

/** Loads every command of a table, with its name in words. */
export async function allCommands(
  table: Table,
  words: readonly string[] = [],
): Promise<{ readonly words: readonly string[]; readonly command: CommandSpec }[]> {
  const found = await Promise.all(
    Object.entries(table).map(async ([name, entry]) =>
      isGroup(entry)
        ? allCommands(await entry.verbs(), [...words, name])
        : [{ words: [...words, name], command: await withReleases(await entry()) }],
    ),
  );
  return found.flat();
}

/** The help text of tongs or of a noun at another width than the built one. */
export async function helpText(table: Table, words: readonly string[], width: number): Promise<string | undefined> {
  let group: Group | undefined;
  for (const word of words) {
    const entry: Load | Group | undefined = (group === undefined ? table : await group.verbs())[word];
    if (entry === undefined || !isGroup(entry)) return undefined;
    group = entry;
  }
  return group === undefined
    ? rootHelp(await entries(table), topicEntries(), version, width)
    : groupHelp(words, group, await entries(await group.verbs()), width);
}

/** The help texts of tongs, the nouns, the commands and the topics, by name: `root`, `pr`, `pr-merge`, `topic-json`. */
export async function helpTexts(table: Table): Promise<Record<string, string>> {
  const texts: Record<string, string> = { root: rootHelp(await entries(table), topicEntries(), version) };
  const visit = async (words: readonly string[], group: Group): Promise<void> => {
    const verbs = await group.verbs();
    texts[words.join("-")] = groupHelp(words, group, await entries(verbs));
    for (const [name, entry] of Object.entries(verbs)) if (isGroup(entry)) await visit([...words, name], entry);
  };
  for (const [name, entry] of Object.entries(table)) if (isGroup(entry)) await visit([name], entry);
  for (const { words, command } of await allCommands(table)) texts[words.join("-")] = commandHelp(words, command);
  const { topicText } = await import("./topic-text.ts");
  for (const [name, { blocks }] of Object.entries(topics))
    texts[`topic-${name}`] = topicText(await blocks(), defaultWidth);
  return texts;
}

function topicEntries(): Entry[] {
  return Object.entries(topics).map(([name, { summary }]) => ({ name, summary }));
}

async function entries(table: Table): Promise<Entry[]> {
  return Promise.all(
    Object.entries(table).map(async ([name, entry]) => ({
      name,
      summary: isGroup(entry) ? entry.summary : (await entry()).summary,
    })),
  );
}
