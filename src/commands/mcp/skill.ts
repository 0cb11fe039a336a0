import { defineCommand } from "../../app/define.ts";
import { isGroup, type Table } from "../../command/table.ts";
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
  return Promise.all(
    Object.entries(table).map(async ([name, entry]) =>
      isGroup(entry)
        ? `- ${name}: ${(await verbsOf(await entry.verbs())).join(", ")}`
        : `- ${name}: ${(await entry()).summary}`,
    ),
  );
}

/** The verbs of a table, as they are typed. */
async function verbsOf(table: Table): Promise<string[]> {
  const verbs = await Promise.all(
    Object.entries(table).map(async ([name, entry]) => {
      if (!isGroup(entry)) return [name];
      return (await verbsOf(await entry.verbs())).map((verb) => `${name} ${verb}`);
    }),
  );
  return verbs.flat();
}
