import type { ChangeFileOperation } from "../../forge/generated/operations.ts";
import { type Entry, entriesOf, entryAt } from "../git/trees.ts";
import type { PathChange } from "../git/write.ts";
import type { Sent } from "../http/form.ts";
import { fail, found, refuse } from "../http/reply.ts";
import type { Call } from "../http/route.ts";

export type Change = Sent<ChangeFileOperation>;

export type WriteCall = Call<{ repo: "code"; signedIn: true }>;

/** The path changes of a file change, validated against the tree of `tip`. */
export async function pathChanges(call: WriteCall, tip: string | undefined, change: Change): Promise<PathChange[]> {
  const { operation, path, from_path } = change;
  checkPath(path);
  const at = (where: string) => (tip === undefined ? undefined : entryAt(call, tip, where));
  switch (operation) {
    case "create":
      if (await at(path)) await refuseTaken(call, tip, path);
      await checkFolders(call, tip, path);
      return [{ path, content: decoded(change.content) }];
    case "upload":
      await checkFolders(call, tip, path);
      return [{ path, content: decoded(change.content) }];
    case "update":
    case "rename": {
      const from = from_path || path;
      const entry = found(await at(from), `object does not exist [id: , rel_path: ${path}]`);
      checkSha(change, entry, operation === "update");
      const kept = operation === "rename" && !change.content;
      const written = kept ? { path, sha: entry.sha } : { path, content: decoded(change.content) };
      return [...(from === path ? [] : [{ path: from }]), { ...written, mode: entry.mode }];
    }
    case "delete": {
      const entry = found(await at(path), `object does not exist [id: , rel_path: ${path}]`);
      const tree = entry.type === "dir" ? { ...entry, sha: entry.sha } : entry;
      checkSha(change, tree, true);
      return [{ path }];
    }
    default:
      fail(`invalid file operation: ${operation}`);
  }
}

function checkSha({ sha, path }: Change, entry: Entry, isNeeded: boolean): void {
  if (!sha && isNeeded) refuse(422, `a SHA or commit ID must be provided when updating a file [path: ${path}]`);
  if (sha && sha !== entry.sha) refuse(422, `sha does not match [given: ${sha}, expected: ${entry.sha}]`);
}

function checkPath(path: string): void {
  const parts = path.split("/");
  if (parts.includes("..")) fail(`file path is invalid [path: ${path}]`);
  if (parts.some((part) => part === "" || part.toLowerCase() === ".git")) {
    refuse(422, `path contains a malformed path component [path: ${path}]`);
  }
}

async function refuseTaken({ site, repo }: WriteCall, tip: string | undefined, path: string): Promise<never> {
  const isFolder = tip !== undefined && (await entriesOf({ site, repo }, tip, path)).length > 0;
  if (isFolder) refuse(422, `a directory exists where you’re trying to create a file [path: ${path}]`);
  return refuse(422, `repository file already exists [path: ${path}]`);
}

/** Throws 422 if a parent folder of the path is a file. */
async function checkFolders({ site, repo }: WriteCall, tip: string | undefined, path: string): Promise<void> {
  if (tip === undefined) return;
  const parts = path.split("/");
  for (let length = 1; length < parts.length; length += 1) {
    const above = parts.slice(0, length).join("/");
    const entry = await entryAt({ site, repo }, tip, above);
    if (entry !== undefined && entry.type !== "dir") {
      refuse(422, `a file exists where you’re trying to create a subdirectory [path: ${above}]`);
    }
  }
}

/** Decodes base64 strictly, ignoring newlines, as Gitea does. Throws 422 if it is invalid. */
function decoded(content = ""): Buffer {
  const text = content.replace(/[\r\n]/g, "");
  const invalidAt =
    /[^A-Za-z0-9+/=]/.exec(text)?.index ?? (text.length % 4 === 0 ? -1 : text.length - (text.length % 4));
  if (invalidAt >= 0) refuse(422, `illegal base64 data at input byte ${invalidAt}`);
  return Buffer.from(text, "base64");
}
