import { ignoredFields } from "../failure/ignored.ts";

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
