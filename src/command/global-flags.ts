import { choice, type FlagValues, integer, seconds, text, toggle } from "./flags.ts";

/** The flags that every command takes. The parser, the help and the completions read them from here. */
export const globalFlags = {
  repo: text("the repository: OWNER/NAME, HOST/OWNER/NAME or a URL", { short: "R", placeholder: "REPO" }),
  profile: text("the stored profile", { placeholder: "NAME" }),
  host: text("the server's address", { placeholder: "URL" }),
  json: text("print the whole record as JSON, or only these fields", { placeholder: "[FIELDS]" }),
  jsonl: toggle("print one JSON record a line, as they arrive"),
  csv: toggle("print CSV"),
  jq: text("filter the JSON with a jq expression", { placeholder: "EXPR" }),
  limit: integer("lists: at most this many (30)", { min: 1 }),
  all: toggle("lists: every page"),
  dryRun: toggle("print the first write instead of sending it"),
  yes: toggle("answer yes to confirmations", { short: "y" }),
  noInput: toggle("never prompt"),
  quiet: toggle("no notes on stderr", { short: "q" }),
  debug: toggle("print every exchange on stderr, secrets masked"),
  color: choice(["auto", "always", "never"], "when to colour"),
  timeout: seconds("time for a response to begin, and for each silence within it (30; 0: no limit)"),
};

/** What the global flags came to. */
export type GlobalOptions = FlagValues<typeof globalFlags>;
