/** What a comment suggests: the lines that stand in place of others; none of them deletes. */
export interface Suggestion {
  /** How many lines it replaces, the last of which the comment is on; undefined if the comment does not say. */
  readonly count: number | undefined;
  /** The lines that the comment quotes, if it does. */
  readonly quoted: readonly string[];
  readonly lines: readonly string[];
}

/** The suggestions of a comment: its fenced blocks of the language `suggestion`. */
export function suggestionsIn(body: string): Suggestion[] {
  const text = body.replace(/\r\n?/g, "\n");
  const range = /^Lines (\d+)-(\d+):\n\n((?:>.*\n)*)/.exec(text);
  const count = range === null ? undefined : Number(range[2]) - Number(range[1]) + 1;
  const quoted = (range?.[3] ?? "").split("\n").filter((line) => line !== "");
  const blocks = text.matchAll(/^ {0,3}(`{3,}|~{3,})[ \t]*suggestion\b.*\n([\s\S]*?)^ {0,3}\1[`~]*[ \t]*$/gm);
  return [...blocks].map(([, , content = ""]) => ({
    count,
    quoted: quoted.map((line) => line.replace(/^> {0,5}/, "")),
    lines: content === "" ? [] : content.replace(/\n$/, "").split("\n"),
  }));
}
