import type { System } from "../context.ts";
import { noColors } from "../output/palette.ts";
import { failureJson, failureText } from "../output/report-failure.ts";
import { exitCodes } from "./exit-codes.ts";
import { nearest } from "./nearest.ts";
import type { Route } from "./route.ts";
import { UsageError } from "./usage-error.ts";

/** Says that a word is no command, and which one may have been meant. */
export function sayUnknown(route: Route & { readonly to: "unknown" }, argv: readonly string[], system: System): number {
  const line = ["tongs", ...route.words].join(" ");
  const near = nearest(route.typed, route.known).map((word) => `${line} ${word}`);
  const hint = near.length > 0 ? `Did you mean: ${near.join(", ")}?` : `See: ${line} --help`;
  const failure = new UsageError(`There is no command '${line} ${route.typed}'`, hint);
  const asJson = argv.some((word) => /^--(json|jsonl|jq)(=|$)/.test(word));
  system.stderr.write(asJson ? failureJson(failure) : failureText(failure, noColors));
  return exitCodes.usage.code;
}
