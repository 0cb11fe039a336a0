import type { BaseContext } from "../../app/context.ts";
import { Cancelled } from "../../failure/interruption.ts";
import { call } from "../../forge/operation.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import { type MergeStyle, type Repository, repoGet, styleSettings } from "../../forge/repos.ts";
import { headBranch, type PullContext, pullName, requireOpen } from "./pull.ts";
import { requireHead } from "./refusal.ts";

/** What a merge does, as far as it was given by flags. */
export interface MergeChoices {
  readonly style: MergeStyle | undefined;
  readonly deleteBranch: boolean | undefined;
  /** Whether a title or a message was given, which only styles with a commit of their own take. */
  readonly hasText: boolean;
  /** Whether the protection rules are bypassed. */
  readonly force: boolean;
}

/** The styles that can be chosen. */
const offered = [
  { style: "merge", name: "Create a merge commit" },
  { style: "rebase", name: "Rebase and merge" },
  { style: "rebase-merge", name: "Rebase, then create a merge commit" },
  { style: "squash", name: "Squash and merge" },
  { style: "fast-forward-only", name: "Fast-forward only" },
] as const;

/** Styles that create no commit, and so have no title and message. */
export const withoutCommit: readonly MergeStyle[] = ["rebase", "fast-forward-only", "manually-merged"];

type PromptContext = PullContext & Pick<BaseContext, "prompt">;

/**
 * Prompts for the merge style and for the deletion of the head branch unless they are given, then confirms the merge.
 * Throws before any question if the pull request is not open, and `Cancelled` if the answer is no.
 */
export async function promptForMerge(
  context: PromptContext,
  pull: PullRequest,
  given: MergeChoices,
): Promise<{ readonly style: MergeStyle; readonly deleteBranch: boolean | undefined }> {
  const { http, repo, prompt } = context;
  requireOpen(pull, context);
  requireHead(pull, context);
  const branch = headBranch(pull);
  const needsSettings = given.style === undefined || (given.deleteBranch === undefined && branch !== undefined);
  const settings = needsSettings ? await call(http, repoGet, { repo }) : undefined;
  const style = given.style ?? (await chooseStyle(context, settings, given.hasText));
  // Not for a branch of a fork: it belongs to somebody else, or is the fork's main branch.
  const asks = given.deleteBranch === undefined && branch !== undefined && branch !== settings?.default_branch;
  const deleteBranch = asks
    ? await prompt.confirm({
        message: `Delete the branch ${branch} after the merge?`,
        flag: "--delete-branch",
        default: settings?.default_delete_branch_after_merge === true,
      })
    : given.deleteBranch;
  const message = mergeQuestion(pull, pullName(context, pull.number), { ...given, style, deleteBranch });
  if (!(await prompt.confirm({ message, flag: "--yes", default: true }))) throw new Cancelled();
  return { style, deleteBranch };
}

/** Prompts for a style that the repository allows, its default first; does not if there is only one. */
async function chooseStyle(
  { prompt }: PromptContext,
  settings: Repository | undefined,
  hasText: boolean,
): Promise<MergeStyle> {
  const preferred = settings?.default_merge_style ?? "merge";
  const possible = offered.filter(
    ({ style }) => settings?.[styleSettings[style]] !== false && !(hasText && withoutCommit.includes(style)),
  );
  const ordered = [
    ...possible.filter(({ style }) => style === preferred),
    ...possible.filter(({ style }) => style !== preferred),
  ];
  const [first, ...others] = ordered;
  // The server explains why none is allowed.
  if (first === undefined || others.length === 0) return first?.style ?? preferred;
  const choices = ordered.map(({ style, name }) => ({ name, value: style }));
  return prompt.select({ message: "What merge method would you like to use?", flag: "--style", choices });
}

/** What will happen, as a question. */
function mergeQuestion(
  pull: PullRequest,
  name: string,
  { style, deleteBranch, force }: MergeChoices & { readonly style: MergeStyle },
): string {
  const parts = [
    `Merge ${name} (${pull.title}) into ${pull.base.ref} with style ${style}`,
    force ? ", bypassing the protection rules" : "",
    deleteBranch === true ? `, and delete the branch ${pull.head.ref}` : "",
  ];
  return `${parts.join("")}?`;
}
