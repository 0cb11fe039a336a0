import { defineCommand } from "../../app/define.ts";
import { oneIssue } from "../../app/issue-selector.ts";
import { repoPage } from "../../app/web.ts";
import { moment } from "../../command/time-flags.ts";
import { listEvents, type TimelineEvent, timelineEvent } from "../../forge/timeline.ts";
import { column } from "../../output/table.ts";
import { list } from "../../shape/shape.ts";
import { durationText } from "./duration.ts";

const columns = [
  column<TimelineEvent>("TIME", "created_at", { as: "time" }),
  column<TimelineEvent>("USER", "user.login"),
  column<TimelineEvent>("EVENT", "type", { style: "link" }),
  column<TimelineEvent>("DETAILS", "type", { cell: detailsOf, flexible: true }),
];

/** `tongs issue timeline`: GET the events of an issue or a pull request. */
export const timeline = defineCommand({
  summary: "List the events of an issue",
  details: "Oldest first. Includes comments.",
  on: "repository",
  effect: "read",
  lists: ["event", "events"],
  args: { issue: oneIssue },
  flags: { since: moment("list only events updated at or after this time", { filters: true }) },
  output: list(timelineEvent),
  examples: [["List all events", "tongs issue timeline 12 --all"]],
  web: { page: ({ args, repo }) => repoPage(repo, "issues", args.issue) },
  async run({ args, flags, http, repo, out }) {
    await out.list(listEvents(http, repo, args.issue, { since: flags.since }), columns);
  },
});

/** What happened in an event, in a few words. */
function detailsOf(event: TimelineEvent): string {
  const { body = "", label, milestone, old_milestone, assignee, tracked_time: tracked } = event;
  const change = (before = "", after = "") => `${before} → ${after}`;
  switch (event.type) {
    case "label":
      return `${body === "1" ? "added" : "removed"} ${label?.name ?? ""}`;
    case "milestone":
      return change(old_milestone?.title, milestone?.title);
    case "assignees":
      return `${event.removed_assignee ? "unassigned" : "assigned"} ${assignee?.login ?? ""}`;
    case "change_title":
      return change(event.old_title, event.new_title);
    case "change_issue_ref":
    case "change_target_branch":
      return change(event.old_ref, event.new_ref);
    case "modified_deadline":
      return body.split("|").reverse().join(" → ");
    case "add_time_manual":
    case "stop_tracking":
      return tracked ? durationText(tracked.time) : body;
    case "commit_ref":
      return event.ref_commit_sha ?? "";
    default: {
      const related = event.ref_issue ?? event.dependent_issue;
      if (related == null) return body;
      return `${related.repository?.full_name ?? ""}#${related.number} ${related.title}`;
    }
  }
}
