import type { CommandTool } from "./tools.ts";

/** The arguments of a call, as the client gave them. */
export type Given = Readonly<Record<string, unknown>>;

const common =
  "The server and the repository are those that were selected when serving began (tongs mcp serve -R OWNER/NAME); no tool takes " +
  "another repository, but issues can be named as OWNER/NAME#12. All take fields (only these of each record), limit and all. Those that write take dry-run, and one that destroys " +
  "returns its dry run unless yes is true. Errors name arguments as the command line does: --body-file is body-file, LABEL is label, " +
  "--json is fields, and tongs user delete mara is a call of the verb delete. Long output is cut; output_more returns the rest.";

/** How the tools are offered: by nouns, or each command by itself. */
export interface ToolForm {
  /** How tools are called, which a client reads once. */
  readonly instructions: string;
  /** What to do to find out the arguments of a command. */
  readonly help: (tool: CommandTool) => string;
}

/** One tool for each noun. */
const byNoun: ToolForm = {
  instructions:
    "Each tool is a noun of tongs, a client for Gitea and Forgejo servers. Call it with a verb and the arguments of the " +
    'verb: {"verb": "list", "limit": 5}. {"verb": "help"} lists the verbs; {"verb": "help", "of": "list"} describes one ' +
    `and its arguments. ${common}`,
  help: (tool) =>
    isAlone(tool)
      ? byVerb.help(tool)
      : `call ${nounName(tool)} with ${JSON.stringify({ verb: "help", of: verbOf(tool) })}`,
};

/** One tool for each command. */
const byVerb: ToolForm = {
  instructions: `Each tool is a command of tongs, a client for Gitea and Forgejo servers. ${common}`,
  help: ({ name }) => `see the schema of the tool ${name}`,
};

/** The forms by the values of --tools. */
export const toolForms = { noun: byNoun, verb: byVerb };

/** Whether a command is no verb of a noun: it is a tool by itself in both forms. */
export function isAlone({ words }: CommandTool): boolean {
  return words.length === 1;
}

/** The name of the tool of a noun. */
export function nounName({ words: [noun = ""] }: CommandTool): string {
  return noun.replaceAll("-", "_");
}

/** The value of `verb` for a command. */
export function verbOf({ words }: CommandTool): string {
  return words.slice(1).join(" ");
}
