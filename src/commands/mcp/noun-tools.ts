import { UsageError } from "../../failure/failure.ts";
import { partResult, type ToolResult } from "./run-tool.ts";
import { type CommandTool, declared, type ToolDeclaration } from "./tools.ts";

/** The arguments of a call, as the client gave them. */
export type Given = Readonly<Record<string, unknown>>;

/** The command that a call means, and its arguments. */
export interface Resolved {
  readonly tool: CommandTool;
  readonly given: Given;
  /** How the arguments of the command are found out. */
  readonly help: string;
}

/** A tool as clients see it. */
export interface ServedTool {
  readonly declaration: ToolDeclaration;
  /** The command that a call means and its arguments, or a result that needs no command. Throws a usage error. */
  readonly resolve: (given: Given) => Resolved | ToolResult;
}

const common =
  "The server and the repository are those that were selected when serving began (tongs mcp serve -R OWNER/NAME); no tool takes " +
  "another repository, but issues can be named as OWNER/NAME#12. All take fields (only these of each record), limit and all. Those that write take dry-run, and one that destroys " +
  "returns its dry run unless yes is true. Long output is cut; output_more returns the rest.";

/** How tools are called, which a client reads once. */
export const instructions = {
  noun:
    "Each tool is a noun of tongs, a client for Gitea and Forgejo servers. Call it with a verb and the arguments of the " +
    'verb: {"verb": "list", "limit": 5}. {"verb": "help"} lists the verbs; {"verb": "help", "of": "list"} describes one ' +
    `and its arguments. ${common}`,
  verb: `Each tool is a command of tongs, a client for Gitea and Forgejo servers. ${common}`,
};

/** One tool for each command, with all of its arguments. */
export function verbTools(tools: readonly CommandTool[]): ServedTool[] {
  return tools.map((tool) => {
    const help = `The schema of the tool ${tool.name} has its arguments.`;
    return { declaration: declared(tool), resolve: (given) => ({ tool, given, help }) };
  });
}

/** One tool for each noun, whose `verb` selects the command. `summaryOf` is what a noun is about. */
export function nounTools(tools: readonly CommandTool[], summaryOf: (noun: string) => string): ServedTool[] {
  const nouns = new Map<string, CommandTool[]>();
  for (const tool of tools) {
    const [noun = ""] = tool.words;
    nouns.set(noun, [...(nouns.get(noun) ?? []), tool]);
  }
  return [...nouns].flatMap(([noun, verbs]) => {
    const [first] = verbs;
    return first?.words.length === 1 ? verbTools(verbs) : [nounTool(noun, verbs, summaryOf(noun))];
  });
}

function nounTool(noun: string, tools: readonly CommandTool[], summary: string): ServedTool {
  const verbs = new Map(tools.map((tool) => [verbOf(tool), tool]));
  const all = [...verbs.keys()];
  const toolName = noun.replaceAll("-", "_");
  const find = (verb: string) => {
    const tool = verbs.get(verb);
    if (tool === undefined) {
      const more = "tongs mcp serve --allow write or destroy offers those that write.";
      throw new UsageError(`${noun} has no verb '${verb}' here`, `Available: ${all.join(", ")}; ${more}`);
    }
    return tool;
  };
  return {
    declaration: {
      name: toolName,
      description: summary,
      inputSchema: {
        type: "object",
        properties: {
          verb: { type: "string", enum: [...all, "help"] },
          of: { type: "string" },
        },
        required: ["verb"],
      },
      annotations: {
        readOnlyHint: tools.every(({ effect }) => effect === "read"),
        destructiveHint: tools.some(({ effect }) => effect === "destroy"),
      },
    },
    resolve({ verb, of, ...given }) {
      if (verb === undefined) throw new UsageError("Argument verb is missing", `Available: ${all.join(", ")}, help`);
      if (verb !== "help") {
        const tool = find(String(verb));
        const help = `Call ${toolName} with ${JSON.stringify({ verb: "help", of: verbOf(tool) })} for its arguments.`;
        return { tool, given: of === undefined ? given : { of, ...given }, help };
      }
      return partResult({
        value: of === undefined ? { items: tools.map(summed) } : { record: described(find(String(of))) },
      });
    },
  };
}

function verbOf({ words }: CommandTool): string {
  return words.slice(1).join(" ");
}

/** A verb in one line. */
function summed(tool: CommandTool) {
  return { verb: verbOf(tool), summary: tool.command.summary, effect: tool.effect };
}

function described(tool: CommandTool) {
  const { description, inputSchema } = declared(tool);
  const { properties, required } = inputSchema;
  return { verb: verbOf(tool), description, effect: tool.effect, arguments: properties, required };
}
