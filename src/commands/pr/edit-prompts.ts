import { type EditField, pickChange, planningFields, promptForEdit, textFields } from "../../app/issues/prompts.ts";
import { pickOne } from "../../app/pick.ts";
import { branchList } from "../../forge/branches.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import { fullName } from "../../repo/repo-name.ts";
import { present } from "../../shape/shape.ts";
import type { PullEditFlags } from "./edit-steps.ts";

const fields: readonly EditField<PullRequest, PullEditFlags>[] = [
  ...textFields,
  [
    "Base branch",
    async ({ prompt, http, repo }) => {
      const branch = await pickOne(prompt, await collect(call(http, branchList, { repo })), {
        message: "Base branch",
        flag: "--base",
        what: `branches in ${fullName(repo)}`,
        name: ({ name }) => name,
      });
      return { base: branch.name };
    },
  ],
  [
    "Reviewers",
    async (context, { requested_reviewers: users, requested_reviewers_teams: teams, user }) => {
      const before = [
        ...present(users).map(({ login }) => ({ name: login })),
        ...present(teams).map(({ name }) => ({ name: `${context.repo.owner}/${name}` })),
      ];
      const { added, removed } = await pickChange("reviewers", "--add-reviewer", before, context, user?.login);
      return { addReviewer: added, removeReviewer: removed };
    },
  ],
  ...planningFields,
  [
    "Edits by maintainers",
    async ({ prompt }, { allow_maintainer_edit: allowed }) => {
      const message = "Allow maintainers to push to the head branch?";
      const question = { message, flag: "--maintainer-edit", default: allowed === true };
      return { maintainerEdit: await prompt.confirm(question) };
    },
  ],
];

/** Prompts for the fields of a pull request to edit, then for each of them. */
export function promptForPull(pull: PullRequest, context: Parameters<typeof promptForEdit>[2]) {
  return promptForEdit(fields, pull, context);
}
