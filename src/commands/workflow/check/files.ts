import { isUtf8 } from "node:buffer";
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import type { BaseContext } from "../../../app/context.ts";
import { readFileFlagBytes } from "../../../app/input.ts";
import { largestFile } from "../../../app/workflow-inputs.ts";
import { reasonOf } from "../../../failure/disk.ts";
import { Failure, UsageError } from "../../../failure/failure.ts";
import { fullPath, shownPath } from "../../../system/files.ts";
import { readStart } from "../../../system/read-limited.ts";
import { sizeText } from "../../../text/format.ts";
import { utf8Text } from "../../../text/utf8.ts";
import type { Report } from "./finding.ts";
import { actionFiles, workflowFolders } from "./servers.ts";

type Context = Pick<BaseContext, "system" | "git">;

/** A file to check. */
export interface WorkflowFile {
  /** As it was typed, or relative to the current directory; `stdin`. */
  readonly name: string;
  /** Undefined for stdin. */
  readonly path: string | undefined;
  /** The clone or the named directory that it is in; undefined elsewhere. */
  readonly top?: string | undefined;
}

/** The top folder of the clone of the current directory; undefined outside of one. */
export async function openClone({ git }: Context): Promise<string | undefined> {
  const { code, stdout } = await git.attempt(["rev-parse", "--show-toplevel"]);
  return code === 0 && stdout.trim() !== "" ? stdout.replace(/\r?\n$/, "") : undefined;
}

/** The files that were named, or all workflow files of the clone. Throws a `not_found` failure if it has none. */
export function filesToCheck(
  typed: readonly string[],
  clone: string | undefined,
  { system }: Context,
): readonly WorkflowFile[] {
  if (typed.filter((name) => name === "-").length > 1) throw new UsageError("Standard input can be read only once");
  const filesIn = (folder: string, top: string, isNamed: boolean) => {
    const found = folder !== top && lstatIn(folder, top) === undefined ? [folder] : inFolders(folder, top, isNamed);
    return found.map((path) => ({ name: shownPath(path, system), path: fullPath(path, system), top }));
  };
  const found = typed.flatMap((name): readonly WorkflowFile[] => {
    if (name === "-") return [{ name: "stdin", path: undefined }];
    const path = fullPath(name, system);
    const top = clone !== undefined && isInside(path, clone) ? clone : undefined;
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [{ name, path, top }];
    const files = filesIn(path, top ?? path, true);
    if (files.length > 0) return files;
    throw none(` in ${name}`, `no ${[...actionFiles, ...workflowFolders].join(", ")} or .yml file there`);
  });
  const files = typed.length > 0 ? found : clone === undefined ? [] : filesIn(clone, clone, false);
  if (files.length === 0) throw none("", `no clone with ${workflowFolders.join(", ")}`);
  return files;
}

const none = (where: string, why: string) =>
  new Failure("not_found", `No workflow files found${where}`, {
    hint: `There is ${why}. Name the files: tongs workflow check FILE`,
  });

/** The files in the folders of workflows of a folder; of one that was named also its action, and else the files in it. */
function inFolders(path: string, top: string, isNamed: boolean): readonly string[] {
  const actions = actionFiles.map((name) => join(path, name)).filter((file) => isNamed && existsSync(file));
  const folders = [...workflowFolders, "workflows"].map((folder) => join(path, folder));
  const known = folders.filter((folder) => isOfWorkflows(folder) && lstatIn(folder, top)?.isDirectory());
  // No server reads that one beside others.
  const read = isNamed || known.length === 1 ? known : known.filter((folder) => !/\.github\W\w+$/.test(folder));
  const found = [...actions, ...read.flatMap((folder) => filesBelow(folder))];
  return found.length > 0 || !isNamed ? found : filesBelow(path, isOfWorkflows(path));
}

const isOfWorkflows = (path: string) => /\.(forgejo|gitea|github)\/workflows(\/|$)/.test(path.replaceAll(sep, "/"));

/** The workflow files in a folder and those below it, by name. Links to folders are not followed: servers do not, either. */
const filesBelow = (folder: string, recursive = true): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive })
    .filter((entry) => !entry.isDirectory() && /\.ya?ml$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

/** What is at a path; undefined if there is nothing, or a link on its way from the top folder. */
function lstatIn(path: string, top: string) {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found && realpathSync(dirname(path)) === join(realpathSync(top), relative(top, dirname(path)))
    ? found
    : undefined;
}

/** Whether a file is in a clone; stdin is where tongs runs. */
export function isInside(path: string | undefined, top: string): boolean {
  const between = path === undefined ? "" : relative(top, path);
  return !isAbsolute(between) && between.split(sep)[0] !== "..";
}

/** The text of a file; undefined if it is no text that can be a workflow, which is reported. Throws if it cannot be read. */
export async function readWorkflowText(
  { name, path, top }: WorkflowFile,
  report: Report,
  { system }: Context,
): Promise<string | undefined> {
  // A link can lead to any file of the user, and findings quote what they find.
  const found = path === undefined ? undefined : lstatSync(path, { throwIfNoEntry: false });
  const isFile = path === undefined || top === undefined || !found || lstatIn(path, top)?.isFile();
  if (!isFile || found?.isSymbolicLink()) {
    report.error("file", undefined, "Not read: it is a link, or no regular file");
    return undefined;
  }
  const read = { limit: largestFile, isRegular: top !== undefined, signal: system.signal };
  const bytes = await (path === undefined ? readFileFlagBytes("FILE", "-", system) : readStart(path, read)).catch(
    (error: unknown) => {
      system.signal.throwIfAborted();
      throw path === undefined ? error : new Failure("file", `Could not read ${name}: ${reasonOf(error)}`);
    },
  );
  if (bytes.length > largestFile)
    report.unchecked("syntax", undefined, `The file is larger than ${sizeText(largestFile)}`);
  else if (!isUtf8(bytes)) report.error("syntax", undefined, "The file is not UTF-8 text");
  else return utf8Text(bytes);
  return undefined;
}
