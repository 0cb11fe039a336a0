import { randomUUID } from "node:crypto";
import { destinations } from "../../output/markdown.ts";

/**
 * Replaces the addresses of images and links of a Markdown text; the same words in code and in other text are kept. Where an
 * address is one, the parser says: it finds a mark that is put there.
 */
export function replaceLinks(text: string, targets: ReadonlyMap<string, string>): string {
  if (targets.size === 0) return text;
  const longestFirst = [...targets.keys()].sort((one, other) => other.length - one.length);
  const anyOf = longestFirst.map((href) => href.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  const each = (found: (href: string, mark: string) => string) => {
    let count = 0;
    return text.replace(new RegExp(anyOf, "g"), (href) => found(href, `${run}-${count++}`));
  };
  const run = randomUUID();
  const marked = new Set(destinations(each((_, mark) => mark)).map(({ href }) => href));
  return each((href, mark) => (marked.has(mark) ? escaped(targets.get(href) ?? href) : href));
}

/** The images and links to which files of this machine belong, each once. */
export function localDestinations(text: string): readonly { readonly href: string; readonly isImage: boolean }[] {
  const found = new Map<string, boolean>();
  for (const { href, isImage } of destinations(text)) {
    if (href !== "" && !/^(?:(?!file:)[a-z][a-z\d+.-]*:|\/\/|#)/i.test(href))
      found.set(href, isImage || found.get(href) === true);
  }
  return [...found].map(([href, isImage]) => ({ href, isImage }));
}

/** An address or a path as Markdown takes it without brackets. */
function escaped(address: string): string {
  return address.replace(
    /[ \t\n\r()<>\\]/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}
