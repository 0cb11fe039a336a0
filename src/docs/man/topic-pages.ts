import type { Block } from "../../command/topic-text.ts";
import type { TopicNode } from "../nodes.ts";
import { page, paragraph, roff, type Section, strong, terms, verbatim } from "./roff.ts";

/** The man pages of the help topics by file name, in section 7: tongs-scripting.7. */
export function topicPages(topics: readonly TopicNode[], version: string): Record<string, string> {
  return Object.fromEntries(topics.map((topic) => [`tongs-${topic.name}.7`, topicPage(topic, version)]));
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
