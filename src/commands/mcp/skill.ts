import { defineCommand } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";
import { allCommands } from "../../command/write-help.ts";
import { exitCodes } from "../../failure/exit-codes.ts";

/** `tongs mcp skill`: prints a page that teaches an agent the command line. */
export const skill = defineCommand({
  summary: "Print a page that teaches an agent this command line",
  details:
    "For agents that run commands in a shell and read skills, as a Markdown page with front matter: how to ask for " +
    "records, try a write, and read an error, and the verbs of each noun. Save it where your agent looks for skills.",
  on: "nothing",
  effect: "read",
  asTool: "none",
  examples: [["Save the page for an agent", "tongs mcp skill > SKILL.md"]],
  async run({ commands, out }) {
    const { default: page } = await import("./skill.txt?raw");
    const exits = Object.values(exitCodes).map(({ code, meaning }) => `- ${code}: ${meaning}`);
    const nouns = await nounLines(commands.table);
    await out.raw(page.replace("{exits}", exits.join("\n")).replace("{nouns}", nouns.join("\n")));
  },
});

/** A line for each noun with its verbs, and for each command of one word. */
async function nounLines(table: Table): Promise<string[]> {
  const lines = new Map<string, string[]>();
  for (const { words, command } of await allCommands(table)) {
    const [noun = "", ...verb] = words;
    const shown = verb.length === 0 ? command.summary : verb.join(" ");
    lines.set(noun, [...(lines.get(noun) ?? []), shown]);
  }
  return [...lines].map(([noun, verbs]) => `- ${noun}: ${verbs.join(", ")}`);
}
