import type { Http } from "../http/client.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { type Infer, integer, nullable, optional, serverRecord, string, time, words } from "../shape/shape.ts";
import { asDay, type ReadField } from "./applied.ts";
import { onItsDay } from "./due-dates.ts";
import type { CreateMilestoneOption, EditMilestoneOption } from "./generated/operations.ts";
import { call, operation, pagesOf } from "./operation.ts";
import { type Settings, shapesOf } from "./setting.ts";
import { listOf, undoCreate, undoEdit } from "./undo.ts";

/** What a milestone has besides its title and its due date. */
export const milestoneSettings = {
  description: { shape: string, flag: "description", short: "d" },
  state: { shape: words("open", "closed"), flag: "state" },
} as const satisfies Settings;

/** A milestone of a repository. */
export const milestone = serverRecord("a milestone", {
  id: integer,
  title: optional(string),
  ...shapesOf(milestoneSettings),
  open_issues: optional(integer),
  closed_issues: optional(integer),
  created_at: optional(time),
  updated_at: optional(nullable(time)),
  closed_at: optional(nullable(time)),
  due_on: optional(nullable(time)),
});

export type Milestone = Infer<typeof milestone>;

/** The fields to change of a milestone. */
export interface MilestoneOption extends Omit<EditMilestoneOption, "due_on"> {
  /** RFC 3339; null removes the due date, and absent keeps it. */
  readonly due_on?: string | null | undefined;
}

/** Where Forgejo stores that there is no due date (docs/server-differences.md, "Labels and milestones"). */
export const noDueDate = "9999-12-31T23:59:59Z";

/** `state` must always be sent, because the default differs. `name` matches a part of the title. */
export const milestoneList = operation("GET", "/repos/{owner}/{repo}/milestones", { answers: pagesOf(milestone) });

/** Gitea removes a due date by a date that means none. */
const due_on: ReadField<Milestone> = (record, asked) =>
  asked === noDueDate ? (record.due_on ?? asked) : asDay<Milestone>((one) => one.due_on)(record, asked);

export const milestoneCreate = operation("POST", "/repos/{owner}/{repo}/milestones", {
  answers: milestone,
  undo: undoCreate({
    // Its own counts are late (docs/server-differences.md, "Labels and milestones").
    async isUsed({ id }, read, at) {
      const place = at("/repos/{owner}/{repo}/issues");
      return listOf(await read.record(`${place}?state=all&limit=1&milestones=${id}`)).length > 0;
    },
  }),
  arrives: { since: "created_at" },
  applied: { reads: { due_on } },
});

/** Gitea clears a due date that is not sent, Forgejo keeps it (docs/server-differences.md, "Labels and milestones"). */
export const milestoneEdit = operation("PATCH", "/repos/{owner}/{repo}/milestones/{id}", {
  answers: milestone,
  undo: undoEdit({
    adjust: ({ old, request: { method, path }, isChanged }) =>
      isChanged("due_on") && old["due_on"] === null ? { orElse: { method, path, body: { due_on: noDueDate } } } : {},
  }),
  applied: { reads: { due_on } },
});

export const milestoneDelete = operation("DELETE", "/repos/{owner}/{repo}/milestones/{id}");

/** Creates a milestone with its due date on the day that was asked for. */
export async function createMilestone(http: Http, repo: RepoName, body: CreateMilestoneOption) {
  const made = await call(http, milestoneCreate, { repo }, body);
  return onItsDay(made, body.due_on, made.due_on, (due_on) =>
    call(http, milestoneEdit, { repo, id: made.id }, { due_on }),
  );
}

/**
 * Edits a milestone. The present due date is always sent, and one that stays is removed by a date that means none
 * (docs/server-differences.md, "Labels and milestones").
 */
export async function editMilestone(
  http: Http,
  repo: RepoName,
  { id, due_on: present }: Milestone,
  body: MilestoneOption,
) {
  const due_on = body.due_on === undefined ? (present ?? undefined) : (body.due_on ?? undefined);
  const edited = await call(http, milestoneEdit, { repo, id }, { ...body, due_on });
  if (body.due_on === null && edited.due_on != null)
    return call(http, milestoneEdit, { repo, id }, { due_on: noDueDate });
  return onItsDay(edited, due_on, edited.due_on, (corrected) =>
    call(http, milestoneEdit, { repo, id }, { due_on: corrected }),
  );
}
