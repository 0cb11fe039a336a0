import { text } from "../command/flags.ts";
import { UsageError } from "../failure/failure.ts";
import type { Activity } from "../forge/activities.ts";
import { styled, when } from "../output/cells.ts";
import { column } from "../output/table.ts";

/** The flag for the activities of one day. */
export const dateFlag = text("only the activities of this day: YYYY-MM-DD", { placeholder: "DATE" });

/** Throws a usage error for a date that is not valid: the servers ignore it and list every day. */
export function checkedDate(date: string | undefined): string | undefined {
  if (date === undefined) return undefined;
  const read = new Date(`${date}T00:00:00Z`);
  if (/^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(read.getTime()) && read.toISOString().startsWith(date)) {
    return date;
  }
  throw new UsageError(`Invalid value '${date}' for --date: must be a day such as 2026-03-31`);
}

/** The columns of a feed. */
export const activityColumns = [
  column<Activity>("WHEN", (one) => when(one.created)),
  column<Activity>("USER", (one) => one.act_user?.login),
  column<Activity>("ACTIVITY", (one) => styled("strong", one.op_type.replaceAll("_", " "))),
  column<Activity>("REPOSITORY", (one) => one.repo?.full_name),
  column<Activity>("SUBJECT", subject, true),
];

/** What was worked on: the branch or tag, `#12 Title` for issues and pull requests, or the text that came along. */
function subject({ op_type: type, ref_name: ref = "", content = "" }: Activity): string {
  if (ref !== "") return ref.replace(/^refs\/(heads|tags)\//, "");
  const [, number, title] = /^(\d+)\|(.*)$/s.exec(content) ?? [];
  if (number !== undefined) return `#${number} ${title?.split("\n", 1)[0] ?? ""}`.trimEnd();
  return type.startsWith("commit_") || content.startsWith("{") ? "" : (content.split("\n", 1)[0] ?? "");
}
