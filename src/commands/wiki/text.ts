import type { BaseContext } from "../../app/context.ts";
import { givenText } from "../../app/input.ts";
import { repoPage } from "../../app/web.ts";
import { type FlagValues, inputFile, text } from "../../command/flags.ts";
import { pageName, type WikiPage } from "../../forge/wiki.ts";
import type { RepoName } from "../../repo/repo-name.ts";

/** The flags that give the text of a page. */
export const textFlags = {
  body: text("text of the page", { short: "b" }),
  bodyFile: inputFile("read the text from a file", { short: "F" }),
  message: text("commit message", { short: "m" }),
};

/** The text that the flags give; undefined if they give none. */
export function givenBody(
  flags: FlagValues<typeof textFlags>,
  { system }: Pick<BaseContext, "system">,
): Promise<string | undefined> {
  return givenText(system, { text: flags.body, file: flags.bodyFile, flag: "--body-file" });
}

/** The text of a page. */
export function pageText({ content_base64 }: Pick<WikiPage, "content_base64">): string {
  return Buffer.from(content_base64, "base64").toString("utf8");
}

/** A text as the servers take it. */
export function encoded(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}

/** The path of the web page of a wiki page. */
export function wikiPath(repo: RepoName, page: Parameters<typeof pageName>[0]): string {
  return repoPage(repo, "wiki", pageName(page));
}
