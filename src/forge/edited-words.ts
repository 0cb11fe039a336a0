import type { EditIssueOption, EditPullRequestOption } from "./generated/operations.ts";

/** The fields that an edit changes, in words. */
export function editedWords({ content_version: _, ...fields }: EditIssueOption | EditPullRequestOption): string[] {
  return Object.keys(fields).map(fieldWords);
}

/** The name of a field in a message: `maintainer edit` for `allow_maintainer_edit`. */
export function fieldWords(name: string): string {
  return name.replace(/^(allow|unset)_/, "").replaceAll("_", " ");
}
