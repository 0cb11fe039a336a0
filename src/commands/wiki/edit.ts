import type { RepositoryContext } from "../../app/context.ts";
import { editConflict } from "../../app/denied.ts";
import { typedBody } from "../../app/draft.ts";
import { writeCommand } from "../../app/write-command.ts";
import { one } from "../../command/args.ts";
import { text } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { getWikiPage, pageName, type WikiPage, type WikiPageMeta, wikiPage, wikiPageEdit } from "../../forge/wiki.ts";
import { commandIn } from "../../profiles/server.ts";
import { keepingText } from "../../prompts/keep-text.ts";
import { fullName } from "../../repo/repo-name.ts";
import { quoted } from "../../text/words.ts";
import { allPages, findPage } from "./find.ts";
import { encoded, givenBody, pageText, textFlags } from "./text.ts";

/**
 * `tongs wiki edit`: PATCH a page, after reading it: servers rename a page whose title is not sent, empty one whose content
 * is not sent, and create one that does not exist (docs/server-differences.md, "Wiki").
 */
export const edit = writeCommand({
  summary: "Edit or rename a wiki page",
  details: "Opens the editor with the current text if neither a text nor --title is given.",
  on: "repository",
  args: { page: one("title or name of the page") },
  flags: { ...textFlags, title: text("rename the page", { short: "t", placeholder: "TITLE" }) },
  exclusive: [["body", "bodyFile"]],
  exits: { refused: "another page has the new title, or the text was changed in the meantime" },
  output: wikiPage,
  examples: [
    ["Replace the text of a page", "tongs wiki edit Home --body-file home.md"],
    ["Rename a page", 'tongs wiki edit "Night signals" --title "Night lights"'],
  ],
  async work(context) {
    const { args, flags, http, repo, out, prompt } = context;
    if (flags.title?.trim() === "") throw new UsageError("The title must not be empty");
    const given = await givenBody(flags, context);
    const pages = await allPages(context);
    const listed = findPage(pages, args.page, context);
    const title = flags.title ?? listed.title;
    const taken = pages.find((other) => other.title === title && other !== listed);
    if (taken !== undefined) throw titleTaken(taken, context);
    const name = pageName(listed);
    const page = await getWikiPage(http, repo, name);
    const opens = given === undefined && flags.title === undefined;
    const current = pageText(page);
    const written = opens ? await prompt.editor({ message: "Text", flag: "--body", default: current }) : given;
    // The editor leaves out blank lines at the end.
    if (opens && written?.trimEnd() === current.trimEnd()) {
      return { done: `Wiki page ${listed.title} is unchanged; nothing was written`, record: page, unchanged: true };
    }
    const content = written === undefined ? page.content_base64 : encoded(written);
    const record = await keepingText(typedBody(written, flags, opens), out, async () => {
      if (opens) await requireUnchanged(page, context);
      const body = { title, content_base64: content, message: flags.message };
      return call(http, wikiPageEdit, { repo, pageName: name }, body);
    });
    const renamed = title === listed.title ? "" : ` to ${record.title}`;
    const done = `${renamed === "" ? "Edited" : "Renamed"} wiki page ${listed.title}${renamed}`;
    return { done: `${done} of ${fullName(repo)}`, record };
  },
});

/** Throws if a page has another text than it had when the editor was opened: the servers would overwrite it. */
async function requireUnchanged(page: WikiPage, context: RepositoryContext): Promise<void> {
  const now = await getWikiPage(context.http, context.repo, pageName(page));
  if (now.content_base64 === page.content_base64) return;
  throw editConflict(`Wiki page ${page.title}`, commandIn(context, `tongs wiki view ${quoted(page.title)}`));
}

/** Another page has the new title: the servers would overwrite it. */
function titleTaken({ title }: WikiPageMeta, context: RepositoryContext): Failure {
  return new Failure("exists", `Wiki page ${title} already exists in ${fullName(context.repo)}`, {
    hint: `Nothing was changed. Delete that page first: ${commandIn(context, `tongs wiki delete ${quoted(title)}`)}`,
  });
}
