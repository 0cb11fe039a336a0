import type { BaseContext } from "../../app/context.ts";
import { UsageError } from "../../failure/failure.ts";
import type { ReadingFormat } from "../../metrics/reading-writer.ts";

/** The format of `--format`, or else of the global output flags; undefined without any. Throws a usage error if they differ. */
export function chosenFormat<F extends string>(
  { jq, jsonl, csv, json }: BaseContext["options"],
  given: F | undefined,
): F | ReadingFormat | undefined {
  const isJson = jq !== undefined || jsonl || json !== undefined;
  const flag = csv ? "--csv" : jq !== undefined ? "--jq" : jsonl ? "--jsonl" : "--json";
  const fits = csv ? given === "csv" : !isJson || given === "json" || given === "ndjson";
  if (given !== undefined && !fits) throw new UsageError(`--format ${given} and ${flag} exclude each other`);
  return given ?? (jsonl ? "ndjson" : csv ? "csv" : json === undefined ? undefined : "json");
}

/** The format without any of these flags: text on a terminal, and else NDJSON or another. */
export function usualFormat(terminal: boolean | undefined, otherwise: ReadingFormat = "ndjson"): ReadingFormat {
  return terminal === true ? "text" : otherwise;
}
