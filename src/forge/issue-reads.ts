import { present } from "../shape/shape.ts";
import { amongst, asDay, type ReadField } from "./applied.ts";

/** What tongs reads of an issue and of a pull request. */
interface Item {
  readonly assignees?: readonly ({ readonly login: string } | null)[] | null | undefined;
  readonly labels?: readonly ({ readonly id: number } | null)[] | null | undefined;
  readonly milestone?: { readonly id: number } | null | undefined;
  readonly due_date?: string | null | undefined;
}

const logins = ({ assignees }: Item) =>
  assignees === undefined ? undefined : present(assignees).map(({ login }) => login);

/** The users who were to be added are among those assigned. */
export const assigned: ReadField<Item> = amongst(logins);

/** The milestone and those assigned. */
export const planReads = {
  assignee: (item: Item, asked: unknown) => (assigned(item, [asked]) === asked ? asked : logins(item)?.[0]),
  assignees: logins,
  milestone: ({ milestone }: Item) => (milestone === null ? null : milestone?.id),
};

/** How an issue or a pull request shows what was asked for; servers ignore some fields without write access. */
export const issueReads = {
  ...planReads,
  labels: amongst(({ labels }: Item) => (labels === undefined ? undefined : present(labels).map(({ id }) => id))),
  due_date: asDay(({ due_date }: Item) => due_date),
};

/** The due date was removed. */
export const unset_due_date: ReadField<Item> = ({ due_date }) => due_date == null;

/** Why the version of the body is not compared. */
export const version = "the version that was read; the answer has the next one";

/** What to do about fields that were ignored. */
export const writers = "You need write access to the repository.";
