import type { RepositoryContext } from "../../app/context.ts";
import { Failure } from "../../failure/failure.ts";
import { type FileEntry, lookUpFiles } from "../../forge/many-files.ts";
import { fullName } from "../../repo/repo-name.ts";
import { notAFile } from "./not-a-file.ts";

/** A file that exists, and its hash. */
export type ExistingFile = FileEntry & { readonly sha: string };

/**
 * Looks up files of a branch that a commit is to change; symbolic links and submodules count as files. Throws one failure
 * that names all that do not exist.
 */
export async function existingFiles(
  paths: readonly string[],
  branch: string | undefined,
  { http, repo }: RepositoryContext,
): Promise<ExistingFile[]> {
  const lookUp = lookUpFiles(http, repo, { paths, ref: branch });
  const found = await Promise.all(paths.map(async (path) => ({ path, entry: await lookUp(path) })));
  const missing = found.filter(({ entry }) => entry === undefined).map(({ path }) => path);
  if (missing.length > 0) {
    const names = missing.length === 1 ? `File ${missing[0]}` : `Files ${missing.join(", ")}`;
    const where = `${fullName(repo)}${branch === undefined ? "" : ` on ${branch}`}`;
    throw new Failure("not_found", `${names} not found in ${where}`, { hint: "Nothing was changed." });
  }
  return found.flatMap(({ path, entry }) => {
    if (entry === undefined) return [];
    if (entry.type === "dir" || entry.sha === undefined) throw notAFile({ ...entry, path });
    return [{ ...entry, path, sha: entry.sha }];
  });
}
