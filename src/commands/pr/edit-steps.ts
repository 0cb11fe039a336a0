import { Failure, type IgnoredField, withHint } from "../../failure/failure.ts";
import { appliedNames, ignoredFields, requireApplied } from "../../failure/ignored.ts";
import { changeAssignees } from "../../forge/assign.ts";
import type { EditPullRequestOption } from "../../forge/generated/operations.ts";
import { ignoredEdits } from "../../forge/ignored-edits.ts";
import { issueMilestoneSet } from "../../forge/issues.ts";
import { issueLabelAdd, issueLabelRemove } from "../../forge/labels.ts";
import { call } from "../../forge/operation.ts";
import { editPullRequest, type PullRequest } from "../../forge/pulls.ts";
import { reviewerRemove, reviewerRequest } from "../../forge/reviews.ts";
import { HttpError } from "../../http/errors.ts";
import { fullName } from "../../repo/repo-name.ts";
import type { EditPlan } from "./edit-plan.ts";
import { explainEditDenied, type PullContext, pullName, refusedError } from "./shared.ts";

/** One request of an edit, and the names of the fields that it changes. */
interface Step {
  readonly what: readonly string[];
  readonly run: () => Promise<unknown>;
}

/**
 * Sends the changes, those most likely to be refused first. The servers apply them without a transaction
 * (docs/server-differences.md, "Pull requests: editing"), so a failure lists what was changed before it. Returns the
 * names of the changes, and the failure if the server ignored some.
 */
export async function applyEdit(
  context: PullContext,
  pull: PullRequest,
  plan: EditPlan,
): Promise<{ readonly done: readonly string[]; readonly failure?: Failure }> {
  const done: string[] = [];
  for (const step of editSteps(context, pull, plan)) {
    try {
      await step.run();
    } catch (error) {
      if (error instanceof Failure && error.code === "ignored")
        return { done: [...done, ...appliedNames(step.what, error.fields)].map(words), failure: error };
      const explained = explainEditDenied(error, pullName(context, pull.number));
      if (!(explained instanceof Failure) || done.length === 0) throw explained;
      throw withHint(explained, `Already changed: ${done.map(words).join(", ")}`);
    }
    done.push(...step.what);
  }
  return { done: done.map(words) };
}

function editSteps(context: PullContext, pull: PullRequest, plan: EditPlan): Step[] {
  const { http, repo } = context;
  const { number } = pull;
  const all: Step[] = [];
  const add = (wanted: unknown, what: string | readonly string[], run: () => Promise<unknown>) => {
    if (wanted) all.push({ what: [what].flat(), run });
  };
  const { base, maintainerEdit, fields, assignees, requestReviewers, removeReviewers } = plan;
  add(base !== undefined, "base", () => changeBase(context, pull, base ?? ""));
  add(maintainerEdit !== undefined, "allow_maintainer_edit", () =>
    setMaintainerEdit(context, pull, maintainerEdit === true),
  );
  add(Object.keys(fields).length > 0, fieldNames(fields), () => changeFields(context, pull, fields));
  add(plan.clearMilestone, "milestone", async () => {
    const answer = await call(http, issueMilestoneSet, { repo, index: number }, { milestone: 0 });
    requireEdit(context, number, ignoredEdits({ milestone: 0 }, answer));
  });
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
  if (answer.base?.ref === base) return;
  if (answer.merged) throw refusedError("already_merged", `Cannot change the base of ${name}: it is merged`);
  requireEdit(context, pull.number, [{ name: "base", asked: base, is: answer.base?.ref ?? null }]);
}

async function setMaintainerEdit(context: PullContext, pull: PullRequest, allow: boolean): Promise<void> {
  const { http, repo } = context;
  const body = { allow_maintainer_edit: allow };
  const answer = await editPullRequest(http, repo, pull.number, body).catch((error: unknown) => {
    if (!(error instanceof HttpError) || !/SetAllowEdits/.test(error.serverMessage)) throw error;
    const { status, method, path } = error;
    const message = "You need write access to the head repository to change whether maintainers can edit";
    throw new Failure("forbidden", message, { status, method, path, cause: error });
  });
  requireEdit(context, pull.number, ignoredFields(body, answer));
}

async function changeFields(context: PullContext, pull: PullRequest, fields: EditPullRequestOption): Promise<void> {
  const { http, repo } = context;
  const answer = await editPullRequest(http, repo, pull.number, fields).catch((error: unknown) => {
    if (!(error instanceof HttpError) || !/already changed/.test(error.serverMessage)) throw error;
    const message = `The body of ${pullName(context, pull.number)} was changed by someone else`;
    throw refusedError("edit_conflict", message, {
      hint: `Read the new body (tongs pr view ${pull.number}), then edit it again.`,
      cause: error,
    });
  });
  requireEdit(context, pull.number, ignoredEdits(fields, answer));
}

function fieldNames({ content_version: _, ...fields }: EditPullRequestOption): string[] {
  return Object.keys(fields).map((name) => name.replace("unset_", ""));
}

function words(name: string): string {
  return name.replace("allow_", "").replaceAll("_", " ");
}

/**
 * The servers ignore changes without write access and report success
 * (docs/server-differences.md, "Pull requests: editing").
 */
function requireEdit(context: PullContext, number: number, ignored: readonly IgnoredField[]): void {
  requireApplied(ignored, pullName(context, number), "You need write access to the repository.");
}
