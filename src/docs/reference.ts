import { argumentRows, exitRows, fieldNames, flagRows, usage } from "../command/help.ts";
import type { CommandSpec } from "../command/spec.ts";
import type { Table } from "../command/table.ts";
import type { Block } from "../command/topic-text.ts";
import { manPages } from "./man/pages.ts";
import { type CommandNode, commandNodes, type TopicNode, topicNodes } from "./nodes.ts";

/** Generates the man pages and the reference of a command table and of the help topics, by path in the package. */
export async function docFiles(table: Table, version: string): Promise<Record<string, string>> {
  const [nodes, topics] = await Promise.all([commandNodes(table), topicNodes()]);
  const files: Record<string, string> = {};
  for (const [name, page] of Object.entries(manPages(nodes, topics, version))) files[`man/${name}`] = page;
  for (const [name, page] of Object.entries(referencePages(nodes, topics))) files[`docs/reference/${name}`] = page;
  return files;
}

/**
 * The Markdown reference: a page for each noun and each command of one word, one for each help topic (topic-json.md), and an
 * index, by file name.
 */
export function referencePages(nodes: readonly CommandNode[], topics: readonly TopicNode[]): Record<string, string> {
  const top = nodes.filter(({ words }) => words.length === 1);
  const index = top.map(({ words, summary }) => `- [tongs ${words[0]}](${words[0]}.md): ${text(summary)}`);
  const about = topics.map(({ name, summary }) => `- [${name}](topic-${name}.md): ${text(summary)}`);
  const generated = "Generated from the command table by `npm run generate`.";
  const pages: Record<string, string> = {
    "README.md": `${["# Commands", generated, index.join("\n"), "# Help topics", about.join("\n")].join("\n\n")}\n`,
  };
  for (const { words } of top) {
    const below = nodes.filter((node) => node.words[0] === words[0]);
    pages[`${words[0]}.md`] = `${below.map(nodeText).join("\n\n")}\n`;
  }
  for (const { name, summary, blocks } of topics)
    pages[`topic-${name}.md`] = `${[`# ${text(summary)}`, ...blocks.map(blockText)].join("\n\n")}\n`;
  return pages;
}

function blockText(part: Block): string {
  switch (part.kind) {
    case "heading":
      return `## ${part.text.slice(0, 1)}${part.text.slice(1).toLowerCase()}`;
    case "paragraph":
      return text(part.text);
    case "lines":
      return block(part.lines.join("\n"));
    case "rows":
      return rowsTable(part.rows);
  }
}

/** Two columns; command lines in the second one are code, too. */
function rowsTable(rows: readonly (readonly [name: string, meaning: string])[]): string {
  const code = (content: string) => `\`${content}\``;
  const cell = (content: string) => content.replaceAll("|", "\\|");
  const lines = rows.map(
    ([name, meaning]) =>
      `| ${cell(code(name))} | ${cell(meaning.startsWith("tongs ") ? code(meaning) : text(meaning))} |`,
  );
  return ["| | |", "| --- | --- |", ...lines].join("\n");
}

function nodeText({ words, summary, verbs, details, command }: CommandNode): string {
  const title = `${"#".repeat(Math.min(words.length, 3))} tongs ${words.join(" ")}`;
  if (command !== undefined) return [title, ...commandParts(words, command)].join("\n\n");
  const lines = verbs.map((verb) => `- \`tongs ${[...words, verb.name].join(" ")}\`: ${text(verb.summary)}`);
  const more = details === undefined ? [] : [block(details)];
  return [title, `${text(summary)}.`, ...more, lines.join("\n")].join("\n\n");
}

function commandParts(words: readonly string[], command: CommandSpec): string[] {
  const fields = fieldNames(command);
  return [
    `${text(command.summary)}.`,
    ...(command.details === undefined ? [] : [text(command.details)]),
    block(usage(words, command)),
    ...table("Argument", argumentRows(command)),
    ...table("Flag", flagRows(command.flags)),
    ...(fields.length === 0 ? [] : [`JSON fields: ${fields.map((field) => `\`${field}\``).join(", ")}`]),
    ...table("Exit code", exitRows(command)),
    ...(command.examples.length === 0
      ? []
      : [block(command.examples.map(([what, line]) => `# ${what}\n${line}`).join("\n"))]),
  ];
}

function table(title: string, rows: readonly (readonly [name: string, text: string])[]): string[] {
  if (rows.length === 0) return [];
  const cell = (content: string) => content.replaceAll("|", "\\|");
  const lines = rows.map(([name, about]) => `| \`${cell(name.trim())}\` | ${cell(text(about))} |`);
  return [[`| ${title} | |`, "| --- | --- |", ...lines].join("\n")];
}

/** A text in which Markdown shows every character as it is. */
function text(plain: string): string {
  return plain.replace(/[\\`*_<>[\]]/g, "\\$&");
}

function block(content: string): string {
  return `\`\`\`\n${content}\n\`\`\``;
}
