import { UsageError } from "../../failure/failure.ts";
import { type Given, isAlone, nounName, verbOf } from "./forms.ts";
import { partResult, type ToolResult } from "./run-tool.ts";
import { type CommandTool, declared, type ToolDeclaration } from "./tools.ts";

/** The command that a call means, and its arguments. */
export interface Resolved {
  readonly tool: CommandTool;
  readonly given: Given;
}

/** A tool as clients see it. */
export interface ServedTool {
  readonly declaration: ToolDeclaration;
  /** The command that a call means and its arguments, or a result that needs no command. Throws a usage error. */
  readonly resolve: (given: Given) => Resolved | ToolResult;
}

/** One tool for each command, with all of its arguments. */
export function verbTools(tools: readonly CommandTool[]): ServedTool[] {
  return tools.map((tool) => ({ declaration: declared(tool), resolve: (given) => ({ tool, given }) }));
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
    if (first === undefined) return [];
    return isAlone(first) ? verbTools(verbs) : [nounTool(nounName(first), verbs, summaryOf(noun))];
  });
}

function nounTool(name: string, tools: readonly CommandTool[], summary: string): ServedTool {
  const verbs = new Map(tools.map((tool) => [verbOf(tool), tool]));
  const all = [...verbs.keys()];
  const find = (verb: string) => {
    const tool = verbs.get(verb);
    if (tool === undefined) {
      const more = "tongs mcp serve --allow write or destroy offers those that write.";
      throw new UsageError(`${name} has no verb '${verb}' here`, `Available: ${all.join(", ")}; ${more}`);
    }
    return tool;
  };
  return {
    declaration: {
      name,
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
        return { tool: find(String(verb)), given: of === undefined ? given : { of, ...given } };
      }
      return partResult({
        value: of === undefined ? { items: tools.map(summed) } : { record: described(find(String(of))) },
      });
    },
  };
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
