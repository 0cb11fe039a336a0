import { type Flag, text } from "../command/flags.ts";
import { UsageError } from "../failure/failure.ts";
import type { Activity } from "../forge/activities.ts";
import { styled } from "../output/cells.ts";
import { column } from "../output/table.ts";

const day = text("only the activities of this day: YYYY-MM-DD", { placeholder: "DATE", filters: true });

/** The flag for the activities of one day. A date that is not valid is refused: the servers list every day for it. */
export const dateFlag: Flag<string | undefined> = {
  ...day,
  read: (typed, spelling) => {
    const date = day.read(typed, spelling);
    if (date === undefined || isDay(date)) return date;
    throw new UsageError(`Invalid value '${date}' for ${spelling}: must be a day such as 2026-03-31`);
  },
};

function isDay(text: string): boolean {
  const read = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(read.getTime()) && read.toISOString().startsWith(text);
}

/** The columns of a feed. */
export const activityColumns = [
  column<Activity>("WHEN", "created", { as: "time" }),
  column<Activity>("USER", "act_user.login"),
  column<Activity>("ACTIVITY", "op_type", (one) => styled("strong", one.op_type.replaceAll("_", " "))),
  column<Activity>("REPOSITORY", "repo.full_name"),
  column<Activity>("SUBJECT", "ref_name", { cell: subject, flexible: true }),
];

/** What was worked on: the branch or tag, `#12 Title` for issues and pull requests, or the text that came along. */
function subject({ op_type: type, ref_name: ref = "", content = "" }: Activity): string {
  if (ref !== "") return ref.replace(/^refs\/(heads|tags)\//, "");
  const [, number, title] = /^(\d+)\|(.*)$/s.exec(content) ?? [];
  if (number !== undefined) return `#${number} ${title?.split("\n", 1)[0] ?? ""}`.trimEnd();
  return type.startsWith("commit_") || content.startsWith("{") ? "" : (content.split("\n", 1)[0] ?? "");
}
