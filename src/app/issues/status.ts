import type { Output } from "../../output/output.ts";
import type { Sheet } from "../../output/sheet.ts";

/** How many lines of a section a terminal shows. */
const most = 20;

/** What is listed under a title, or what is said if that is nothing. */
export type StatusSection = readonly [title: string, lines: readonly string[], none: string];

/** Lists in sections. A terminal gets the first lines of each, and how many more there are: `And 1980 more: tongs pr list --all`. */
export function statusSheet(
  title: string,
  sections: readonly StatusSection[],
  { command, out }: { readonly command: string; readonly out: Pick<Output, "terminal"> },
): Sheet {
  const bodyOf = (lines: readonly string[]) => {
    const left = out.terminal ? lines.length - most : 0;
    return left <= 0 ? lines : [...lines.slice(0, most), `And ${left} more: ${command}`];
  };
  const shown = sections.map(([title, lines, none]) => {
    return { title, body: lines.length === 0 ? none : bodyOf(lines).join("\n") };
  });
  return { title, fields: [], sections: shown };
}
