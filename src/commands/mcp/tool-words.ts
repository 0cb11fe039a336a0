import { kebab } from "../../command/flags.ts";
import { globalFlags } from "../../command/global-flags.ts";
import { usageHint } from "../../command/route.ts";
import { UsageError } from "../../failure/failure.ts";
import { capitalized } from "../../text/format.ts";
import { splitWords } from "../../text/words.ts";
import type { ToolForm } from "./forms.ts";
import { type CommandTool, callArguments, toolArguments } from "./tools.ts";

/** What the messages of a call are about. */
export interface ToolWords {
  readonly tool: CommandTool;
  readonly given: Readonly<Record<string, unknown>>;
  /** All tools, and how they are offered. */
  readonly offered: readonly CommandTool[];
  readonly form: ToolForm;
  /** The server and the repository that were selected at the start, as flags. */
  readonly fixed: readonly string[];
}

/**
 * A text of a command for people in terms of its tool: a command line at the end of a line is the call that does the same
 * (`call user with {"verb":"delete","name":"mara"}`), or stays as it is where no tool does; the rest has the tool's words.
 */
export function inToolTerms(words: ToolWords, text: string): string {
  return text
    .replaceAll(usageHint(`tongs ${words.tool.words.join(" ")}`), usageHelp(words))
    .split("\n")
    .map((line) => {
      const [, before = line, run = "", command] = /^(.*?)(\brun)?: tongs (.+)$/i.exec(line) ?? [];
      if (command === undefined) return inToolWords(words, line);
      const [introduced, call] = [inToolWords(words, before), callFor(words, command)];
      if (call === undefined) return `${introduced}${run}: tongs ${command}`;
      return run === "" ? `${introduced}: ${call}` : `${introduced}${introduced === "" ? capitalized(call) : call}`;
    })
    .join("\n");
}

/** The hint of a usage error that has none. */
export function usageHelp({ form, tool }: Pick<ToolWords, "form" | "tool">): string {
  return `${capitalized(form.help(tool))} for its arguments.`;
}

/** The call that does the same as a command line, without `tongs`; undefined where no tool does. */
function callFor({ offered, form, fixed }: ToolWords, command: string): string | undefined {
  try {
    const typed = splitWords(command, "The command");
    const isOf = ({ words }: CommandTool) => words.every((word, index) => word === typed[index]);
    const [tool] = offered.filter(isOf).toSorted((one, other) => other.words.length - one.words.length);
    if (tool === undefined) return undefined;
    const rest = typed.slice(tool.words.length);
    if (rest.includes("--help")) return form.help(tool);
    const found = callArguments(tool, rest, fixed);
    return found && form.call(tool, found);
  } catch (error) {
    // A placeholder, such as --admin[=no].
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

/**
 * A text with the words of a tool: `fields` for `--json`, `yes: true` for `--yes`, `label` for LABEL. What is no argument of
 * the tool stays, and so do values that the caller gave.
 */
function inToolWords({ tool, given }: ToolWords, text: string): string {
  const { flags, args } = toolArguments(tool);
  const named = (key: string, isTrue: boolean): string | undefined => {
    const found = flags.get(key);
    return found?.isBoolean === true ? `${found.name}: ${isTrue}` : found?.name;
  };
  const shorts = Object.entries({ ...globalFlags, ...tool.command.flags }).flatMap(([key, { short }]) =>
    short === undefined ? [] : [[short, key] as const],
  );
  const keyOf = new Map(shorts);
  const plain = (part: string) =>
    part
      .replace(/(?<![\w-])--(no-)?([a-z][a-z0-9-]*)/g, (word, no: string | undefined, name: string) => {
        return named(`${no ?? ""}${name}`, true) ?? named(name, no === undefined) ?? word;
      })
      .replace(
        /(?<![\w-])-([A-Za-z])(?![\w-])/g,
        (word, short: string) => named(kebab(keyOf.get(short) ?? ""), true) ?? word,
      )
      .replace(/(?<![\w/=:#@[.'-])[A-Z][A-Z0-9-]*(?![\w/=:#@[-])/g, (word) => args.get(word) ?? word);
  const values = Object.values(given)
    .flat()
    .filter((value) => typeof value === "string")
    .filter((value) => /-[A-Za-z]/.test(value) || [...args.keys()].some((word) => value.includes(word)));
  const outside = (part: string, [value, ...others]: readonly string[]): string =>
    value === undefined
      ? plain(part)
      : part
          .split(value)
          .map((one) => outside(one, others))
          .join(value);
  return outside(text, values);
}
