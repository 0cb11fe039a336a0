import { defineCommand } from "../../app/define.ts";
import { filtered, repoPage } from "../../app/web.ts";
import { choiceOr, text } from "../../command/flags.ts";
import { type Milestone, milestone, milestoneList } from "../../forge/milestones.ts";
import { call } from "../../forge/operation.ts";
import { dueDay, state } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { progress } from "./shared.ts";

const columns = [
  column<Milestone>("TITLE", ({ title }) => title, true),
  column<Milestone>("STATE", (one) => state(one.state), false, "optional"),
  column<Milestone>("PROGRESS", progress),
  column<Milestone>("DUE", ({ due_on }) => dueDay(due_on)),
  column<Milestone>("ID", ({ id }) => id, false, "optional"),
];

/** `tongs milestone list`: GET the milestones of a repository. */
export const list = defineCommand({
  summary: "List milestones",
  on: "repository",
  effect: "read",
  flags: {
    state: choiceOr(["open", "closed", "all"], "open", "filter by state", { short: "s" }),
    name: text("filter by a part of the title", { placeholder: "TEXT" }),
  },
  output: listOf(milestone),
  examples: [
    ["List open milestones", "tongs milestone list"],
    ["Print titles and due dates as JSON", "tongs milestone list --state all --json title,due_on"],
  ],
  web: {
    page: ({ flags, repo }) =>
      filtered(repoPage(repo, "milestones"), { state: flags.state === "open" ? undefined : flags.state }),
    uses: ["state"],
  },
  async run({ flags, http, repo, out }) {
    await out.list(call(http, milestoneList, { repo, state: flags.state, name: flags.name }), columns);
  },
});
