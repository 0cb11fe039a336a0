import { type Flag, type Flags, kebab } from "./flags.ts";

/** What the words of a command line are, before anything is made of them. */
export interface Scanned {
  /** What was typed for each flag, in order, by its key; `true` and `false` for those that take no value. */
  readonly collected: ReadonlyMap<string, readonly string[]>;
  readonly args: readonly string[];
  readonly help: boolean;
}

/** Takes the words of a command line apart by its flags. Throws a usage error for what it does not know. */
export type Scan = (flags: Flags, words: readonly string[], line: string) => Scanned;

/** Thrown by the quick scan for a line that it leaves to the parser. */
export class NotPlain extends Error {
  override readonly name = "NotPlain";
}

/**
 * The quick scan of a plain and correct line, just as the parser would read it: `--flag value`, `--flag=value`,
 * `-f value`, switches, and arguments. Anything else, mistakes above all, is left to the parser, which knows the words
 * for them but takes longer to load than most commands to run.
 */
export const quickScan: Scan = (flags, words) => {
  const spellings = spellingsOf(flags);
  const collected = new Map<string, string[]>();
  const args: string[] = [];
  let help = false;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word === "--") {
      args.push(...words.slice(index + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      args.push(word);
      continue;
    }
    if (word === "--help" || word === "-h") {
      help = true;
      continue;
    }
    const at = word.startsWith("--") ? word.indexOf("=") : -1;
    const known = spellings.get(at < 0 ? word : word.slice(0, at));
    if (known === undefined || (at >= 0 && known.value !== undefined)) throw new NotPlain();
    const value = known.value ?? (at < 0 ? words[++index] : word.slice(at + 1));
    if (value === undefined) throw new NotPlain();
    collected.set(known.key, [...(collected.get(known.key) ?? []), value]);
  }
  return { collected, args, help };
};

interface Spelling {
  readonly key: string;
  /** What the spelling stands for by itself; flags with a value have none. */
  readonly value?: string;
}

function spellingsOf(flags: Flags): Map<string, Spelling> {
  const spellings = new Map<string, Spelling>();
  for (const [key, flag] of Object.entries<Flag<unknown>>(flags)) {
    const takesValue = flag.form === "value" || flag.form === "values";
    const spelling = takesValue ? { key } : { key, value: "true" };
    spellings.set(`--${kebab(key)}`, spelling);
    if (flag.short !== undefined) spellings.set(`-${flag.short}`, spelling);
    if (flag.form === "yes-no") spellings.set(`--no-${kebab(key)}`, { key, value: "false" });
  }
  return spellings;
}
