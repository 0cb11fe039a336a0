import type { RepositoryContext } from "../../../app/context.ts";
import { issueName } from "../../../app/issue-selector.ts";
import { integer } from "../../../command/flags.ts";
import type { Attached } from "../../../forge/attachments.ts";
import { fullName } from "../../../repo/repo-name.ts";

/** The flag for the attachments of a comment, instead of those of the issue. */
export const commentFlag = {
  comment: integer("the attachments of this comment of the issue, instead of the issue's", {
    min: 1,
    placeholder: "ID",
  }),
};

type TargetContext = Pick<RepositoryContext, "repo"> & {
  readonly args: { readonly issue: number };
  readonly flags: { readonly comment: number | undefined };
};

/** What the files are attached to, and its name. */
export function attachedTo({ repo, args, flags }: TargetContext): { readonly target: Attached; readonly name: string } {
  const { comment } = flags;
  if (comment === undefined)
    return { target: { of: "issue", repo, id: args.issue }, name: issueName(repo, args.issue) };
  return { target: { of: "comment", repo, id: comment }, name: `comment ${comment} in ${fullName(repo)}` };
}
