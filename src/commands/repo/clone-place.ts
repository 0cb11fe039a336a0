import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isDirectoryName } from "../../app/clone-repository.ts";
import { fileNameKey } from "../../download/file-names.ts";
import { Failure } from "../../failure/failure.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";

/** Where one of several repositories is cloned to: `DIR/OWNER/NAME`. */
export interface ClonePlace {
  /** The directory of its owner. */
  readonly parent: string;
  /** The name of its directory: that on disk, if it differs in case from the repository's. */
  readonly name: string;
  readonly path: string;
  readonly exists: boolean;
}

/**
 * Where a repository is or will be cloned to. A server can choose no directory elsewhere: throws a `git` failure for names
 * that mean another one or are git's own, and for symbolic links, which a clone of another repository can contain.
 */
export function clonePlace(dir: string, repo: RepoName): ClonePlace {
  for (const name of [repo.owner, repo.name]) {
    // Names of repositories can begin with a dot, those of owners cannot: .config is another directory.
    if (isDirectoryName(name) && (name === repo.name || !name.startsWith("."))) continue;
    throw new Failure("git", `The repository name '${fullName(repo)}' cannot be used as a directory name`, {
      hint: "Clone it alone: tongs repo clone REPO DIR",
    });
  }
  const owner = entryIn(dir, repo.owner);
  const parent = join(dir, owner.name);
  if (existsSync(join(parent, ".git"))) throw inTheWay(parent, "is a git repository");
  const { name, exists } = entryIn(parent, repo.name);
  return { parent, name, path: join(parent, name), exists };
}

/** The entry of a directory with this name, on whatever file system. */
function entryIn(dir: string, name: string): { readonly name: string; readonly exists: boolean } {
  const entries = existsSync(dir) ? readdirSync(dir) : [];
  const key = fileNameKey(name);
  const found = entries.includes(name) ? name : entries.find((entry) => fileNameKey(entry) === key);
  if (found === undefined) return { name, exists: false };
  const path = join(dir, found);
  if (!lstatSync(path).isDirectory()) throw inTheWay(path, "is not a directory");
  return { name: found, exists: true };
}

function inTheWay(path: string, what: string): Failure {
  return new Failure("exists", `${path} ${what}`, { hint: "Move it, or pass another --dir." });
}
