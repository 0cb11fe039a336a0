import type { CommandTable } from "../../app/context.ts";
import { openQuietContext } from "../../app/quiet-context.ts";
import { completionOf, matching, type Offer } from "../../command/complete.ts";
import { type AliasMap, openAliases } from "../../profiles/aliases.ts";
import type { System } from "../../system/system.ts";
import { safeLine } from "../../text/safe.ts";
import { splitWords } from "../../text/words.ts";
import { liveOffers } from "./sources.ts";

/** The directives of cobra's protocol that the completion scripts read. */
const directives = { files: 0, noSpace: 2, noFiles: 4, folders: 16 } as const;

/** How long the server may take, in milliseconds: with the start of the program, the shell waits 300 ms at most. */
const serverTime = 200;

/** The longest description, in characters. */
const longest = 72;

/**
 * `tongs __complete WORD…`, which the completion scripts run: prints what completes the last word, one per line with a TAB
 * and a description, then `:` and a directive, as cobra's programs do. It sends only reads, never prompts, and prints no
 * error: when a source fails or takes longer than `time`, there is nothing to offer.
 */
export async function complete(
  words: readonly string[],
  system: System,
  { table, aliases }: CommandTable,
  time = serverTime,
): Promise<number> {
  let offers: readonly Offer[] = [];
  let named: readonly Offer[] = [];
  let directive: number = directives.noFiles;
  try {
    const own = openAliases(system).read();
    const found = await completionOf(expanded(words.length === 0 ? [""] : words, own), table, aliases);
    if (words.length === 1 && found.source === undefined && !words[0]?.startsWith("-")) {
      named = Object.entries(own).map(([word, description]) => ({ word, description }));
    }
    if (found.paths !== undefined) directive = found.paths === "file" ? directives.files : directives.folders;
    if (found.open) directive |= directives.noSpace;
    const { source, line } = found;
    const live = source === undefined ? [] : await withContext(system, line, time, source);
    // A name on the server that begins with a dash would be read as a flag.
    const plain = found.before === "" ? live.filter(({ word }) => !word.startsWith("-")) : live;
    offers = matching({ ...found, offers: [...found.offers, ...named, ...plain] });
  } catch {
    // A message would land in the middle of the line that is being typed.
  }
  const lines = offers.filter(({ word }) => isTypable(word)).map(offerLine);
  system.stdout.write([...lines, `:${directive}`, ""].join("\n"));
  return 0;
}

/** The words with an alias at the start replaced by what it stands for; its `$1` has no value yet. */
function expanded(words: readonly string[], aliases: AliasMap): readonly string[] {
  const [name = "", ...rest] = words;
  const expansion = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
  if (expansion === undefined || expansion.startsWith("!") || rest.length === 0) return words;
  return [...splitWords(expansion, "The expansion").filter((word) => !/\$[1-9]/.test(word)), ...rest];
}

/** Words with control characters or bidirectional marks cannot be typed. */
function isTypable(word: string): boolean {
  return word !== "" && safeLine(word) === word;
}

/** Shells read a line as a word and a description: neither has line breaks, tabs or control characters. */
function offerLine({ word, description }: Offer): string {
  const text = [...safeLine(description ?? "").trim()];
  const shown = text.length > longest ? `${text.slice(0, longest - 1).join("")}…` : text.join("");
  return shown === "" ? word : `${word}\t${shown}`;
}

async function withContext(
  system: System,
  line: Parameters<typeof liveOffers>[1],
  time: number,
  source: Parameters<typeof liveOffers>[0],
): Promise<readonly Offer[]> {
  const last = (key: string) => line.flags.get(key)?.at(-1);
  const context = openQuietContext(system, { repo: last("repo"), profile: last("profile"), host: last("host") }, time);
  try {
    return await Promise.race([liveOffers(source, line, context), context.timeUp]);
  } finally {
    context.close();
  }
}
