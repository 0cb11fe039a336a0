import { Failure } from "../failure/failure.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError, UnknownOperationError } from "../http/errors.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import { type Content, contentsGet, contentsPost, severalContentsGet } from "./contents.ts";
import { call } from "./operation.ts";

/** A file as the operations on several and on one file both describe it. */
export type FileEntry = Pick<Content, "path" | "type" | "sha" | "size" | "encoding" | "content" | "target">;

/** The most paths of one request: servers answer with no more files (docs/server-differences.md, "Commits and files"). */
const maxPaths = 30;
/** The longest list of paths in an address, in bytes when escaped: proxies refuse longer ones. */
const maxAddress = 6000;

/**
 * Looks up many files in few requests. The function returned fetches the portion that a path is in, once, and returns its
 * entry; undefined if the path does not exist. A server without the operation (Forgejo) gets one request a file.
 */
export function lookUpFiles(
  http: Http,
  repo: RepoName,
  { paths, ref }: { readonly paths: readonly string[]; readonly ref: string | undefined },
): (path: string) => Promise<FileEntry | undefined> {
  const portionOf = new Map<string, Promise<ReadonlyMap<string, FileEntry | undefined>> | readonly string[]>();
  for (const portion of portions(paths)) for (const path of portion) portionOf.set(path, portion);
  const one = (path: string) => fileAlone(http, repo, path, ref);
  let lacksOperation = paths.length === 1;

  return async (path) => {
    const portion = portionOf.get(path);
    if (portion === undefined || lacksOperation) return one(path);
    const fetched = "then" in portion ? portion : fetchPortion(http, repo, portion, ref);
    if (!("then" in portion)) for (const other of portion) portionOf.set(other, fetched);
    try {
      return (await fetched).get(path);
    } catch (error) {
      if (!(error instanceof UnknownOperationError)) throw error;
      lacksOperation = true;
      return one(path);
    }
  };
}

/** Splits paths into lists that fit into the address of a GET each; a path that fits into none is alone. */
function portions(paths: readonly string[]): string[][] {
  const all: string[][] = [];
  let length = 0;
  for (const path of paths) {
    const added = addressLength(path);
    const last = all.at(-1);
    if (last === undefined || last.length >= maxPaths || length + added > maxAddress) {
      all.push([path]);
      length = added;
    } else {
      last.push(path);
      length += added;
    }
  }
  return all;
}

/** The bytes that a path takes in the address, with its quotes and comma. */
function addressLength(path: string): number {
  return encodeURIComponent(JSON.stringify(path)).length + 3;
}

/** Fetches a portion, in several requests if the server answers with fewer files than were asked for. */
async function fetchPortion(
  http: Http,
  repo: RepoName,
  portion: readonly string[],
  ref: string | undefined,
): Promise<ReadonlyMap<string, FileEntry | undefined>> {
  const found = new Map<string, FileEntry | undefined>();
  let left = portion;
  while (left.length > 0) {
    const fits = left.reduce((sum, path) => sum + addressLength(path), 0) <= maxAddress;
    const files = await (fits
      ? (repo: RepoName, files: readonly string[], ref: string | undefined) =>
          call(http, severalContentsGet, { repo, ref, body: JSON.stringify({ files }) })
      : (repo: RepoName, files: readonly string[], ref: string | undefined) =>
          call(http, contentsPost, { repo, ref }, { files }))(repo, left, ref).catch((error: unknown) => {
      if (isMissing(error, ref)) return left.map(() => null);
      throw error;
    });
    if (files.length === 0) throw noAnswer(left[0] ?? "", repo);
    left.slice(0, files.length).forEach((path, at) => {
      found.set(path, files[at] ?? undefined);
    });
    left = left.slice(files.length);
  }
  return found;
}

async function fileAlone(
  http: Http,
  repo: RepoName,
  path: string,
  ref: string | undefined,
): Promise<FileEntry | undefined> {
  try {
    const found = await call(http, contentsGet, { repo, filepath: path, ref });
    if ("path" in found) return found;
    // The files of an empty repository are empty lists on Forgejo.
    return found.length === 0 ? undefined : { path, type: "dir" };
  } catch (error) {
    if (isMissing(error, ref)) return undefined;
    throw error;
  }
}

/**
 * Whether only the file is missing, not the ref: the server names its path, or the repository is empty
 * (docs/server-differences.md, "Commits and files").
 */
function isMissing(error: unknown, ref: string | undefined): boolean {
  if (!(error instanceof NotFoundError)) return false;
  // Long messages are cut.
  const [, path] = /^object does not exist \[id: .*?, rel_path: (.*?)\]?$/.exec(error.serverMessage) ?? [];
  return path !== undefined && (path !== "" || ref === undefined);
}

function noAnswer(path: string, repo: RepoName): Failure {
  return new Failure("broken_answer", `The server left out ${path} of ${fullName(repo)} in its response`);
}
