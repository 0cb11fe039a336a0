import type { RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { text } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { pageName, type WikiPageMeta, wikiApi, wikiPage } from "../../forge/wiki.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { allPages, findPage } from "./find.ts";
import { encoded, givenBody, pageText, textFlags } from "./shared.ts";

/**
 * `tongs wiki edit`: PATCH a page, after reading it: servers rename a page whose title is not sent, empty one whose content
 * is not sent, and create one that does not exist (docs/server-differences.md, "Wiki").
 */
export const edit = defineCommand({
  summary: "Edit or rename a wiki page",
  details: "Opens the editor with the current text if neither a text nor --title is given.",
  on: "repository",
  effect: "write",
  args: { page: one("title or name of the page") },
  flags: { ...textFlags, title: text("rename the page", { short: "t", placeholder: "TITLE" }) },
  exclusive: [["body", "bodyFile"]],
  exits: { refused: "another page has the new title" },
  output: wikiPage,
  examples: [
    ["Replace the text of a page", "tongs wiki edit Home --body-file home.md"],
    ["Rename a page", 'tongs wiki edit "Night signals" --title "Night lights"'],
  ],
  async run(context) {
    const { args, flags, http, repo, server, out, prompt } = context;
    if (flags.title?.trim() === "") throw new UsageError("The title must not be empty");
    const given = await givenBody(flags, context);
    const pages = await allPages(context);
    const listed = findPage(pages, args.page, context);
    const title = flags.title ?? listed.title;
    const taken = pages.find((other) => other.title === title && other !== listed);
    if (taken !== undefined) throw titleTaken(taken, context);
    const name = pageName(listed);
    const page = await wikiApi(http).get(repo, name);
    const content =
      given === undefined && flags.title === undefined
        ? encoded(await prompt.editor({ message: "Text", flag: "--body", default: pageText(page) }))
        : given === undefined
          ? page.content_base64
          : encoded(given);
    if (given === undefined && flags.title === undefined && textOf(content) === textOf(page.content_base64)) {
      return out.done(`Wiki page ${listed.title} is unchanged; nothing was written`, { record: page });
    }
    const body = { title, content_base64: content, message: flags.message };
    const edited = await wikiApi(http).edit(repo, name, body);
    const renamed = title === listed.title ? "" : ` to ${edited.title}`;
    await out.done(
      `${renamed === "" ? "Edited" : "Renamed"} wiki page ${listed.title}${renamed} of ${fullName(repo)} ${accountLabel(server)}`,
      { record: edited },
    );
  },
});

/** A text without the blank lines at its end, which the editor leaves out. */
function textOf(content: string): string {
  return pageText({ content_base64: content }).trimEnd();
}

/** Another page has the new title: the servers would overwrite it. */
function titleTaken({ title }: WikiPageMeta, { repo }: RepositoryContext): Failure {
  return new Failure("exists", "refused", `Wiki page ${title} already exists in ${fullName(repo)}`, {
    hint: `Nothing was changed. Delete that page first: tongs wiki delete "${title}"`,
  });
}
