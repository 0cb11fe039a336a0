import { kebab } from "../command/flags.ts";
import { globalFlags } from "../command/global-flags.ts";
import type { Route } from "../command/route.ts";
import { isGroup } from "../command/table.ts";
import { topics } from "../command/topics.ts";
import { exitCodes } from "../failure/exit-codes.ts";
import { UsageError } from "../failure/failure.ts";
import { openPalettes } from "../output/palette.ts";
import { reportFailure } from "../output/report-failure.ts";
import type { System } from "../system/system.ts";
import { nearest } from "../text/nearest.ts";

/** A word that is no command, and which one may have been meant: one written alike, or the verb of some noun. */
export function unknownCommand({ words, typed, group }: Route & { readonly to: "unknown" }): UsageError {
  const line = ["tongs", ...words].join(" ");
  const near = nearest(typed, Object.keys(group.verbs)).map((word) => `${line} ${word}`);
  const below = Object.entries(group.verbs)
    .filter(([, entry]) => isGroup(entry) && Object.hasOwn(entry.verbs, typed))
    .map(([noun]) => `${line} ${noun} ${typed}`);
  const hint = didYouMean([...near, ...below]) ?? `See: ${line} --help`;
  return new UsageError(`There is no command '${line} ${typed}'`, hint);
}

/** A word that there is no help on. */
export function unknownTopic({ words, typed, group }: Route & { readonly to: "unknown" }): UsageError {
  const line = ["tongs", "help", ...words].join(" ");
  const known = [...Object.keys(group.verbs), ...(words.length === 0 ? Object.keys(topics) : [])];
  const near = nearest(typed, known).map((word) => `${line} ${word}`);
  const hint = didYouMean(near) ?? `Topics: ${Object.keys(topics).join(", ")}, or any noun of: tongs --help`;
  return new UsageError(`There is no help on '${[...words, typed].join(" ")}'`, hint);
}

/** Flags alone: a flag that does not exist, or the verb is missing. */
export function missingVerb({ words, group, flags }: Route & { readonly to: "group" }): UsageError {
  const line = ["tongs", ...words].join(" ");
  const known = [...Object.keys(globalFlags).map((key) => `--${kebab(key)}`), "--help", "--version"];
  const shorts = Object.values(globalFlags).map((flag) => `-${flag.short}`);
  const wrong =
    words.length > 0
      ? undefined
      : flags
          .map((flag) => flag.split("=")[0] ?? "")
          .find((flag) => flag.startsWith("-") && !known.includes(flag) && !shorts.includes(flag));
  if (wrong !== undefined) {
    return new UsageError(`Unknown flag '${wrong}'`, didYouMean(nearest(wrong, known)) ?? "See: tongs --help");
  }
  const what = words.length === 0 ? "A command" : "A verb";
  const verbs = Object.keys(group.verbs).join(", ");
  return new UsageError(`${what} is missing after '${line}'`, `One of: ${verbs}`);
}

/** Prints a usage error, as JSON where the words ask for it, and returns the exit code. */
export async function reportUsageError(error: UsageError, argv: readonly string[], system: System): Promise<number> {
  await reportFailure(error, system, { json: namesJson(argv) });
  return exitCodes.usage.code;
}

function didYouMean(lines: readonly string[]): string | undefined {
  return lines.length === 0 ? undefined : `Did you mean: ${lines.slice(0, 3).join(", ")}?`;
}

/** Whether a command line that is not parsed asks for JSON. */
export function namesJson(words: readonly string[]): boolean {
  return words.some((word) => /^--(json|jsonl|jq)(=|$)/.test(word));
}

/** Prints help, with bold headings where stdout is coloured. */
export async function showHelp(text: string, system: System): Promise<void> {
  const { stdout: palette } = await openPalettes(system);
  system.stdout.write(text.replace(/^[A-Z][A-Z ]+$/gm, (heading) => palette("strong", heading)));
}
