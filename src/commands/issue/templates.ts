import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { type IssueTemplate, issueTemplatesApi } from "../../forge/issue-templates.ts";
import { collect } from "../../forge/listings.ts";
import { findByName, unknownNameError } from "../../forge/names.ts";
import { UnknownOperationError } from "../../http/errors.ts";
import { fullName } from "../../repo/repo-name.ts";
import { safeLine } from "../../text/safe.ts";

/** The template with this name, or with this file name, with or without its folder. */
export async function findTemplate(typed: string, { http, repo }: RepositoryContext): Promise<IssueTemplate> {
  const all = await collect(issueTemplatesApi(http).list(repo));
  const file = ({ file_name }: IssueTemplate) => file_name.replace(/^.*\//, "");
  const found =
    findByName(all, typed, ({ name }) => name) ?? all.find((one) => [one.file_name, file(one)].includes(typed));
  if (found !== undefined) return found;
  throw unknownNameError(
    "issue template",
    [typed],
    all.map(({ name }) => name),
    `in ${fullName(repo)}`,
  );
}

/** Asks for one of the templates, if there are any. Undefined for a blank issue. */
export async function chooseTemplate({
  http,
  repo,
  prompt,
  out,
}: RepositoryContext & Pick<BaseContext, "prompt" | "out">): Promise<IssueTemplate | undefined> {
  const all = await collect(issueTemplatesApi(http).list(repo)).catch((error: unknown) => {
    // A server without templates can still create a blank issue.
    if (error instanceof UnknownOperationError) return [];
    throw error;
  });
  if (all.length === 0) return undefined;
  const { blank_issues_enabled: blank, contact_links: links } = await issueTemplatesApi(http).config(repo);
  for (const { name, url, about } of links ?? []) out.note(`${name}: ${about} (${url})`);
  return prompt.select<IssueTemplate | undefined>({
    ...{ message: "Template", flag: "--template" },
    choices: [
      ...all.map((one) => ({ name: safeLine(one.name), value: one, description: safeLine(one.about ?? "") })),
      ...(blank ? [{ name: "Blank issue", value: undefined }] : []),
    ],
  });
}
