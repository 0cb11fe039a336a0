import type { BaseContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { choiceOr, names, text } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { asFailure } from "../../output/report-failure.ts";
import { addressText } from "../../profiles/server.ts";
import { confinement } from "./confinement.ts";
import { longOutputs } from "./long-output.ts";
import { failed, partResult, runTool } from "./run-tool.ts";
import { commandTools } from "./tools.ts";

/** `tongs mcp serve`: the command table as tools of the Model Context Protocol. */
export const serve = defineCommand({
  summary: "Serve commands as MCP tools on stdio",
  details:
    "For programs that speak the Model Context Protocol: each command is a tool (pr_merge), records are structured " +
    "content, and errors have a code and a hint. Only tools that read are offered, unless --allow write or destroy is " +
    "given. A destructive tool needs yes: true; without it, it returns its dry run. Long output is cut; " +
    "output_more returns the rest. tongs never prompts. The server and the repository are those selected at the start. " +
    "Tools read and write files only with --files, below that directory, and never get passwords or connect elsewhere.",
  on: "profiles",
  effect: "read",
  asTool: "none",
  flags: {
    allow: choiceOr(["read", "write", "destroy"], "read", "which tools to offer; destroy includes write"),
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
    const tools = await commandTools(commands.table, {
      only: flags.only,
      allowed: flags.allow,
      hasFiles: flags.files !== undefined,
    });
    const confine = confinement(flags.files, system);
    const fixed = await selection(context);
    const outputs = longOutputs();
    const { serveTools } = await import("./serve-tools.ts");
    out.note(`Serving ${tools.length} tools on stdio`);
    await serveTools({
      tools,
      system,
      call: (tool, given, { cancelled, onNote }) =>
        runTool({ tool, given, fixed, confine, cancelled, onNote }, { system, run, outputs }),
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
