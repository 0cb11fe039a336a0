import { ignoredFields } from "../failure/ignored.ts";
import type { EditIssueOption, EditPullRequestOption } from "./generated/operations.ts";

/** What an edit of an issue or a pull request asks for; undefined is not changed. */
interface AskedEdit {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  /** Its id; 0 removes it. */
  readonly milestone?: number | undefined;
  readonly due_date?: string | undefined;
  readonly unset_due_date?: boolean | undefined;
}

/** What servers answer. */
interface Edited {
  readonly milestone?: { readonly id: number } | null | undefined;
  readonly due_date?: string | null | undefined;
}

/**
 * The fields of an edit that the server ignored, as it does without write access (docs/server-differences.md, "Pull
 * requests: editing"). Of a due date, servers keep the day.
 */
export function ignoredEdits({ title, body, milestone, due_date, unset_due_date }: AskedEdit, answer: Edited) {
  const asked = { title, body, milestone, due_date: unset_due_date ? null : due_date };
  return ignoredFields(asked, answer, {
    milestone: (record) => record.milestone?.id ?? 0,
    due_date: (record, date) => (date === null || !record.due_date ? (record.due_date ?? null) : date),
  });
}

/** The fields that an edit changes, in words. */
export function editedWords({ content_version: _, ...fields }: EditIssueOption | EditPullRequestOption): string[] {
  return Object.keys(fields).map((name) => fieldWords(name.replace("unset_", "")));
}

/** The name of a field in a message: `maintainer edit` for `allow_maintainer_edit`. */
export function fieldWords(name: string): string {
  return name.replace("allow_", "").replaceAll("_", " ");
}
