import { choice, choiceOr, type FlagValues, names, text } from "../../command/flags.ts";
import { moment } from "../../command/time-flags.ts";

const states = ["open", "closed", "all"] as const;
const milestone = { placeholder: "NAME", source: "milestone", filters: true } as const;

/** The flags that filter issues, besides their state and milestone. */
export const issueFilterFlags = {
  label: names("filter by labels", { short: "l", placeholder: "LABEL", source: "label", filters: true }),
  author: text("filter by author", { short: "A", placeholder: "USER", source: "user", filters: true }),
  assignee: text("filter by assignee", { short: "a", placeholder: "USER", source: "user", filters: true }),
  mentions: text("filter by mentioned user", { placeholder: "USER", source: "user", filters: true }),
  search: text("filter by words in title, body or comments", { short: "S", filters: true }),
  since: moment("filter by time of the last update", { filters: true }),
};

/** The state of a list, and its milestone. */
export const stateFlag = choiceOr(states, "open", "filter by state", { short: "s", filters: "state" });
export const milestoneFlag = text("filter by milestone, by title or number", { ...milestone, short: "m" });

/** The same for a verb that sets milestones, and whose filters are not always used. */
export const editedStateFlag = choice(states, "filter by state (default: open)", { short: "s", filters: true });
export const fromMilestoneFlag = text("filter by milestone, by title or number", milestone);

export type IssueFilterValues = FlagValues<typeof issueFilterFlags>;
