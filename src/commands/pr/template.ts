import type { RepositoryContext } from "../../app/context.ts";
import { type Content, contentText } from "../../forge/contents.ts";
import { NotFoundError } from "../../http/errors.ts";

/** Where the servers look for a template, after the top folder. */
const folders = [".forgejo", ".gitea", ".github"];

/** The repository's template for pull requests into a branch, without its front matter; undefined when it has none. */
export async function pullTemplate({ forge, repo }: RepositoryContext, base: string): Promise<string | undefined> {
  try {
    const top = await forge.contents.folder(repo, "", base);
    let found = top.find(isTemplate);
    for (const folder of folders) {
      if (found !== undefined) break;
      if (!top.some(({ name, type }) => name === folder && type === "dir")) continue;
      found = (await forge.contents.folder(repo, folder, base)).find(isTemplate);
    }
    if (found === undefined) return undefined;
    const text = contentText(await forge.contents.file(repo, found.path, base));
    return text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n\s*/, "");
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

function isTemplate({ name, type }: Content): boolean {
  return type === "file" && /^pull_request_template\.md$/i.test(name);
}
