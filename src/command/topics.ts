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
  operations: () => `${operationsTopic}\n`,
  mcp: () => `${mcpTopic}\n`,
  webhooks: () => `${webhooksTopic}\n`,
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

const operationsTopic = `A server publishes a description of its operations. With it, tongs calls any of
them, also those that have no command of their own.

FIND
  tongs operation list WORD...     search IDs, paths and summaries
  tongs operation view ID          parameters, body, responses and scopes

CALL
  tongs operation call ID -p NAME=VALUE
  Names, types, enumerations and required values are checked before anything is
  sent. Repeat -p for the items of a list, and use dots for fields inside
  objects. --input reads the body from a file. {owner} and {repo} default to the
  current repository. Lists are read page by page. DELETE requests prompt.

RULES
  The description is kept in the cache directory for a day. If the server does
  not publish one, the exit code is 5 and the error code no_description. Then
  send the request with: tongs api PATH

EXAMPLES
  tongs operation list label
  tongs operation call issueListLabels --jq '.[].name'`;

const mcpTopic = `tongs serves its commands as tools of the Model Context Protocol. The program
that uses them starts tongs mcp serve and talks to it on stdin and stdout.

TOOLS
  Each command is a tool: pr merge is pr_merge. Flags and arguments are those of
  the command; fields, limit and all are those of --json, --limit and --all.
  Records are structured content, and errors have a code and a hint.
  Long output is cut: output_more returns the rest.

SAFETY
  --allow read      only what reads (the default)
  --allow write     also what writes, or changes files here
  --allow destroy   also what destroys, and api; such a tool needs yes: true and
                    is a dry run without it
  --only NOUN,...   only the commands of these nouns
  There are no prompts, and no tools that print a token or change profiles. The
  server and the repository are those selected at the start.

EXAMPLES
  tongs mcp serve --only pr,issue,run
  tongs mcp serve --allow write -R mara/harbor`;

const webhooksTopic = `tongs hook listen receives webhooks on this machine, for those who write a
receiver, also without a server: the built-in one delivers them, too.

  tongs sandbox
  HOOK_SECRET=... tongs hook listen --port 3001 --secret-env HOOK_SECRET
  tongs hook create --url http://127.0.0.1:3001/ --secret-file secret.txt
  tongs hook test 1

OUTPUT
  One JSON line per delivery: event, type, action, repository, delivery,
  verified, received_at, forwarded and body.

RULES
  With --secret-env, a delivery with a missing or wrong signature is refused
  with 401. --forward sends each delivery on unchanged and answers with the
  status that comes back. --once exits after the first one. A GET request from
  this machine returns the last deliveries.

EXAMPLES
  tongs hook listen --once --event push
  tongs hook listen --forward http://127.0.0.1:8080/hook`;

/** The environment variables that tongs reads, for help and the man page. */
export const environment: readonly (readonly [name: string, meaning: string])[] = [
  ["TONGS_HOST", "address of the server; with TONGS_TOKEN, no profile is needed"],
  ["TONGS_TOKEN", "access token for TONGS_HOST or --host"],
  ["TONGS_CA", "file of additional certificate authorities for TONGS_HOST; auth login stores it in the profile"],
  ["TONGS_PROFILE", "profile to use"],
  ["TONGS_REPO", "repository to use: OWNER/NAME, HOST/OWNER/NAME or a URL"],
  ["TONGS_CONFIG_DIR", "configuration directory (default: tongs in XDG_CONFIG_HOME or ~/.config)"],
  ["TONGS_JOURNAL", "off does not record writes in the journal"],
  ["XDG_STATE_HOME", "directory for the journal and the hashes of secrets (default: ~/.local/state)"],
  [
    "XDG_CACHE_HOME",
    "directory for the compile cache of Node 22 and later, and for descriptions of servers (default: ~/.cache)",
  ],
  ["NODE_DISABLE_COMPILE_CACHE", "set to 1 to disable the compile cache"],
  ["HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY", "proxies, and hosts to connect to directly"],
  ["TONGS_PAGER, PAGER", "pager for long output on a terminal; cat or an empty value disables it"],
  ["TONGS_EDITOR, VISUAL, EDITOR", "editor for long texts"],
  ["TONGS_BROWSER, BROWSER", "web browser for --web and browse"],
  ["NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE", "disable color, or use color in pipes, too"],
  ["TERM, TONGS_ACCESSIBLE", "TERM=dumb or TONGS_ACCESSIBLE=1: no redrawing, and numbered choices in prompts"],
  ["LC_ALL, LC_CTYPE, LANG", "with C or POSIX, only ASCII is drawn on a terminal"],
  ["FORCE_HYPERLINK", "1 or 0: use links on a terminal, or not"],
  ["CI", "never prompt"],
];
