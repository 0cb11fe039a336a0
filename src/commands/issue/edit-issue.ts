import type { ServerContext } from "../../app/context.ts";
import { editors, explainDenied } from "../../app/denied.ts";
import { type Edited, type EditStep, runSteps } from "../../app/edit-steps.ts";
import { type IssueTarget, targetName } from "../../app/issue-selector.ts";
import { currentUser } from "../../app/shared.ts";
import { Failure } from "../../failure/failure.ts";
import { changeAssignees } from "../../forge/assign.ts";
import { editedWords } from "../../forge/edited-words.ts";
import type { EditIssueOption } from "../../forge/generated/operations.ts";
import { editIssue, type Issue, issueGet } from "../../forge/issues.ts";
import { issueLabelAdd, issueLabelRemove } from "../../forge/labels.ts";
import { findByName, findLabel, resolveLabels, resolveMilestone, resolveUsers, usersAmong } from "../../forge/names.ts";
import { call } from "../../forge/operation.ts";
import type { Http } from "../../http/client.ts";
import { HttpError } from "../../http/errors.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { present } from "../../shape/shape.ts";
import { allSettledOrThrow, once } from "../../system/concurrency.ts";

/** The flags of `issue edit`, as typed. */
export interface EditFlags {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly addLabel: readonly string[];
  readonly removeLabel: readonly string[];
  readonly addAssignee: readonly string[];
  readonly removeAssignee: readonly string[];
  readonly milestone?: string | undefined;
  readonly noMilestone: boolean;
  readonly due?: string | undefined;
  readonly noDue: boolean;
}

/** What the names in the flags mean in a repository. */
interface Names {
  readonly addLabels: Awaited<ReturnType<typeof resolveLabels>>;
  readonly milestone: number | undefined;
  readonly addAssignees: readonly string[];
  readonly removeAssignees: readonly string[];
}

/** Looks the names in the flags up, once for each repository. Throws if one is unknown: the servers may ignore it. */
export function nameLookup(context: ServerContext, flags: EditFlags): (repo: RepoName) => Promise<Names> {
  const { http } = context;
  const me = () => currentUser(context);
  const lookUp = async (repo: RepoName): Promise<Names> => {
    const [addLabels, milestone, addAssignees, removeAssignees] = await allSettledOrThrow([
      resolveLabels(http, repo, flags.addLabel),
      flags.milestone === undefined ? undefined : resolveMilestone(http, repo, flags.milestone),
      resolveUsers(http, repo, flags.addAssignee, me),
      allSettledOrThrow(flags.removeAssignee.map((name) => (name === "@me" ? me() : name))),
    ]);
    return { addLabels, milestone: milestone?.id, addAssignees, removeAssignees };
  };
  return once((repo) => fullName(repo).toLowerCase(), lookUp);
}

/**
 * Changes one issue, and returns what was changed. `shown` is the issue that the changes were made to at prompts: a later
 * change by someone else is not overwritten.
 */
export async function editOneIssue(
  target: IssueTarget,
  flags: EditFlags,
  { lookup, shown }: { readonly lookup: (repo: RepoName) => Promise<Names>; readonly shown: Issue | undefined },
  { http }: ServerContext,
): Promise<Edited & { readonly record: unknown }> {
  const { repo, number } = target;
  const [before, names] = await allSettledOrThrow([
    shown ?? call(http, issueGet, { repo, index: number }),
    lookup(repo),
  ]);
  const steps = await editSteps(before, target, flags, names, http);
  const edited = await runSteps(steps, targetName(target), (error) =>
    explainDenied(error, `Cannot edit ${targetName(target)}`, editors),
  );
  const isSame = edited.changed.length === 0 && edited.failure === undefined;
  return { ...edited, record: isSame ? before : () => call(http, issueGet, { repo, index: number }) };
}

async function editSteps(
  before: Issue,
  target: IssueTarget,
  flags: EditFlags,
  names: Names,
  http: Http,
): Promise<EditStep[]> {
  const { repo, number } = target;
  const current = present(before.labels);
  const on = `on ${targetName(target)}`;
  const removed = flags.removeLabel.map((name) => findLabel(current, name, on));
  // A label that the issue does not have must exist, so that a typo is reported.
  await resolveLabels(
    http,
    repo,
    flags.removeLabel.filter((_, index) => removed[index] === undefined),
  );
  const added = names.addLabels.filter(({ id }) => !current.some((label) => label.id === id)).map(({ id }) => id);
  const assigned = present(before.assignees).map(({ login }) => login);
  const people = {
    add: names.addAssignees.filter((login) => findByName(assigned, login, (one) => one) === undefined),
    remove: await usersAmong(assigned, names.removeAssignees, { http, repo }),
  };
  const fields = changedFields(before, flags, names.milestone);
  const steps: EditStep[] = [];
  if (Object.keys(fields).length > 0) {
    steps.push({ what: editedWords(fields), run: () => changeFields(target, fields, http) });
  }
  if (added.length > 0)
    steps.push({ what: ["labels"], run: () => call(http, issueLabelAdd, { repo, index: number }, { labels: added }) });
  for (const { id, name } of removed.flatMap((label) => label ?? [])) {
    steps.push({ what: [`label ${name}`], run: () => call(http, issueLabelRemove, { repo, index: number, id }) });
  }
  if (people.add.length + people.remove.length > 0) {
    steps.push({ what: ["assignees"], run: () => changeAssignees(http, repo, number, people, "issues") });
  }
  return steps;
}

/** The fields that differ from the issue. */
function changedFields(before: Issue, flags: EditFlags, milestone: number | undefined): EditIssueOption {
  const due = before.due_date ? Date.parse(before.due_date) : undefined;
  return {
    ...(flags.title === undefined || flags.title === before.title ? {} : { title: flags.title }),
    // With the version that was read, so that a later change by someone else is not overwritten.
    ...(flags.body === undefined || flags.body === before.body
      ? {}
      : { body: flags.body, content_version: before.content_version }),
    ...(milestone === undefined || milestone === before.milestone?.id ? {} : { milestone }),
    ...(flags.noMilestone && before.milestone != null ? { milestone: 0 } : {}),
    ...(flags.due === undefined || Date.parse(flags.due) === due ? {} : { due_date: flags.due }),
    ...(flags.noDue && before.due_date ? { unset_due_date: true as const } : {}),
  };
}

/** Sends the fields. The servers ignore milestone and due date without write access, and report success. */
async function changeFields(target: IssueTarget, fields: EditIssueOption, http: Http): Promise<void> {
  const name = targetName(target);
  await editIssue(http, target.repo, target.number, fields).catch((error: unknown) => {
    if (!(error instanceof HttpError) || !/already changed/.test(error.serverMessage)) throw error;
    const hint = `Read the new body (tongs issue view ${name}), then edit it again.`;
    throw new Failure("edit_conflict", `The body of ${name} was changed by someone else`, {
      hint,
      cause: error,
    });
  });
}
