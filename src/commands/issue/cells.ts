import type { Issue } from "../../forge/issues.ts";
import { type Cell, namesOf, numbered, styled } from "../../output/cells.ts";
import { type Column, column } from "../../output/table.ts";

/** The state of an issue in one word; a pull request can be merged. */
export function issueState(issue: Pick<Issue, "state" | "pull_request">): string {
  return issue.pull_request?.merged === true ? "merged" : issue.state;
}

/** The number in the color of the state. */
export function numberCell(issue: Pick<Issue, "number" | "state" | "pull_request">): Cell {
  const state = issueState(issue);
  return numbered(issue.number, state === "open" ? "good" : state === "merged" ? "merged" : "plain");
}

/** The columns of lists of issues. */
export const issueColumns: readonly Column<Issue>[] = [
  column<Issue>("ID", "number", numberCell),
  column<Issue>("TITLE", "title", { flexible: true }),
  column<Issue>("LABELS", "labels", { cell: (issue) => styled("link", labelNames(issue)), flexible: true }),
  column<Issue>("STATE", "state", issueState),
  column<Issue>("UPDATED", "updated_at", { as: "time" }),
];

/** The names of an issue's labels. */
export function labelNames({ labels }: Pick<Issue, "labels">): string {
  return namesOf(labels, ({ name }) => name);
}
