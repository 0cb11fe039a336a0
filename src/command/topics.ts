import { exitCodes } from "../failure/exit-codes.ts";
import { rows, section } from "./help.ts";

/** The topics of `tongs help TOPIC`. */
export const topics: Readonly<Record<string, () => string>> = {
  "exit-codes": () => {
    const codes = Object.values(exitCodes).map(({ code, meaning }): [string, string] => [String(code), meaning]);
    return topic("Every command ends with one of these codes. They are never renumbered.", "EXIT CODES", rows(codes));
  },
  environment: () => topic("What tongs reads from its environment.", "ENVIRONMENT", rows(environment)),
  json: () => `${jsonTopic}\n`,
};

function topic(about: string, title: string, lines: readonly string[]): string {
  return [about, "", ...section(title, lines)].join("\n");
}

/** How records are printed. */
export const jsonTopic = `Every command prints records on request, writes included: the server's own field
names and types, nothing renamed or flattened.

FORMS
  --json                 a record as an object, a list as an array
  --json number,title    only these fields; dots reach inside: number,user.login
  --jsonl                one record a line, printed as pages arrive
  --csv                  a header, then a line a record; --json FIELDS columns
  --jq EXPR              the JSON through jq's language; strings come out bare

RULES
  The word after --json is taken as fields only if it is a comma list of known
  ones, so pr list --json and pr view --json 12 both work. --json=FIELDS is
  always fields. An unknown field is a usage error that lists the known ones.
  Integers beyond 2^53 keep every digit.
  Errors are one JSON object on stderr:
  {"error":{"code","message","hint","status","method","path","request"}}

EXAMPLES
  tongs pr list --json number,title,user.login
  tongs pr list --all --jsonl | wc -l
  tongs pr list --jq '.[] | select(.draft | not) | .number'`;

/** The environment variables that tongs reads, for the help and the man page. */
export const environment: readonly (readonly [name: string, meaning: string])[] = [
  ["TONGS_HOST", "the server's address; with TONGS_TOKEN no profile is needed"],
  ["TONGS_TOKEN", "the access token for TONGS_HOST (or for --host)"],
  ["TONGS_CA", "a file of extra certificate authorities for TONGS_HOST; auth login stores it in the profile"],
  ["TONGS_PROFILE", "the profile in force"],
  ["TONGS_REPO", "the repository in force: OWNER/NAME, HOST/OWNER/NAME or a URL"],
  ["TONGS_CONFIG_DIR", "the configuration folder (default: tongs in XDG_CONFIG_HOME or ~/.config)"],
  ["XDG_CACHE_HOME", "where Node keeps the compiled program, on Node 22 and newer (default: ~/.cache)"],
  ["NODE_DISABLE_COMPILE_CACHE", "set to 1 to keep nothing"],
  ["HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY", "proxies, and the hosts reached without one"],
  ["PAGER", "shows diffs and logs on a terminal; cat or an empty value prints them"],
  ["EDITOR, VISUAL", "writes long texts"],
  ["BROWSER", "opens pages for --web"],
  ["NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE", "colours off, or on in a pipe too"],
  ["CI", "never prompt"],
];
