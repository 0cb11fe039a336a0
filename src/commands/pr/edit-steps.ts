import { Failure, withHint } from "../../failure/failure.ts";
import { changeAssignees } from "../../forge/assign.ts";
import type { EditPullRequestOption, PullRequest } from "../../forge/pulls.ts";
import { HttpError } from "../../http/errors.ts";
import { fullName } from "../../repo/repo-name.ts";
import { explainEditDenied } from "./denied.ts";
import type { EditPlan } from "./edit-plan.ts";
import { type PullContext, pullName, refused } from "./subject.ts";

/** One request of an edit, and what it changes. */
interface Step {
  readonly what: string;
  readonly run: () => Promise<unknown>;
}

/**
 * Carries out a plan, what is likeliest to be refused first. The servers change one thing after the other without a
 * transaction (api-facts 3.5.3), so a failure says what was changed before it. Returns the words for what was done.
 */
export async function carryOut(context: PullContext, pull: PullRequest, plan: EditPlan): Promise<string[]> {
  const done: string[] = [];
  for (const step of steps(context, pull, plan)) {
    try {
      await step.run();
    } catch (error) {
      const explained = explainEditDenied(error, pullName(context, pull.number));
      if (!(explained instanceof Failure) || done.length === 0) throw explained;
      throw withHint(explained, `Changed before that: ${done.join(", ")}`);
    }
    done.push(step.what);
  }
  return done;
}

function steps(context: PullContext, pull: PullRequest, plan: EditPlan): Step[] {
  const { forge, repo } = context;
  const { number } = pull;
  const all: Step[] = [];
  const add = (wanted: unknown, what: string, run: () => Promise<unknown>) => {
    if (wanted) all.push({ what, run });
  };
  const { base, maintainerEdit, fields, assignees, request, withdraw } = plan;
  add(base !== undefined, "base", () => changeBase(context, pull, base ?? ""));
  add(maintainerEdit !== undefined, "maintainer edit", () => allowEdits(context, pull, maintainerEdit === true));
  add(Object.keys(fields).length > 0, namesOf(fields).join(", "), () => changeFields(context, pull, fields));
  add(plan.clearMilestone, "milestone", async () => {
    const answer = await forge.issues.edit(repo, number, { milestone: 0 });
    if (answer.milestone !== null) throw ignored(context, number, ["milestone"]);
  });
  const { addLabels, removeLabels } = plan;
  add(addLabels.length > 0, "labels", () =>
    forge.labels.add(
      repo,
      number,
      addLabels.map(({ id }) => id),
    ),
  );
  for (const { id, name } of removeLabels) add(true, `label ${name}`, () => forge.labels.remove(repo, number, id));
  add(assignees.add.length + assignees.remove.length > 0, "assignees", () =>
    changeAssignees(forge, repo, number, assignees),
  );
  add(request, "reviewers", () => forge.reviewers.request(repo, number, request ?? {}));
  add(withdraw, "withdrawn reviewers", () => forge.reviewers.withdraw(repo, number, withdraw ?? {}));
  return all;
}

async function changeBase(context: PullContext, pull: PullRequest, base: string): Promise<void> {
  const { forge, repo } = context;
  const name = pullName(context, pull.number);
  const answer = await forge.pulls.edit(repo, pull.number, { base }).catch((error: unknown) => {
    if (!(error instanceof HttpError)) throw error;
    if (error.status === 404 && /new base/.test(error.serverMessage)) {
      const details = { status: error.status, method: error.method, path: error.path, cause: error };
      throw new Failure("not_found", "notFound", `There is no branch ${base} in ${fullName(repo)}`, details);
    }
    const other = /issue_id: (\d+)/.exec(error.serverMessage)?.[1];
    if (error.status === 409 && other !== undefined) {
      throw refused("exists", `${pullName(context, Number(other))} is open from the same branch into ${base}`);
    }
    if (error.status === 422 && /closed/.test(error.serverMessage)) {
      throw refused("closed", `${name} is closed, so its base stays`, `Open it again: tongs pr reopen ${pull.number}`);
    }
    throw error;
  });
  if (answer.base?.ref === base) return;
  if (answer.merged) throw refused("already_merged", `${name} is merged, so its base stays`);
  throw ignored(context, pull.number, ["base"]);
}

async function allowEdits(context: PullContext, pull: PullRequest, allow: boolean): Promise<void> {
  const { forge, repo } = context;
  const body = { allow_maintainer_edit: allow };
  const answer = await forge.pulls.edit(repo, pull.number, body).catch((error: unknown) => {
    if (!(error instanceof HttpError) || !/SetAllowEdits/.test(error.serverMessage)) throw error;
    const { status, method, path } = error;
    const message = "Only who may write to the head repository can allow or forbid edits by maintainers";
    throw new Failure("forbidden", "denied", message, { status, method, path, cause: error });
  });
  if (answer.allow_maintainer_edit !== allow) throw ignored(context, pull.number, ["maintainer edit"]);
}

async function changeFields(context: PullContext, pull: PullRequest, fields: EditPullRequestOption): Promise<void> {
  const { forge, repo } = context;
  const answer = await forge.pulls.edit(repo, pull.number, fields).catch((error: unknown) => {
    if (!(error instanceof HttpError) || !/already changed/.test(error.serverMessage)) throw error;
    const message = `Somebody changed the text of ${pullName(context, pull.number)} in the meantime`;
    throw refused(
      "changed_meanwhile",
      message,
      `Look at it (tongs pr view ${pull.number}), then edit it again.`,
      error,
    );
  });
  const left = [
    ...(fields.title !== undefined && answer.title !== fields.title ? ["title"] : []),
    ...(fields.body !== undefined && answer.body !== fields.body ? ["body"] : []),
    ...(fields.milestone !== undefined && answer.milestone?.id !== fields.milestone ? ["milestone"] : []),
    ...(fields.due_date !== undefined && !answer.due_date ? ["due date"] : []),
    ...(fields.unset_due_date && answer.due_date ? ["due date"] : []),
  ];
  if (left.length > 0) throw ignored(context, pull.number, left);
}

function namesOf(fields: EditPullRequestOption): string[] {
  const words = {
    title: "title",
    body: "body",
    milestone: "milestone",
    due_date: "due date",
    unset_due_date: "due date",
  };
  return Object.entries(words).flatMap(([key, word]) => (Object.hasOwn(fields, key) ? [word] : []));
}

/** The servers ignore what a reader may not change, and answer as if it were done (api-facts 3.5.3). */
function ignored(context: PullContext, number: number, what: readonly string[]): Failure {
  const message = `The server left the ${what.join(" and the ")} of ${pullName(context, number)} as it was`;
  return new Failure("ignored", "denied", message, {
    hint: "It ignores such a change from people without write access.",
  });
}
