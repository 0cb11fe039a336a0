import { exitCodes } from "../failure/exit-codes.ts";
import { rows, section } from "./help.ts";

/** The help topics: `tongs help json`. */
export const topics: Readonly<Record<string, () => string>> = {
  "exit-codes": () => {
    const codes = Object.values(exitCodes).map(({ code, meaning }): [string, string] => [String(code), meaning]);
    return topic("tongs exits with one of these codes. They never change.", "EXIT CODES", rows(codes));
  },
  environment: () => topic("tongs reads these environment variables.", "ENVIRONMENT", rows(environment)),
  json: () => `${jsonTopic}\n`,
};

function topic(about: string, title: string, lines: readonly string[]): string {
  return [about, "", ...section(title, lines)].join("\n");
}

/** The topic about JSON, CSV and jq. */
export const jsonTopic = `Every command can print records, commands that write included, with the field
names and types of the server's API.

FORMATS
  --json                 one record as an object, a list as an array
  --json number,title    only these fields; use dots for nested ones: user.login
  --jsonl                one record per line, printed as pages arrive
  --csv                  a header, one line per record; --json selects columns
  --jq EXPR              filter the JSON with jq; strings are printed raw

RULES
  The word after --json is read as fields only if it is a comma-separated list
  of known fields, so pr list --json and pr view --json 12 both work.
  --json=FIELDS is always read as fields. An unknown field is a usage error that
  lists the available ones.
  Integers beyond 2^53 keep all digits.
  Errors are printed as one JSON object on stderr:
  {"error":{"code","message","hint","status","method","path","request"}}

EXAMPLES
  tongs pr list --json number,title,user.login
  tongs pr list --all --jsonl | wc -l
  tongs pr list --jq '.[] | select(.draft | not) | .number'`;

/** The environment variables that tongs reads, for help and the man page. */
export const environment: readonly (readonly [name: string, meaning: string])[] = [
  ["TONGS_HOST", "address of the server; with TONGS_TOKEN, no profile is needed"],
  ["TONGS_TOKEN", "access token for TONGS_HOST or --host"],
  ["TONGS_CA", "file of additional certificate authorities for TONGS_HOST; auth login stores it in the profile"],
  ["TONGS_PROFILE", "profile to use"],
  ["TONGS_REPO", "repository to use: OWNER/NAME, HOST/OWNER/NAME or a URL"],
  ["TONGS_CONFIG_DIR", "configuration directory (default: tongs in XDG_CONFIG_HOME or ~/.config)"],
  ["XDG_CACHE_HOME", "directory for the compile cache of Node 22 and later (default: ~/.cache)"],
  ["NODE_DISABLE_COMPILE_CACHE", "set to 1 to disable the compile cache"],
  ["HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY", "proxies, and hosts to connect to directly"],
  ["PAGER", "pager for diffs and logs on a terminal; cat or an empty value disables it"],
  ["EDITOR, VISUAL", "editor for long texts"],
  ["BROWSER", "web browser to use for --web"],
  ["NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE", "disable color, or use color in pipes, too"],
  ["CI", "never prompt"],
];
