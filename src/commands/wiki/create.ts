import { typedBody } from "../../app/draft.ts";
import { writeCommand } from "../../app/write-command.ts";
import { one } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import { createWikiPage, wikiPage } from "../../forge/wiki.ts";
import { keepingText } from "../../prompts/keep-text.ts";
import { fullName } from "../../repo/repo-name.ts";
import { encoded, givenBody, textFlags } from "./text.ts";

/** `tongs wiki create`: POST a page. The first one starts the wiki. */
export const create = writeCommand({
  summary: "Create a wiki page",
  details: "Opens the editor if no text is given. The pages _Sidebar and _Footer are shown beside every page.",
  on: "repository",
  args: { title: one("title of the page") },
  flags: textFlags,
  exclusive: [["body", "bodyFile"]],
  output: wikiPage,
  examples: [["Create a page from a file", 'tongs wiki create "Night signals" --body-file signals.md']],
  async work(context) {
    const { args, flags, http, repo, out, prompt } = context;
    if (args.title.trim() === "") throw new UsageError("The title of the page must not be empty");
    const given = await givenBody(flags, context);
    const text = given ?? (await prompt.editor({ message: "Text", flag: "--body" }));
    const body = { title: args.title, content_base64: encoded(text), message: flags.message };
    const record = await keepingText(typedBody(text, flags, given === undefined), out, () =>
      createWikiPage(http, repo, body),
    );
    return { done: `Created wiki page ${record.title} of ${fullName(repo)}`, prints: record.html_url, record };
  },
});
