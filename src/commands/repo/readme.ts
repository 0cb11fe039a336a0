import type { ServerContext } from "../../app/context.ts";
import { type Content, contentBytes, contentsGet, rootGet } from "../../forge/contents.ts";
import { call } from "../../forge/operation.ts";
import { DeniedError, NotFoundError } from "../../http/errors.ts";
import type { RepoName } from "../../repo/repo-name.ts";

/** The README of a repository. */
export interface Readme {
  readonly path: string;
  readonly text: string;
  readonly isMarkdown: boolean;
}

/** The preferred extensions first. */
const extensions = ["md", "markdown", "txt", ""];

/**
 * The README in the root folder of a branch (default: the default branch); undefined if there is none, or if the server
 * left its content out. Reads the folder, then the file.
 */
export async function readmeOf(
  repo: RepoName,
  branch: string | undefined,
  { http }: Pick<ServerContext, "http">,
): Promise<Readme | undefined> {
  try {
    const path = readmeIn(await call(http, rootGet, { repo, ref: branch }));
    if (path === undefined) return undefined;
    const file = await call(http, contentsGet, { repo, filepath: path, ref: branch });
    const bytes = "path" in file ? contentBytes(file) : undefined;
    if (bytes === undefined || bytes.includes(0)) return undefined;
    return { path, text: bytes.toString("utf8"), isMarkdown: /\.(md|markdown)$/i.test(path) };
  } catch (error) {
    // A repository without commits, or one whose code the user may not read.
    if (branch === undefined && (error instanceof NotFoundError || error instanceof DeniedError)) return undefined;
    throw error;
  }
}

function readmeIn(entries: readonly Content[]): string | undefined {
  const files = entries.filter(({ type }) => type === "file");
  for (const extension of extensions) {
    const name = extension === "" ? "readme" : `readme.${extension}`;
    const found = files.find((entry) => entry.name.toLowerCase() === name);
    if (found !== undefined) return found.path;
  }
  return undefined;
}
