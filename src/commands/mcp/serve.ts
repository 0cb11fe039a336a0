import type { BaseContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { choiceOr, names, text } from "../../command/flags.ts";
import { isGroup, type Table } from "../../command/table.ts";
import { Failure } from "../../failure/failure.ts";
import { asFailure } from "../../output/report-failure.ts";
import { addressText } from "../../profiles/server.ts";
import { confinement } from "./confinement.ts";
import { toolForms } from "./forms.ts";
import { longOutputs } from "./long-output.ts";
import { nounTools, verbTools } from "./noun-tools.ts";
import { failed, partResult, runTool } from "./run-tool.ts";
import { commandTools } from "./tools.ts";

/** `tongs mcp serve`: the command table as tools of the Model Context Protocol. */
export const serve = defineCommand({
  summary: "Serve commands as MCP tools on stdio",
  details:
    "For programs that speak the Model Context Protocol: each noun is a tool (pr) whose verb says what to do, or with " +
    "--tools verb each command is one (pr_merge), for clients that ask before each tool that writes. Records are structured " +
    "content, and errors have a code and a hint. Only verbs that read are offered, unless --allow write or destroy is " +
    "given. A destructive verb needs yes: true; without it, it returns its dry run. Long output is cut; " +
    "output_more returns the rest. tongs never prompts. The server and the repository are those selected at the start. " +
    "Tools read and write files only with --files, below that directory, and never read passwords or connect elsewhere.",
  on: "profiles",
  effect: "read",
  asTool: "none",
  flags: {
    allow: choiceOr(["read", "write", "destroy"], "read", "which verbs to offer; destroy includes write"),
    tools: choiceOr(["noun", "verb"], "noun", "what is a tool: a noun with its verbs, or each command"),
    files: text("let tools read and write files in this directory", { names: "output file", placeholder: "DIR" }),
    only: names("offer only the commands of these nouns", { placeholder: "NOUN" }),
  },
  examples: [
    ["Offer tools that read pull requests and issues", "tongs mcp serve --only pr,issue"],
    ["Offer tools that write, with files in one directory", "tongs mcp serve --allow write --files exchange"],
    ["Offer all tools, for one repository", "tongs mcp serve --allow destroy -R mara/harbor"],
  ],
  async run(context) {
    const { flags, system, commands, run, out } = context;
    const all = await commandTools(commands.table, {
      only: flags.only,
      allowed: flags.allow,
      hasFiles: flags.files !== undefined,
    });
    const confine = confinement(flags.files, system);
    const fixed = await selection(context);
    const outputs = longOutputs();
    const { serveTools } = await import("./serve-tools.ts");
    const tools = flags.tools === "verb" ? verbTools(all) : nounTools(all, (noun) => summaryOf(commands.table, noun));
    const form = toolForms[flags.tools];
    out.note(`Serving ${tools.length} tools on stdio`);
    await serveTools({
      tools,
      instructions: form.instructions,
      system,
      call: ({ tool, given }, { cancelled, onNote }) =>
        runTool({ tool, given, form, fixed, confine, cancelled, onNote }, { system, run, outputs }),
      more(cursor) {
        try {
          return partResult(outputs.at(cursor));
        } catch (error) {
          return failed(asFailure(error));
        }
      },
    });
  },
});

function summaryOf(table: Table, noun: string): string {
  const entry = table[noun];
  return entry !== undefined && isGroup(entry) ? entry.summary : noun;
}

/** The selected server and repository, as flags for every command. Without a repository, commands on one fail. */
async function selection({ choose, locate, options }: BaseContext): Promise<string[]> {
  const { profile, base } = await choose();
  const server = profile === undefined ? `--host=${addressText(base)}` : `--profile=${profile}`;
  const timeout = options.timeout === undefined ? [] : [`--timeout=${options.timeout}`];
  try {
    const { owner, name } = await locate();
    return [server, `--repo=${owner}/${name}`, ...timeout];
  } catch (error) {
    if (error instanceof Failure) return [server, ...timeout];
    throw error;
  }
}
