import type { Block } from "./topic-text.ts";

/** A help topic: `tongs help json`. */
export interface Topic {
  readonly summary: string;
  /** Its text is loaded when it is shown. */
  readonly blocks: () => Promise<readonly Block[]>;
}

/** The help topics by name. The texts are in topics/. */
export const topics: Readonly<Record<string, Topic>> = {
  scripting: {
    summary: "Use tongs in scripts and in CI",
    blocks: read(() => import("./topics/scripting.txt?raw")),
  },
  profiles: {
    summary: "Use several servers and accounts",
    blocks: read(() => import("./topics/profiles.txt?raw")),
  },
  security: {
    summary: "How tongs handles tokens, and what it protects you from",
    blocks: read(() => import("./topics/security.txt?raw")),
  },
  "coming-from-gh": {
    summary: "Commands of gh, and their equivalents in tongs",
    blocks: read(() => import("./topics/coming-from-gh.txt?raw")),
  },
  "coming-from-tea": {
    summary: "Commands of tea, and their equivalents in tongs",
    blocks: read(() => import("./topics/coming-from-tea.txt?raw")),
  },
  "exit-codes": { summary: "The exit codes, and the error codes of each", blocks: exitCodeBlocks },
  environment: {
    summary: "The environment variables",
    blocks: async () => [
      { kind: "paragraph", text: "tongs reads these environment variables." },
      { kind: "heading", text: "ENVIRONMENT" },
      { kind: "rows", rows: environment },
    ],
  },
  json: {
    summary: "JSON, JSON lines, CSV and jq",
    blocks: read(() => import("./topics/json.txt?raw")),
  },
  everywhere: {
    summary: "Ask the servers of all profiles at once",
    blocks: read(() => import("./topics/everywhere.txt?raw")),
  },
  operations: {
    summary: "Call any operation of the server",
    blocks: read(() => import("./topics/operations.txt?raw")),
  },
  mcp: {
    summary: "Serve the commands as tools of the Model Context Protocol",
    blocks: read(() => import("./topics/mcp.txt?raw")),
  },
  files: {
    summary: "The files of user onboard, user offboard and policy audit",
    blocks: read(() => import("./topics/files.txt?raw")),
  },
  webhooks: {
    summary: "Receive webhooks on this machine",
    blocks: read(() => import("./topics/webhooks.txt?raw")),
  },
};

function read(load: () => Promise<{ readonly default: string }>): () => Promise<readonly Block[]> {
  return async () => {
    const [{ readTopic }, { default: source }] = await Promise.all([import("./topic-text.ts"), load()]);
    return readTopic(source);
  };
}

async function exitCodeBlocks(): Promise<Block[]> {
  const { exitList, pluginExitList } = await import("../failure/exit-list.ts");
  const exits = exitList();
  const about =
    "In JSON, an error also has a code, which says what happened. Each belongs to one exit code; more can be added.";
  return [
    { kind: "paragraph", text: "tongs exits with one of these codes. They never change." },
    { kind: "heading", text: "EXIT CODES" },
    { kind: "rows", rows: exits.map(({ code, meaning }) => [String(code), meaning]) },
    { kind: "paragraph", text: pluginExitList.about },
    { kind: "rows", rows: pluginExitList.exits.map(({ code, meaning }) => [String(code), meaning]) },
    { kind: "heading", text: "ERROR CODES" },
    { kind: "paragraph", text: about },
    ...exits.flatMap(({ code, errors }): Block[] =>
      errors.length === 0
        ? []
        : [
            { kind: "heading", text: `EXIT CODE ${code}` },
            { kind: "rows", rows: errors.map((error) => [error.code, error.meaning]) },
          ],
    ),
  ];
}

/** The environment variables that tongs reads, for help and the man page. */
export const environment: readonly (readonly [name: string, meaning: string])[] = [
  ["TONGS_HOST", "address of the server; with TONGS_TOKEN, no profile is needed"],
  ["TONGS_TOKEN", "access token for TONGS_HOST or --host"],
  ["TONGS_SOURCE_TOKEN", "access token for the source of repo import"],
  ["TONGS_CA", "file of additional certificate authorities for TONGS_HOST; auth login stores it in the profile"],
  ["TONGS_PROFILE", "profile to use"],
  ["TONGS_REPO", "repository to use: OWNER/NAME, HOST/OWNER/NAME or a URL"],
  ["TONGS_CONFIG_DIR", "configuration directory (default: tongs in XDG_CONFIG_HOME or ~/.config)"],
  ["TONGS_CREDENTIAL_STORE", "where sign-ins store tokens: auto (the keyring, else a file), keyring or file"],
  ["TONGS_JOURNAL", "off does not record writes in the journal"],
  ["TONGS_UPDATE_URL", "address to ask for the newest version of tongs; there is none by default"],
  ["TONGS_NO_UPDATE_NOTIFIER", "set to 1 for no notices about new versions"],
  ["XDG_STATE_HOME", "directory for the journal and the hashes of secrets (default: ~/.local/state)"],
  ["XDG_CACHE_HOME", "directory for compiled code and for descriptions of servers (default: ~/.cache)"],
  ["NODE_DISABLE_COMPILE_CACHE", "set to 1 to disable the compile cache"],
  ["HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY", "proxies, and hosts to connect to directly"],
  ["TONGS_PAGER, PAGER", "pager for long output on a terminal; cat or an empty value disables it"],
  ["TONGS_EDITOR, VISUAL, EDITOR", "editor for long texts"],
  ["TONGS_BROWSER, BROWSER", "web browser for --web and browse"],
  ["NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE", "disable color, or also use color in pipes"],
  ["TERM, TONGS_ACCESSIBLE", "TERM=dumb or TONGS_ACCESSIBLE=1: no redrawing, and numbered choices in prompts"],
  ["LC_ALL, LC_CTYPE, LANG", "with C or POSIX, only ASCII is drawn on a terminal"],
  ["FORCE_HYPERLINK", "1 or 0: use links on a terminal, or not"],
  ["CI", "never prompt, and no notices about new versions"],
];
