import { globalFlags } from "../../command/global-flags.ts";
import { argumentRows, exitRows, fieldNames, flagRows, usage } from "../../command/help.ts";
import type { CommandSpec } from "../../command/spec.ts";
import type { Block } from "../../command/topic-text.ts";
import { environment } from "../../command/topics.ts";
import { exitList, pluginExitList } from "../../failure/exit-list.ts";
import { shellLines } from "../../text/format.ts";
import type { CommandNode, TopicNode } from "../nodes.ts";
import { page, paragraph, roff, type Section, strong, terms, verbatim } from "./roff.ts";

/** The man pages by file name: one for tongs, one for each noun or command of one word, one for each help topic. */
export function manPages(
  nodes: readonly CommandNode[],
  topics: readonly TopicNode[],
  version: string,
): Record<string, string> {
  const pages: Record<string, string> = { "tongs.1": mainPage(nodes, topics, version) };
  for (const node of nodes.filter(({ words }) => words.length === 1)) {
    const within = nodes.filter(({ words }) => words[0] === node.words[0]);
    pages[`tongs-${node.words[0]}.1`] = nounPage(node, within, version);
  }
  for (const topic of topics) pages[`tongs-${topic.name}.7`] = topicPage(topic, version);
  return pages;
}

function mainPage(nodes: readonly CommandNode[], topics: readonly TopicNode[], version: string): string {
  const nouns = nodes[0]?.verbs ?? [];
  return page({ name: "TONGS", section: 1, version }, [
    ["NAME", "tongs \\- the command line for Gitea and Forgejo servers"],
    ["SYNOPSIS", `${strong("tongs")} NOUN VERB [arguments] [flags]`],
    [
      "DESCRIPTION",
      paragraph(
        "tongs manages Gitea and Forgejo servers from the command line, and decodes, encodes and serves collectd metrics. " +
          "Results are printed on stdout; notes, warnings and prompts on stderr.",
      ),
    ],
    ["COMMANDS", terms(nouns.map(({ name, summary }) => [`tongs-${name}(1)`, summary]))],
    [
      "GLOBAL FLAGS",
      terms([
        ...flagRows(globalFlags).map(trimmed),
        ["-h, --help", "show help for a noun or verb"],
        ["--version", "show the version"],
      ]),
    ],
    ["HELP TOPICS", terms(topics.map(({ name, summary }) => [`tongs-${name}(7)`, summary]))],
    [
      "EXIT STATUS",
      [exitTerms(exitList()), paragraph(pluginExitList.about), exitTerms(pluginExitList.exits)].join("\n"),
    ],
    ["ENVIRONMENT", terms(environment)],
    [
      "FILES",
      terms([
        [
          "~/.config/tongs/",
          "profiles and tokens, readable only by their owner; TONGS_CONFIG_DIR sets another directory",
        ],
      ]),
    ],
    ["SEE ALSO", nouns.map(({ name }) => `${strong(`tongs-${name}`)}(1)`).join(",\n")],
  ]);
}

function exitTerms(exits: readonly { readonly code: number; readonly meaning: string }[]): string {
  return terms(exits.map(({ code, meaning }) => [String(code), meaning]));
}

function nounPage(node: CommandNode, within: readonly CommandNode[], version: string): string {
  const line = node.words.join(" ");
  const commands = within.flatMap(({ words, command }) => (command === undefined ? [] : [{ words, command }]));
  const synopsis = commands.map(({ words, command }) => roff(usage(words, command))).join("\n.br\n");
  const single = node.command !== undefined;
  return page({ name: `TONGS-${line.toUpperCase()}`, section: 1, version }, [
    ["NAME", `tongs\\-${roff(line)} \\- ${roff(node.summary)}`],
    ["SYNOPSIS", synopsis],
    ...(node.details === undefined ? [] : [["DESCRIPTION", paragraph(node.details)] as const]),
    ...commands.map(
      ({ words, command }): Section =>
        single ? ["DESCRIPTION", about(command)] : [words.join(" ").toUpperCase(), about(command)],
    ),
    ["SEE ALSO", `${strong("tongs")}(1) for global flags, exit codes and environment variables`],
  ]);
}

function about(command: CommandSpec): string {
  const part = (title: string, body: string) => (body === "" ? [] : [`.SS ${title}`, body]);
  const fields = fieldNames(command);
  return [
    paragraph(`${command.summary}.`),
    ...(command.details === undefined ? [] : [paragraph(command.details)]),
    ...part("Arguments", terms(argumentRows(command))),
    ...part("Flags", terms(flagRows(command.flags).map(trimmed))),
    ...part("JSON fields", unhyphenated(fields)),
    ...part("Exit status", terms(exitRows(command))),
    ...part(
      "Examples",
      command.examples
        .map(
          ([what, line]) =>
            `${paragraph(`${what}:`)}\n${verbatim(
              line
                .split("\n")
                .flatMap((one) => shellLines(one.trim(), exampleWidth))
                .map((one) => one.slice(2)),
            )}`,
        )
        .join("\n"),
    ),
  ].join("\n");
}

/** The width of an example, so that it fits 80 columns where man indents it. */
const exampleWidth = 70;

/** Names that are not hyphenated at the end of a line. */
function unhyphenated(names: readonly string[]): string {
  return names.length === 0 ? "" : [".nh", roff(names.join(", ")), ".hy"].join("\n");
}

function trimmed([name, meaning]: readonly [string, string]): [string, string] {
  return [name.trim(), meaning];
}

function topicPage({ name, summary, blocks }: TopicNode, version: string): string {
  const sections: { readonly title: string; readonly parts: string[] }[] = [{ title: "DESCRIPTION", parts: [] }];
  for (const block of blocks) {
    if (block.kind === "heading") sections.push({ title: block.text, parts: [] });
    else sections.at(-1)?.parts.push(shown(block));
  }
  return page({ name: `TONGS-${name.toUpperCase()}`, section: 7, version }, [
    ["NAME", `tongs\\-${roff(name)} \\- ${roff(summary)}`],
    ...sections.map(({ title, parts }): Section => [title, parts.join("\n")]),
    ["SEE ALSO", `${strong("tongs")}(1)`],
  ]);
}

function shown(block: Exclude<Block, { kind: "heading" }>): string {
  switch (block.kind) {
    case "paragraph":
      return paragraph(block.text);
    case "rows":
      return terms(block.rows);
    case "lines":
      return verbatim(block.lines);
  }
}
