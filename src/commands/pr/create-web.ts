import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { typedTitled } from "../../app/draft.ts";
import { continueAt } from "../../app/web.ts";
import type { CreatePullRequestOption } from "../../forge/generated/operations.ts";
import { behaviors } from "../../forge/generated/since.ts";
import { isKnownToHave } from "../../forge/server-has.ts";
import { addressText } from "../../profiles/server.ts";
import { saveText } from "../../prompts/keep-text.ts";
import { fullName } from "../../repo/repo-name.ts";
import { percentEncoded } from "../../text/percent.ts";

/** What the page for a new pull request does not take from its address. */
const setInBrowser: readonly (readonly [keyof CreatePullRequestOption, string])[] = [
  ["labels", "labels"],
  ["reviewers", "reviewers"],
  ["team_reviewers", "reviewers"],
  ["assignees", "assignees"],
  ["milestone", "milestone"],
  ["due_date", "due date"],
  ["allow_maintainer_edit", "edits by maintainers"],
];

/**
 * Opens the page for a new pull request, with title and body filled in; without them, the server does so. Warns about what
 * has to be set there, and saves title and body where the page is not known to take them
 * (docs/server-differences.md, "Pull requests: creating").
 */
export async function continueInBrowser(
  { http, repo, server, system, out, options }: RepositoryContext & Pick<BaseContext, "system" | "out" | "options">,
  option: Omit<CreatePullRequestOption, "title"> & { readonly title: string | undefined },
): Promise<undefined> {
  const { head, base, title, body } = option;
  const isSet = (value: unknown) => (Array.isArray(value) ? value.length > 0 : value !== undefined);
  const left = setInBrowser.flatMap(([key, name]) => (isSet(option[key]) ? name : []));
  if (left.length > 0) out.warn(`Set in the browser: ${[...new Set(left)].join(", ")}`);
  // Separators of OWNER/NAME:BRANCH are kept.
  const place = `${percentEncoded(base)}...${head.replace(/[^/:]+/g, percentEncoded)}`;
  const filled = { ...(title === undefined ? {} : { title }), ...(body === undefined ? {} : { body }) };
  const query = new URLSearchParams({ expand: "1", ...filled });
  const page = `${addressText(server.base)}/${fullName(repo)}/compare/${place}`;
  const address = `${page}?${query}`;
  if (Object.keys(filled).length > 0 && !(await isKnownToHave(http, behaviors.fillsPullPage))) {
    const saved = options.dryRun ? undefined : await saveText(typedTitled({ title: title ?? "", body: body ?? "" }));
    out.warn(
      ["The page may not take title and body from its address", ...(saved === undefined ? [] : [saved])].join(". "),
    );
  }
  return continueAt(page, address, { out, system, options });
}
