import { CommanderError, Option, Command as Parser } from "commander";
import { UsageError } from "../failure/failure.ts";
import { type Flag, kebab } from "./flags.ts";
import type { Scan } from "./scan.ts";

/** The scan of any line, by commander: every spelling, and for mistakes what is wrong and the nearest that is right. */
export const fullScan: Scan = (flags, words, line) => {
  const collected = new Map<string, string[]>();
  const parser = new Parser(`tongs ${line}`)
    .exitOverride()
    .helpOption(false)
    .allowExcessArguments()
    .configureOutput({ writeOut() {}, writeErr() {} });
  for (const [key, flag] of Object.entries(flags)) addFlag(parser, key, flag, collected);
  parser.addOption(new Option("-h, --help"));
  parser.argument("[words...]");
  try {
    parser.parse([...words], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) throw asUsageError(error, line);
    throw error;
  }
  return { collected, args: parser.args, help: parser.opts()["help"] === true };
};

function addFlag(parser: Parser, key: string, flag: Flag<unknown>, collected: Map<string, string[]>): void {
  const long = `--${kebab(key)}`;
  const short = flag.short === undefined ? "" : `-${flag.short}, `;
  const take = (value: string) => {
    collected.set(key, [...(collected.get(key) ?? []), value]);
    return value;
  };
  if (flag.form === "value" || flag.form === "values") {
    const value = key === "json" ? "[value]" : "<value>";
    parser.addOption(new Option(`${short}${long} ${value}`).argParser(take));
    return;
  }
  parser.addOption(new Option(`${short}${long}`));
  parser.on(`option:${kebab(key)}`, () => take("true"));
  if (flag.form !== "yes-no") return;
  parser.addOption(new Option(`--no-${kebab(key)}`));
  parser.on(`option:no-${kebab(key)}`, () => take("false"));
}

function asUsageError(error: CommanderError, line: string): UsageError {
  // The value of a mistyped `--token=…` may be a secret.
  const message = error.message
    .replace(/^error: /, "")
    .replace(/\n/g, " ")
    .replace(/^(unknown option '[^'=]*)=[^']*'/, "$1'");
  return new UsageError(message.charAt(0).toUpperCase() + message.slice(1), `See: tongs ${line} --help`);
}
