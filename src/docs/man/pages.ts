import { globalFlags } from "../../command/global-flags.ts";
import { argumentRows, exitRows, fieldNames, flagRows, usage } from "../../command/help.ts";
import type { CommandSpec } from "../../command/spec.ts";
import { environment, jsonTopic } from "../../command/topics.ts";
import { exitCodes } from "../../failure/exit-codes.ts";
import type { CommandNode } from "../command-nodes.ts";
import { paragraph, roff, strong, terms, verbatim } from "./roff.ts";

/** The man pages by file name: one for tongs, one for each noun or command that is one word. */
export function manPages(nodes: readonly CommandNode[], version: string): Record<string, string> {
  const pages: Record<string, string> = { "tongs.1": mainPage(nodes, version) };
  for (const node of nodes.filter(({ words }) => words.length === 1)) {
    const within = nodes.filter(({ words }) => words[0] === node.words[0]);
    pages[`tongs-${node.words[0]}.1`] = nounPage(node, within, version);
  }
  return pages;
}

function mainPage(nodes: readonly CommandNode[], version: string): string {
  const nouns = nodes[0]?.verbs ?? [];
  return page("TONGS", version, [
    ["NAME", "tongs \\- the command line for Gitea and Forgejo servers"],
    ["SYNOPSIS", `${strong("tongs")} NOUN VERB [arguments] [flags]`],
    [
      "DESCRIPTION",
      paragraph(
        "One command line for administrators and contributors of Gitea and Forgejo servers, and for the collectd metrics beside them. " +
          "stdout carries the result and nothing else; notes, warnings and questions go to stderr.",
      ),
    ],
    ["COMMANDS", terms(nouns.map(({ name, summary }) => [`tongs-${name}(1)`, summary]))],
    [
      "GLOBAL FLAGS",
      terms([
        ...flagRows(globalFlags).map(trimmed),
        ["-h, --help", "help for any noun or verb"],
        ["--version", "the version"],
      ]),
    ],
    ["JSON", verbatim(jsonTopic.split("\n"))],
    ["EXIT STATUS", terms(Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning]))],
    ["ENVIRONMENT", terms(environment)],
    [
      "FILES",
      terms([
        ["~/.config/tongs/", "profiles and tokens, readable by nobody else; TONGS_CONFIG_DIR names another folder"],
      ]),
    ],
    ["SEE ALSO", nouns.map(({ name }) => `${strong(`tongs-${name}`)}(1)`).join(",\n")],
  ]);
}

function nounPage(node: CommandNode, within: readonly CommandNode[], version: string): string {
  const line = node.words.join(" ");
  const commands = within.flatMap(({ words, command }) => (command === undefined ? [] : [{ words, command }]));
  const synopsis = commands.map(({ words, command }) => roff(usage(words, command))).join("\n.br\n");
  const single = node.command !== undefined;
  return page(`TONGS-${line.toUpperCase()}`, version, [
    ["NAME", `tongs\\-${roff(line)} \\- ${roff(node.summary)}`],
    ["SYNOPSIS", synopsis],
    ...commands.map(
      ({ words, command }): Section =>
        single ? ["DESCRIPTION", about(command)] : [words.join(" ").toUpperCase(), about(command)],
    ),
    ["SEE ALSO", `${strong("tongs")}(1) for the global flags, the exit codes and the environment`],
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
    ...part("JSON fields", roff(fields.join(", "))),
    ...part("Exit status", terms(exitRows(command))),
    ...part(
      "Examples",
      command.examples.map(([what, line]) => `${paragraph(`${what}:`)}\n${verbatim([line])}`).join("\n"),
    ),
  ].join("\n");
}

type Section = readonly [title: string, body: string];

function page(name: string, version: string, sections: readonly Section[]): string {
  // No hyphens in names, no stretched lines.
  const head = [
    `.\\" Made from the command table by: npm run generate`,
    `.TH ${roff(name)} 1 "" "tongs ${version}" "tongs"`,
  ];
  return `${[...head, ...sections.flatMap(([title, body]) => [`.SH ${roff(title)}`, body])].join("\n")}\n`;
}

function trimmed([name, meaning]: readonly [string, string]): [string, string] {
  return [name.trim(), meaning];
}
