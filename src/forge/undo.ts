/**
 * How the write of an operation is undone (src/app/journal/inverse.ts), or why it cannot be. Paths are below /api/v1, with
 * the parameters of the operation's own path, which is the default.
 *
 * - `restore`: the fields that were sent are sent again as they were before
 * - `replace`: the list is set as it was
 * - `delete`: what was created is deleted: `at` has `{key}`, a field of its record, and `shownAt`, if it is read elsewhere. Not if something has it since: anything
 *   in the list at `usedBy`, or a record there whose `list` has it by its key
 * - `create`: what was deleted is created again, which is read `at` another path; `edits`: an edit at its path sets what servers ignore when it is created
 * - `opposite`: another write, of the same body, makes it so again, unless it was so already
 * - `mark`: a notification is marked as it was
 * - `rename`: back to the old name; `field` has the new one; the record, which is at `at`, has it as `name`
 */
export type Undo =
  | string
  | Restore
  | { readonly by: "create"; readonly edits?: boolean; readonly at?: string }
  | { readonly by: "replace" | "variable" | "mark" }
  | { readonly by: "collaborator"; readonly loses?: string }
  | { readonly by: "labels"; readonly at: string }
  | {
      readonly by: "delete";
      readonly key: string;
      readonly at?: string;
      readonly shownAt?: string;
      readonly usedBy?: { readonly at: string; readonly list?: string };
    }
  | { readonly by: "rename"; readonly field: string; readonly at?: string; readonly name: string }
  | Opposite;

/** An edit that another one undoes, which sends the fields that were sent as they were before. */
export interface Restore {
  readonly by: "restore";
  /** Where the record is. It has some fields by other names (`names` of `applied`). */
  readonly at?: string;
  /** The fields that say only how to write, which the record does not have. */
  readonly how?: readonly string[];
  /** The fields that servers clear if they are not sent. */
  readonly cleared?: readonly string[];
  /** The fields that are emptied at another path. */
  readonly unset?: Readonly<Record<string, string>>;
  /** The field that is sent to empty another one, whose null is ignored (docs/server-differences.md, "Issues"). */
  readonly emptiedBy?: Readonly<Record<string, string>>;
  /** The fields that the journal masks, by what they are: undo leaves them as they are. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** Those of them that servers clear if they are not sent: undo sends what the server returns by then. */
  readonly resent?: readonly string[];
  /** What servers clear a field by that is still there afterwards. */
  readonly emptyAs?: Readonly<Record<string, unknown>>;
  /** The field that is sent where one was empty and servers require it. */
  readonly filledFrom?: Readonly<Record<string, string>>;
  /** If one of the fields `of` was sent, those that it `sends` are, too, as far as the record had them. */
  readonly together?: readonly { readonly of: readonly string[]; readonly sends: readonly string[] }[];
  /** The field that records have where they do not have one: it is restored instead, which removes the one that was sent. */
  readonly instead?: Readonly<Record<string, string>>;
  /**
   * What the undo of a field leaves behind: its value, or that of the field `shows`. Only where records have the field `has`, and
   * if the field was `from`, if that is given.
   */
  readonly leaves?: Readonly<
    Record<string, { readonly has: string; readonly from?: unknown; readonly shows?: string; readonly what: string }>
  >;
  /** What records lose that have any (`has`) when a field is set `to` this: `stars`. Undo does not restore it, or loses it. */
  readonly loses?: Readonly<Record<string, { readonly to: unknown; readonly has: string; readonly what: string }>>;
  /** The values by which users take their own right to undo it away: those of the user in the path who sends it. */
  readonly own?: { readonly fields: Readonly<Record<string, unknown>>; readonly why: string };
  /** The parameters of the path that an edit changed, by the record after it. */
  readonly renamed?: (now: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>;
  /** Servers overwrite a record that has the old name since. */
  readonly overwrites?: boolean;
}

/** A write that another one undoes: by default, PUT and DELETE at the same path. */
export interface Opposite {
  readonly by: "opposite";
  readonly method?: "POST" | "PUT" | "DELETE";
  readonly path?: string;
  /** The field without which the write cannot be undone, and why. */
  readonly only?: { readonly field: string; readonly otherwise: string };
  /** Whether the write makes it so; by default, DELETE does not. */
  readonly adds?: boolean;
  /** The status if it was so already, where what `shows` it does not show all. */
  readonly so?: number;
  readonly shows?: Shows;
  /** Why it is not undone where it was so already, but its answer, a list of what is new, has something. */
  readonly again?: string;
  /** What it loses that undo does not restore. */
  readonly loses?: string;
}

/**
 * What shows whether it is so: something is at `at`; or the record there has `field`, if it is `is` or else neither false nor
 * 0; or the list there, or in `field`, has an `item` with these fields (`""`: the item itself), which are `{parameters}` of the
 * path, fields of the body, `@user` for the user who is signed in or `@id` for the ID of the user in the path; or the
 * record has what the fields of the body list (`items`) in these fields (`""`: it is a list of them).
 */
export interface Shows {
  readonly at?: string;
  readonly field?: string;
  readonly is?: unknown;
  /** Whether the record shows it, where no single value does. */
  readonly holds?: (record: Readonly<Record<string, unknown>>) => boolean;
  readonly item?: Readonly<Record<string, string>>;
  readonly items?: Readonly<Record<string, string>>;
}

/**
 * The record `at` a path that a write replaces or deletes, if its body has the field `by` where there is one, and why that
 * cannot be undone.
 */
export interface Replaces {
  readonly by?: string;
  readonly at: string;
  readonly why: (before: unknown) => string | undefined;
}

/** What several writes lose that their undo does not restore. */
export const loses = {
  access: "the assignments and watches that it ended",
  /** On Gitea. */
  block: "the follows, stars, watches, assignments and collaborations that it ended",
  /** On Forgejo. */
  userBlock: "the follows, watches and collaborations that it ended",
  watches: "the watches that it ended",
} as const;

/** What of a write is not undone, as the question before it says. */
export function undoRemark(undo: Undo | undefined): string | undefined {
  if (typeof undo === "string") return "cannot be undone";
  return undo !== undefined && "loses" in undo && typeof undo.loses === "string" ? notRestored(undo.loses) : undefined;
}

/** What stays lost after an undo. */
export function notRestored(what: string): string {
  return `undo does not restore ${what}`;
}

/** Why most writes without an undo cannot be undone. */
export const cannot = {
  create: "delete what was created instead",
  delete: "servers do not keep what is deleted",
  secret: "servers do not return secrets",
  start: "what it started has run",
  commit: "it changed a branch: revert the commit instead",
  picture: "the previous picture is not kept",
  marks: "which ones were unread is not recorded",
} as const;

/** How writes are undone by REST: an edit by one with the fields as they were, PUT by DELETE. */
export const undoByMethod: Readonly<Partial<Record<string, Undo>>> = {
  PATCH: { by: "restore" },
  PUT: { by: "opposite" },
  POST: cannot.create,
  DELETE: cannot.delete,
};

/** Why the deletion of a branch or a tag cannot be undone, and from which commit it is created again. */
export function createdAgainAt(commit: string): string {
  return `${cannot.delete}: create it again at ${commit}`;
}
