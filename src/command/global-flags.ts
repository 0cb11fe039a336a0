import { choice, type Flag, type FlagValues, integer, seconds, text, toggle } from "./flags.ts";

/** The flags of every command, for the parser, help and completion. */
export const globalFlags = {
  repo: text(
    "select another repository: OWNER/NAME, HOST/OWNER/NAME or a URL; to change several, a pattern such as 'acme/*', or - for stdin",
    {
      short: "R",
      placeholder: "REPO",
      source: "repository",
    },
  ),
  profile: text("use this server profile", { placeholder: "NAME", source: "profile" }),
  host: text("use the server at this address", { placeholder: "URL" }),
  sudo: text("act as this user, as an administrator", { placeholder: "USER", source: "account" }),
  json: text("output JSON, with all fields or only these", { placeholder: "[FIELDS]" }),
  jsonl: toggle("output one JSON record per line"),
  csv: toggle("output CSV"),
  jq: text("filter JSON output using a jq expression", { placeholder: "EXPR" }),
  limit: integer("maximum number of items to list (default: 30)", { short: "L", min: 1 }),
  all: toggle("list all items"),
  dryRun: toggle("print the first write request instead of sending it; the server may still refuse it"),
  yes: toggle("skip confirmation prompts", { short: "y" }),
  noInput: toggle("never prompt"),
  quiet: toggle("do not print notes on stderr", { short: "q" }),
  debug: toggle("log HTTP exchanges to stderr, with secrets masked"),
  color: choice(["auto", "always", "never"], "when to use color"),
  timeout: seconds("how long to wait for a response, and for each pause in it (default: 30; 0: no limit)"),
};

/** The values of the global flags. */
export type GlobalOptions = FlagValues<typeof globalFlags>;

/** The values of the global flags if none is given. */
export function noOptions(): GlobalOptions {
  const flags = Object.entries<Flag<unknown>>(globalFlags);
  return Object.fromEntries(flags.map(([key, flag]) => [key, flag.read([], key)])) as unknown as GlobalOptions;
}
