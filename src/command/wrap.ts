/** Breaks text at spaces into lines of at most `width` characters; line ends that are there stay. */
export function wrap(text: string, width: number): string {
  return text
    .split("\n")
    .map((paragraph) => {
      const lines: string[] = [];
      let line = "";
      for (const word of paragraph.split(" ")) {
        if (line !== "" && line.length + 1 + word.length > width) {
          lines.push(line);
          line = word;
        } else line = line === "" ? word : `${line} ${word}`;
      }
      return [...lines, line].join("\n");
    })
    .join("\n");
}
