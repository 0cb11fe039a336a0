import { changeAssignees } from "../../forge/assign.ts";
import { editedWords } from "../../forge/edited-words.ts";
import { editIssue, type Issue, issueGet, issueMilestoneSet } from "../../forge/issues.ts";
import { issueLabelAdd, issueLabelRemove, type Label } from "../../forge/labels.ts";
import { findByName, findLabel, resolveLabels, resolveMilestone, resolveUsers, usersAmong } from "../../forge/names.ts";
import { call } from "../../forge/operation.ts";
import { editPullRequest, pullGet } from "../../forge/pulls.ts";
import type { Http } from "../../http/client.ts";
import { HttpError } from "../../http/errors.ts";
import { commandOn } from "../../profiles/server.ts";
import { keepingText } from "../../prompts/keep-text.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { present } from "../../shape/shape.ts";
import { allSettledOrThrow, once } from "../../system/concurrency.ts";
import { atStart } from "../../text/format.ts";
import { type AttachFlags, readAttached } from "../attach/attach.ts";
import { planAttachments } from "../attach/plan.ts";
import { attachBefore, recordWith } from "../attach/upload.ts";
import type { BaseContext, ServerContext } from "../context.ts";
import { editConflict, editors, explainDenied } from "../denied.ts";
import { typedBody } from "../draft.ts";
import { type EditStep, runSteps } from "../edit-steps.ts";
import { nothingToChange } from "../fields.ts";
import { givenText } from "../input.ts";
import { issueName } from "../issue-selector.ts";
import { currentUser } from "../shared.ts";
import { changeTargets, type ManyTargets, type Target } from "../targets.ts";

/** The flags that edit an issue or a pull request, as typed. */
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

/** What an edit reads of an issue or a pull request. */
export type Item = Pick<
  Issue,
  "number" | "title" | "body" | "content_version" | "milestone" | "due_date" | "labels" | "assignees"
>;

const nouns = {
  issue: {
    word: "issue",
    of: "issues",
    get: (http: Http, repo: RepoName, index: number) => call(http, issueGet, { repo, index }),
    send: editIssue,
  },
  pr: {
    word: "pull request",
    of: "pulls",
    get: (http: Http, repo: RepoName, index: number) => call(http, pullGet, { repo, index }),
    send: editPullRequest,
  },
} as const;

/** Issues or pull requests that are edited. */
interface Editing<F extends EditFlags, R extends Item, L extends object, T extends Target> {
  readonly noun: keyof typeof nouns;
  readonly targets: Omit<ManyTargets<L, T>, "verb" | "plan" | "changes" | "prepare" | "work">;
  /** Only lists those that filters select. */
  readonly plan: boolean;
  /** The flags that say what is changed. */
  readonly changes: Readonly<Record<string, unknown>>;
  readonly read: (target: T) => Promise<R>;
  /** Asks for the changes of one, where no flag says them. */
  readonly ask: (record: R, target: T) => AsyncIterable<Partial<F>>;
  /** What is sent before and after the fields, labels and assignees. */
  readonly more?: (record: R, flags: F) => Promise<readonly [before: readonly EditStep[], after: readonly EditStep[]]>;
}

type EditContext = BaseContext & ServerContext;

/**
 * Edits issues or pull requests: reads each, then sends only what differs. Names are looked up before anything is sent, once for
 * each repository.
 */
export async function editItems<F extends EditFlags, R extends Item, L extends object, T extends Target>(
  { noun, targets, plan, changes, read, ask, more }: Editing<F, R, L, T>,
  flags: F & AttachFlags & { readonly bodyFile: string | undefined },
  context: EditContext,
) {
  const { http, out, prompt, server, system } = context;
  const attached = await readAttached(flags, flags.bodyFile, system);
  const body = await givenText(system, { text: flags.body, file: flags.bodyFile, flag: "--body-file" });
  const hasEdits = Object.values(changes).some((value) =>
    Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false,
  );
  if (!hasEdits && !prompt.able && !plan) throw nothingToChange();
  let edits: F = { ...flags, body };
  let shown: R | undefined;
  let uploads: Awaited<ReturnType<typeof planAttachments>>;
  let lookup: ReturnType<typeof nameLookup>;
  const prepare = async ([first, ...others]: readonly T[]) => {
    if (!hasEdits && first !== undefined) {
      if (others.length > 0) throw nothingToChange();
      shown = await read(first);
      for await (const answer of ask(shown, first)) edits = { ...edits, ...answer };
    }
    lookup = nameLookup(edits, context);
    const text = { body: edits.body, others: shown?.body, file: flags.bodyFile };
    uploads = await planAttachments(attached, text, { ...context, owner: first?.repo.owner ?? "" });
  };
  const work = async (target: T) => {
    const { repo } = target;
    // The one that was shown: what someone else has changed since is not overwritten.
    const [record, names] = await allSettledOrThrow([shown ?? read(target), lookup(repo)]);
    const { number } = record;
    const name = issueName(repo, number);
    const view = commandOn(server, `tongs ${noun} view ${name}`);
    const [before, after] = (await more?.(record, edits)) ?? [[], []];
    const stepsFor = await planSteps(record, edits, names, { noun, repo, http, view });
    const finish = ["tongs", noun, "edit", `${number}`, "-R", fullName(repo)];
    const to = { target: { of: "issue", repo, id: number }, noun, name, finish } as const;
    const { value, uploaded } = await attachBefore(uploads, to, context, async (body = edits.body) => {
      // Gitea gives a text another version when a file is attached (docs/server-differences.md, "Pull requests: editing").
      // Forgejo has no versions to compare.
      const compares = shown !== undefined && body !== undefined && record.content_version === undefined;
      const now = uploads.files.length === 0 && !compares ? record : await nouns[noun].get(http, repo, number);
      if (compares && now.body !== record.body) throw editConflict(`The body of ${name}`, view);
      const { content_version } = now.body === record.body ? now : record;
      return runSteps([...before, ...stepsFor({ body, content_version }), ...after], name, (error) =>
        explainDenied(error, `Cannot edit ${name}`, editors),
      );
    });
    const changed = [...new Set([...value.changed, ...(uploaded.length > 0 ? ["attachments"] : [])])];
    const what = `${nouns[noun].word} ${name}`;
    if (changed.length === 0 && value.failure === undefined)
      return { message: `${atStart(what)} is already up to date; nothing was changed`, record, unchanged: true };
    const message = changed.length === 0 ? undefined : `Edited ${what} (${changed.join(", ")})`;
    return { message, record: recordWith(() => nouns[noun].get(http, repo, number), uploaded), failure: value.failure };
  };
  const typed = () => typedBody(edits.body, flags, !hasEdits);
  return keepingText(typed, out, () =>
    changeTargets({ ...targets, verb: "Edit", plan, changes, prepare, work }, context),
  );
}

/** What the names in the flags mean in a repository. */
interface Names {
  readonly addLabels: readonly Label[];
  readonly milestone: number | undefined;
  readonly addAssignees: readonly string[];
  readonly removeAssignees: readonly string[];
}

/** Looks the names in the flags up, once for each repository. Throws if one is unknown: the servers may ignore it. */
function nameLookup(flags: EditFlags, context: ServerContext): (repo: RepoName) => Promise<Names> {
  const { http } = context;
  const me = () => currentUser(context);
  const lookUp = async (repo: RepoName): Promise<Names> => {
    const [addLabels, milestone, addAssignees, removeAssignees] = await allSettledOrThrow([
      resolveLabels(http, repo, flags.addLabel),
      flags.milestone === undefined ? undefined : resolveMilestone(http, repo, flags.milestone),
      resolveUsers(http, repo, flags.addAssignee, me),
      loginsOf(flags.removeAssignee, context),
    ]);
    return { addLabels, milestone: milestone?.id, addAssignees, removeAssignees };
  };
  return once((repo) => fullName(repo).toLowerCase(), lookUp);
}

/** Throws if a name in the flags is unknown in a repository, before those that filters select there are shown. */
export async function checkNames(flags: EditFlags, repo: RepoName, context: ServerContext): Promise<void> {
  await allSettledOrThrow([
    nameLookup(flags, context)(repo),
    // One by one: labels that exclude each other can be removed together.
    ...flags.removeLabel.map((name) => resolveLabels(context.http, repo, [name])),
  ]);
}

/** The names, with the caller's for `@me`. */
export function loginsOf(typed: readonly string[], context: ServerContext): Promise<string[]> {
  return allSettledOrThrow(typed.map((name) => (name === "@me" ? currentUser(context) : name)));
}

interface Place {
  readonly noun: keyof typeof nouns;
  readonly repo: RepoName;
  readonly http: Http;
  /** The command that shows it. */
  readonly view: string;
}

/** What differs from an issue or a pull request, as the requests that change it, for a body and the version that it replaces. */
async function planSteps(
  before: Item,
  edits: EditFlags,
  { addLabels, milestone, addAssignees, removeAssignees }: Names,
  { noun, repo, http, view }: Place,
): Promise<(text: Pick<Item, "body" | "content_version">) => readonly EditStep[]> {
  const index = before.number;
  const name = issueName(repo, index);
  const current = present(before.labels);
  const removed = edits.removeLabel.map((label) => findLabel(current, label, `on ${name}`));
  // A label that it does not have must exist, so that a typo is reported.
  const absent = edits.removeLabel.filter((_, at) => removed[at] === undefined);
  await resolveLabels(http, repo, absent);
  const labels = addLabels.map(({ id }) => id).filter((id) => !current.some((label) => label.id === id));
  const assigned = present(before.assignees).map(({ login }) => login);
  const people = {
    add: addAssignees.filter((login) => findByName(assigned, login, (one) => one) === undefined),
    remove: await usersAmong(assigned, removeAssignees, { http, repo }),
  };
  return ({ body, content_version }) => {
    const fields = changedFields({ ...before, content_version }, { ...edits, body }, milestone);
    const send = () =>
      nouns[noun].send(http, repo, index, fields).catch((error: unknown) => {
        if (!(error instanceof HttpError) || !/already changed/.test(error.serverMessage)) throw error;
        throw editConflict(`The body of ${name}`, view, error);
      });
    return [
      { isWanted: Object.keys(fields).length > 0, what: editedWords(fields), run: send },
      {
        isWanted: edits.noMilestone && before.milestone != null,
        what: ["milestone"],
        run: () => call(http, issueMilestoneSet, { repo, index }, { milestone: 0 }),
      },
      {
        isWanted: labels.length > 0,
        what: ["labels"],
        run: () => call(http, issueLabelAdd, { repo, index }, { labels }),
      },
      ...removed
        .flatMap((label) => label ?? [])
        .map((label) => ({
          what: [`label ${label.name}`],
          run: () => call(http, issueLabelRemove, { repo, index, id: label.id }),
        })),
      {
        isWanted: people.add.length + people.remove.length > 0,
        what: ["assignees"],
        run: () => changeAssignees(http, repo, index, people, nouns[noun].of),
      },
    ];
  };
}

/** The fields that differ. */
function changedFields(before: Item, { title, body, due, noDue }: EditFlags, milestone: number | undefined) {
  const day = before.due_date ? Date.parse(before.due_date) : undefined;
  return {
    ...(title === undefined || title === before.title ? {} : { title }),
    // With the version that was read, so that a later change by someone else is not overwritten.
    ...(body === undefined || body === before.body ? {} : { body, content_version: before.content_version }),
    ...(milestone === undefined || milestone === before.milestone?.id ? {} : { milestone }),
    ...(due === undefined || Date.parse(due) === day ? {} : { due_date: due }),
    ...(noDue && before.due_date ? { unset_due_date: true as const } : {}),
  };
}
