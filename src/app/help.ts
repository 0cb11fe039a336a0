import { kebab } from "../command/flags.ts";
import { globalFlags } from "../command/global-flags.ts";
import { usageHint } from "../command/help.ts";
import type { Route } from "../command/route.ts";
import { isGroup } from "../command/table.ts";
import { topics } from "../command/topics.ts";
import { exitCodes } from "../failure/exit-codes.ts";
import { UsageError } from "../failure/failure.ts";
import { openPalettes } from "../output/palette.ts";
import { reportFailure } from "../output/report-failure.ts";
import type { System } from "../system/system.ts";
import { nearest } from "../text/nearest.ts";
import { Styled } from "../text/styled.ts";

/** The error for an unknown command, with suggestions: similar names, and nouns that have the verb. */
export function unknownCommand({ words, typed, group }: Route & { readonly to: "unknown" }): UsageError {
  const line = ["tongs", ...words].join(" ");
  const near = nearest(typed, Object.keys(group.verbs)).map((word) => `${line} ${word}`);
  const below = Object.entries(group.verbs)
    .filter(([, entry]) => isGroup(entry) && Object.hasOwn(entry.verbs, typed))
    .map(([noun]) => `${line} ${noun} ${typed}`);
  const topic = words.length === 0 && Object.hasOwn(topics, typed) ? [`tongs help ${typed}`] : [];
  const hint = didYouMean([...topic, ...near, ...below]) ?? usageHint(line);
  return new UsageError(`Unknown command '${typed}' for '${line}'`, hint);
}

/** The error for an unknown help topic, with suggestions. */
export function unknownTopic({ words, typed, group }: Route & { readonly to: "unknown" }): UsageError {
  const line = ["tongs", "help", ...words].join(" ");
  const known = [...Object.keys(group.verbs), ...(words.length === 0 ? Object.keys(topics) : [])];
  const near = nearest(typed, known).map((word) => `${line} ${word}`);
  const hint =
    didYouMean(near) ?? `Available topics: ${Object.keys(topics).join(", ")}. Run 'tongs --help' for the commands.`;
  return new UsageError(`Unknown help topic '${[...words, typed].join(" ")}'`, hint);
}

/** The error for flags without a command: an unknown flag, or a missing verb. */
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
    return new UsageError(`Unknown flag '${wrong}'`, didYouMean(nearest(wrong, known)) ?? usageHint("tongs"));
  }
  const what = words.length === 0 ? "command" : "verb";
  const verbs = Object.keys(group.verbs).join(", ");
  return new UsageError(`Missing ${what} after '${line}'`, `Available: ${verbs}`);
}

/** Prints a usage error, as JSON if the command line asks for JSON, and returns the exit code. */
export async function reportUsageError(error: UsageError, argv: readonly string[], system: System): Promise<number> {
  await reportFailure(error, system, { json: namesJson(argv) });
  return exitCodes.usage.code;
}

function didYouMean(lines: readonly string[]): string | undefined {
  return lines.length === 0 ? undefined : `Did you mean: ${lines.slice(0, 3).join(", ")}?`;
}

/** Whether a command line that was not parsed asks for JSON. */
export function namesJson(words: readonly string[]): boolean {
  return words.some((word) => /^--(json|jsonl|jq)(=|$)/.test(word));
}

/** Prints help, with bold headings and flags if stdout has colors. */
export async function showHelp(text: string, system: System): Promise<void> {
  const { stdout: palette } = await openPalettes(system);
  // Headings, and the flags at the start of their lines.
  const parts = text.split(/^([A-Z][A-Z ]+$|(?: {2}-\w,| {6}) --(?:\[no-\])?[\w-]+)/m);
  system.stdout.write(Styled.join(parts.map((part, index) => (index % 2 === 1 ? palette("strong", part) : part))));
}
