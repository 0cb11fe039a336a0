const units = ["B", "KiB", "MiB", "GiB", "TiB"];

/** `586 B`, `5.0 MiB`, `1.2 GiB`. */
export function sizeText(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return unit === 0 ? `${bytes} B` : `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** Parses `500`, `500K`, `16G` or `1.5 GiB` as bytes; undefined if it is not a size. */
export function readSize(text: string): number | undefined {
  const [, number = "", letter = ""] = /^\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*$/i.exec(text) ?? [];
  if (number === "") return undefined;
  return Math.round(Number(number) * 1024 ** ["", "k", "m", "g", "t"].indexOf(letter.toLowerCase()));
}

const steps: readonly (readonly [seconds: number, unit: string])[] = [
  [60, "second"],
  [3600, "minute"],
  [86_400, "hour"],
  [2_592_000, "day"],
  [31_536_000, "month"],
  [Number.POSITIVE_INFINITY, "year"],
];

/** `3 hours ago`, `in 2 days`; returns the text unchanged if it is not a time. */
export function relative(time: string, now: Date): string {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return time;
  const ahead = at > now.getTime();
  const seconds = Math.abs(now.getTime() - at) / 1000;
  if (seconds < 5) return "just now";
  let unitLength = 1;
  for (const [end, unit] of steps) {
    if (seconds < end) {
      const count = Math.floor(seconds / unitLength);
      const words = `${count} ${unit}${count === 1 ? "" : "s"}`;
      return ahead ? `in ${words}` : `${words} ago`;
    }
    unitLength = end;
  }
  return time;
}

/**
 * Wraps text at spaces to at most `width` columns per line; keeps line breaks, and indented lines as they are. `columns`
 * measures texts that can have wide characters.
 */
export function wrap(text: string, width: number, columns = (part: string): number => part.length): string {
  return text
    .split("\n")
    .map((paragraph) => {
      if (paragraph.startsWith("  ")) return paragraph;
      const lines: string[] = [];
      let line = "";
      for (const word of paragraph.split(" ")) {
        if (line !== "" && columns(line) + 1 + columns(word) > width) {
          lines.push(line);
          line = word;
        } else line = line === "" ? word : `${line} ${word}`;
      }
      return [...lines, line].join("\n");
    })
    .join("\n");
}

/** A command line within a width: continued with a backslash, as a shell reads it. */
export function shellLines(line: string, width: number): string[] {
  if (line.length + 2 <= width) return [`  ${line}`];
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [line];
  const lines: string[] = [];
  let current = "";
  for (const word of words) {
    const indent = lines.length === 0 ? 2 : 4;
    // The last column is for the backslash.
    if (current !== "" && indent + current.length + 1 + word.length + 2 > width) {
      lines.push(current);
      current = word;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  lines.push(current);
  return lines.map((text, index) => `${index === 0 ? "  " : "    "}${text}${index < lines.length - 1 ? " \\" : ""}`);
}

/**
 * Wraps a message at words. A command line at the end of a paragraph (`To continue, run: tongs …`) that does not fit gets a
 * line of its own and is kept whole, so that it can be copied.
 */
export function wrapMessage(text: string, width: number): string {
  return text
    .split("\n")
    .map((paragraph) => {
      const [, before, command] = /^(.*:) ((?:tongs|git|chmod) [^,;]*[^,;.])$/.exec(paragraph) ?? [];
      if (before === undefined || paragraph.length <= width) return wrap(paragraph, width);
      return `${wrap(before, width)}\n  ${command}`;
    })
    .join("\n");
}

/** A text whose first letter is a capital. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A name at the start of a sentence: `Label 'tide'`, but `mara/harbor`. */
export function atStart(name: string): string {
  return name.includes(" ") ? capitalized(name) : name;
}
