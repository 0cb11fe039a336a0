import { editors, explainDenied } from "../../app/denied.ts";
import { type Edited, type EditStep, runSteps } from "../../app/edit-steps.ts";
import { Failure } from "../../failure/failure.ts";
import { changeAssignees } from "../../forge/assign.ts";
import { editedWords } from "../../forge/edited-words.ts";
import type { EditPullRequestOption } from "../../forge/generated/operations.ts";
import { issueMilestoneSet } from "../../forge/issues.ts";
import { issueLabelAdd, issueLabelRemove } from "../../forge/labels.ts";
import { call } from "../../forge/operation.ts";
import { editPullRequest, type PullRequest } from "../../forge/pulls.ts";
import { reviewerRemove, reviewerRequest } from "../../forge/reviews.ts";
import { HttpError } from "../../http/errors.ts";
import { fullName } from "../../repo/repo-name.ts";
import type { EditPlan } from "./edit-plan.ts";
import { type PullContext, pullName, refusedError } from "./pull.ts";

/** Sends the changes, those most likely to be refused first. */
export function applyEdit(context: PullContext, pull: PullRequest, plan: EditPlan): Promise<Edited> {
  return runSteps(editSteps(context, pull, plan), pullName(context, pull.number), (error) =>
    explainDenied(error, `Cannot edit ${pullName(context, pull.number)}`, editors),
  );
}

function editSteps(context: PullContext, pull: PullRequest, plan: EditPlan): EditStep[] {
  const { http, repo } = context;
  const { number } = pull;
  const all: EditStep[] = [];
  const add = (wanted: unknown, what: string | readonly string[], run: () => Promise<unknown>) => {
    if (wanted) all.push({ what: [what].flat(), run });
  };
  const { base, maintainerEdit, fields, assignees, requestReviewers, removeReviewers } = plan;
  add(base !== undefined, "base", () => changeBase(context, pull, base ?? ""));
  add(maintainerEdit !== undefined, "maintainer edit", () => setMaintainerEdit(context, pull, maintainerEdit === true));
  add(Object.keys(fields).length > 0, editedWords(fields), () => changeFields(context, pull, fields));
  add(plan.clearMilestone, "milestone", () => call(http, issueMilestoneSet, { repo, index: number }, { milestone: 0 }));
  const { addLabels, removeLabels } = plan;
  add(addLabels.length > 0, "labels", () =>
    call(http, issueLabelAdd, { repo, index: number }, { labels: addLabels.map(({ id }) => id) }),
  );
  for (const { id, name } of removeLabels)
    add(true, `label ${name}`, () => call(http, issueLabelRemove, { repo, index: number, id }));
  add(assignees.add.length + assignees.remove.length > 0, "assignees", () =>
    changeAssignees(http, repo, number, assignees),
  );
  add(requestReviewers, "reviewers", () =>
    call(http, reviewerRequest, { repo, index: number }, requestReviewers ?? {}),
  );
  add(removeReviewers, "removed reviewers", () =>
    call(http, reviewerRemove, { repo, index: number }, removeReviewers ?? {}),
  );
  return all;
}

async function changeBase(context: PullContext, pull: PullRequest, base: string): Promise<void> {
  const { http, repo } = context;
  const name = pullName(context, pull.number);
  const answer = await editPullRequest(http, repo, pull.number, { base }).catch((error: unknown) => {
    if (!(error instanceof HttpError)) throw error;
    if (error.status === 404 && /new base/.test(error.serverMessage)) {
      const details = { status: error.status, method: error.method, path: error.path, cause: error };
      throw new Failure("not_found", `Branch ${base} not found in ${fullName(repo)}`, details);
    }
    const other = /issue_id: (\d+)/.exec(error.serverMessage)?.[1];
    if (error.status === 409 && other !== undefined) {
      throw refusedError(
        "exists",
        `A pull request from this branch into ${base} already exists: ${pullName(context, Number(other))}`,
      );
    }
    if (error.status === 422 && /closed/.test(error.serverMessage)) {
      throw refusedError("closed", `Cannot change the base of ${name}: it is closed`, {
        hint: `Reopen it: tongs pr reopen ${pull.number}`,
      });
    }
    throw error;
  });
  if (answer.base?.ref !== base && answer.merged)
    throw refusedError("already_merged", `Cannot change the base of ${name}: it is merged`);
}

async function setMaintainerEdit(context: PullContext, pull: PullRequest, allow: boolean): Promise<void> {
  const { http, repo } = context;
  const body = { allow_maintainer_edit: allow };
  await editPullRequest(http, repo, pull.number, body).catch((error: unknown) => {
    if (!(error instanceof HttpError) || !/SetAllowEdits/.test(error.serverMessage)) throw error;
    const { status, method, path } = error;
    const message = "You need write access to the head repository to change whether maintainers can edit";
    throw new Failure("forbidden", message, { status, method, path, cause: error });
  });
}

async function changeFields(context: PullContext, pull: PullRequest, fields: EditPullRequestOption): Promise<void> {
  const { http, repo } = context;
  await editPullRequest(http, repo, pull.number, fields).catch((error: unknown) => {
    if (!(error instanceof HttpError) || !/already changed/.test(error.serverMessage)) throw error;
    const message = `The body of ${pullName(context, pull.number)} was changed by someone else`;
    throw refusedError("edit_conflict", message, {
      hint: `Read the new body (tongs pr view ${pull.number}), then edit it again.`,
      cause: error,
    });
  });
}
