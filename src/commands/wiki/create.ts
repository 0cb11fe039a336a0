import { defineCommand } from "../../app/define.ts";
import { typedBody } from "../../app/draft.ts";
import { one } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import { createWikiPage, wikiPage } from "../../forge/wiki.ts";
import { accountLabel } from "../../profiles/server.ts";
import { keepingText } from "../../prompts/keep-text.ts";
import { fullName } from "../../repo/repo-name.ts";
import { encoded, givenBody, textFlags } from "./text.ts";

/** `tongs wiki create`: POST a page. The first one starts the wiki. */
export const create = defineCommand({
  summary: "Create a wiki page",
  details: "Opens the editor if no text is given. The pages _Sidebar and _Footer are shown beside every page.",
  on: "repository",
  effect: "write",
  args: { title: one("title of the page") },
  flags: textFlags,
  exclusive: [["body", "bodyFile"]],
  output: wikiPage,
  examples: [["Create a page from a file", 'tongs wiki create "Night signals" --body-file signals.md']],
  async run(context) {
    const { args, flags, http, repo, server, out, prompt } = context;
    if (args.title.trim() === "") throw new UsageError("The title of the page must not be empty");
    const given = await givenBody(flags, context);
    const text = given ?? (await prompt.editor({ message: "Text", flag: "--body" }));
    const body = { title: args.title, content_base64: encoded(text), message: flags.message };
    const made = await keepingText(typedBody(text, flags, given === undefined), out, () =>
      createWikiPage(http, repo, body),
    );
    await out.done(`Created wiki page ${made.title} of ${fullName(repo)} ${accountLabel(server)}`, {
      prints: made.html_url,
      record: made,
    });
  },
});
