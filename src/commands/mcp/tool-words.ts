import { kebab } from "../../command/flags.ts";
import { globalFlags } from "../../command/global-flags.ts";
import { usageHint } from "../../command/route.ts";
import { type CommandTool, toolArguments } from "./tools.ts";

/** What the messages of a call are about. */
export interface ToolWords {
  readonly tool: CommandTool;
  readonly given: Readonly<Record<string, unknown>>;
  /** How the arguments of the tool are found out, in place of `--help`. */
  readonly help: string;
}

/**
 * A text of a command for people with the words of its tool: `fields` for `--json`, `yes: true` for `--yes`, `label` for
 * LABEL, and the help of the tool for that of the command. What is no argument of the tool stays, and so do values that
 * the caller gave.
 */
export function inToolWords({ tool, given, help }: ToolWords, text: string): string {
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
  return outside(text.replaceAll(usageHint(`tongs ${tool.words.join(" ")}`), help), values);
}
