import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { collect } from "../../forge/listings.ts";
import { type Milestone, milestoneList } from "../../forge/milestones.ts";
import { oneNamed } from "../../forge/names.ts";
import { call } from "../../forge/operation.ts";
import { dueDay, state, styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { column } from "../../output/table.ts";
import { addressText } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";

/** The milestones of a repository, for `findMilestone`. */
export function allMilestones({ http, repo }: RepositoryContext): Promise<Milestone[]> {
  return collect(call(http, milestoneList, { repo, state: "all" }));
}

/** The milestone with this title or ID. Throws a usage error if several have the title. */
export function findMilestone(
  milestones: readonly Milestone[],
  typed: string,
  { repo }: Pick<RepositoryContext, "repo">,
): Milestone {
  const where = `in ${fullName(repo)}`;
  return oneNamed(milestones, typed, { kind: "milestone", nameOf: ({ title = "" }) => title, where });
}

/** `milestone 'Spring'`, for messages. */
export function milestoneName({ id, title = "" }: Milestone): string {
  return `milestone ${title === "" ? id : `'${title}'`}`;
}

/** The web page of a milestone; its record has none. */
export function milestoneUrl({ id }: Milestone, { repo, server }: Pick<RepositoryContext, "repo" | "server">): string {
  return `${addressText(server.base)}/${repo.owner}/${repo.name}/milestone/${id}`;
}

/** The columns of a list of milestones. */
export const milestoneColumns = [
  column<Milestone>("TITLE", "title", { flexible: true }),
  column<Milestone>("STATE", "state", { as: "state", rank: "optional" }),
  column<Milestone>("PROGRESS", "open_issues", progress),
  column<Milestone>("DUE", "due_on", { as: "day" }),
  column<Milestone>("ID", "id", { rank: "optional" }),
];

/** How many issues are closed: `2 of 5 closed (40%)`, or `no issues`. */
function progress({ open_issues = 0, closed_issues = 0 }: Milestone): string {
  const total = open_issues + closed_issues;
  return total === 0
    ? "no issues"
    : `${closed_issues} of ${total} closed (${Math.floor((100 * closed_issues) / total)}%)`;
}

/** A milestone, field by field. */
export function milestoneSheet(
  milestone: Milestone,
  context: Pick<RepositoryContext, "repo" | "server"> & Pick<BaseContext, "out">,
): Sheet {
  return {
    title: milestone.title ?? "",
    fields: [
      ["id", milestone.id],
      ["state", state(milestone.state)],
      ["progress", progress(milestone)],
      ["due", dueDay(milestone.due_on)],
      ["created", when(milestone.created_at)],
      ["updated", when(milestone.updated_at)],
      ["closed", when(milestone.closed_at)],
      ["url", styled("link", milestoneUrl(milestone, context))],
    ],
    body: milestone.description,
    markdown: true,
  };
}
