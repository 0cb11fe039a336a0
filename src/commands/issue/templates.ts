import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { type IssueTemplate, issueConfigGet, issueTemplateList } from "../../forge/issue-templates.ts";
import { collect } from "../../forge/listings.ts";
import { findByName, unknownNameError } from "../../forge/names.ts";
import { call } from "../../forge/operation.ts";
import { UnknownOperationError } from "../../http/errors.ts";
import { fullName } from "../../repo/repo-name.ts";
import { safeLine } from "../../text/safe.ts";

/** The template with this name, or with this file name, with or without its folder. */
export async function findTemplate(typed: string, { http, repo }: RepositoryContext): Promise<IssueTemplate> {
  const all = await collect(call(http, issueTemplateList, { repo }));
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
  const all = await collect(call(http, issueTemplateList, { repo })).catch((error: unknown) => {
    // A server without templates can still create a blank issue.
    if (error instanceof UnknownOperationError) return [];
    throw error;
  });
  if (all.length === 0) return undefined;
  const { blank_issues_enabled: blank, contact_links: links } = await call(http, issueConfigGet, { repo });
  for (const { name, url, about } of links ?? []) out.note(`${name}: ${about} (${url})`);
  return prompt.select<IssueTemplate | undefined>({
    message: "Template",
    flag: "--template",
    choices: [
      ...all.map((one) => ({ name: safeLine(one.name), value: one, description: safeLine(one.about ?? "") })),
      ...(blank ? [{ name: "Blank issue", value: undefined }] : []),
    ],
  });
}
