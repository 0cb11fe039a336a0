import { isUtf8 } from "node:buffer";
import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import type { BaseContext } from "../../../app/context.ts";
import { readFileFlagBytes } from "../../../app/input.ts";
import { largestFile } from "../../../app/workflow-inputs.ts";
import { hasCode, reasonOf } from "../../../failure/disk.ts";
import { Failure, UsageError } from "../../../failure/failure.ts";
import { fullPath, shownPath } from "../../../system/files.ts";
import { readStart } from "../../../system/read-limited.ts";
import { sizeText } from "../../../text/format.ts";
import { utf8Text } from "../../../text/utf8.ts";
import { firstDocument, parseYamlDocument, YamlError } from "../../../text/yaml.ts";
import type { Report } from "./finding.ts";
import type { Known } from "./known.ts";
import { type Problem, readTemplate } from "./library.ts";
import { didYouMean } from "./rules.ts";
import { actionFiles, allEvents, eventKeys, giteaLenient, type Product, workflowFolders } from "./servers.ts";
import { isAction, keyThatIsNoText } from "./source.ts";
import { actionOf, type Workflow, workflowOf } from "./workflow.ts";

type Context = Pick<BaseContext, "system" | "git">;

/** A file to check. */
export interface WorkflowFile {
  /** As it was typed, or relative to the current directory; `stdin`. */
  readonly name: string;
  /** Undefined for stdin. */
  readonly path: string | undefined;
  /** The clone or the named directory that it is in, out of which no link may lead; undefined elsewhere. */
  readonly top?: string | undefined;
}

/** The clone that files are in. */
export interface Clone {
  readonly top: string;
  /** Which of the folders of workflows it has. */
  readonly folders: readonly string[];
}

/** The clone of the current directory; undefined outside of one. */
export async function openClone({ git }: Context): Promise<Clone | undefined> {
  const { code, stdout } = await git.attempt(["rev-parse", "--show-toplevel"]);
  if (code !== 0 || stdout.trim() === "") return undefined;
  const top = stdout.replace(/\r?\n$/, "");
  const exists = await Promise.all(
    workflowFolders.map(async (folder) => (await filesBelow(join(top, folder), top)) !== undefined),
  );
  return { top, folders: workflowFolders.filter((_, at) => exists[at]) };
}

/** The files that were named, or all workflow files of the clone. Throws a `not_found` failure if it has none. */
export async function filesToCheck(
  typed: readonly string[],
  clone: Clone | undefined,
  { system }: Context,
): Promise<readonly WorkflowFile[]> {
  if (typed.filter((name) => name === "-").length > 1) throw new UsageError("Standard input can be read only once");
  if (typed.length > 0) {
    const files = await Promise.all(
      typed.map((name) => (name === "-" ? [{ name: "stdin", path: undefined }] : filesNamed(name, clone, system))),
    );
    return files.flat();
  }
  const found: WorkflowFile[] = [];
  const top = clone?.top ?? "";
  for (const folder of clone?.folders ?? []) {
    for (const path of (await filesBelow(join(top, folder), top)) ?? []) {
      found.push({ name: shownPath(path, system), path: fullPath(path, system), top });
    }
  }
  if (found.length > 0) return found;
  const where = clone === undefined ? "This is not a clone" : `There are no files in ${workflowFolders.join(", ")}`;
  throw new Failure("not_found", "No workflow files found", {
    hint: `${where}. Name the files: tongs workflow check FILE`,
  });
}

/**
 * The file that was named. Of a folder, its action and the files in its folders of workflows, else the files in it. Throws a
 * `not_found` failure if there are none.
 */
async function filesNamed(
  name: string,
  clone: Clone | undefined,
  system: Context["system"],
): Promise<readonly WorkflowFile[]> {
  const path = fullPath(name, system);
  const within = clone && isInside({ path }, clone) ? clone.top : undefined;
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [{ name, path, top: within }];
  const top = within ?? path;
  const action = actionFiles.map((file) => join(path, file)).find((file) => existsSync(file));
  const known = (folder: string) => workflowFolders.some((one) => folder.split(sep).join("/").endsWith(`/${one}`));
  const folders = [...workflowFolders, "workflows"].map((folder) => join(path, folder)).filter(known);
  const below = await Promise.all(folders.map((folder) => filesBelow(folder, top)));
  const found = [...(action === undefined ? [] : [action]), ...below.flatMap((files) => files ?? [])];
  const files = found.length > 0 ? found : ((await filesBelow(path, top, known(path))) ?? []);
  if (files.length > 0)
    return files.map((file) => ({ name: shownPath(file, system), path: fullPath(file, system), top }));
  throw new Failure("not_found", `No workflow files found in ${name}`, {
    hint: `The folder has no ${actionFiles.join(", ")}, no ${workflowFolders.join(", ")} and no .yml files`,
  });
}

/**
 * The workflow files in a folder and those below it, by name; undefined if there is no such folder. Linked folders are among
 * them, to be reported: they are not read.
 */
async function filesBelow(folder: string, top: string, recursive = true): Promise<string[] | undefined> {
  try {
    if (!isBelow(await realpath(folder), await realpath(top))) return [folder];
    const entries = await readdir(folder, { withFileTypes: true });
    const found = entries.map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return recursive ? filesBelow(path, top) : [];
      const isLinkedFolder = recursive && entry.isSymbolicLink() && existsSync(`${path}${sep}.`);
      return isLinkedFolder || /\.ya?ml$/.test(entry.name) ? [path] : [];
    });
    return (await Promise.all(found)).flatMap((paths) => paths ?? []).sort();
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}

/** Whether a file is in a clone; stdin is where tongs runs. */
export function isInside({ path }: Pick<WorkflowFile, "path">, { top }: Clone): boolean {
  return path === undefined || isBelow(path, top);
}

function isBelow(path: string, top: string): boolean {
  const between = relative(top, path);
  return !isAbsolute(between) && between.split(sep)[0] !== "..";
}

/** What a link may lead to: the path of a workflow or an action. */
const linkable = new RegExp(`(^|/)(workflows/.*\\.ya?ml|${actionFiles.join("|")})$`);

/**
 * Whether a file may be read: a link can lead to any file of the user, and findings quote what they find. In a clone, it has
 * to be a regular file that is reached by no link, or else a workflow or an action of the same clone.
 */
function mayRead(path: string, top: string | undefined): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  // What is not there is said when it is read.
  if (found === undefined || top === undefined) return found?.isSymbolicLink() !== true;
  try {
    const [file, folder] = [realpathSync(path), realpathSync(top)];
    const place = relative(folder, file);
    const isLinked = place !== relative(top, path);
    return (
      statSync(file).isFile() && (!isLinked || (isBelow(file, folder) && linkable.test(place.replaceAll(sep, "/"))))
    );
  } catch {
    return false;
  }
}

/** The folder of workflows of the clone that a file is in. */
export function folderOf({ path }: WorkflowFile, clone: Clone): string | undefined {
  if (path === undefined) return undefined;
  const inside = relative(clone.top, path).split(sep).join("/");
  return workflowFolders.find((folder) => inside.startsWith(`${folder}/`));
}

/** The text of a file; undefined if it is no text that can be a workflow, which is reported. Throws if it cannot be read. */
export async function readWorkflowText(
  { name, path, top }: WorkflowFile,
  report: Report,
  { system }: Context,
): Promise<string | undefined> {
  if (path !== undefined && !mayRead(path, top)) {
    report.unchecked(
      "file",
      undefined,
      "Not read: it is no regular file, or a link to what is no workflow of this clone",
    );
    return undefined;
  }
  const bytes =
    path === undefined
      ? await readFileFlagBytes("FILE", "-", system)
      : await firstBytes(path, name, { limit: largestFile, isRegular: top !== undefined, signal: system.signal });
  if (bytes.length > largestFile)
    report.unchecked("syntax", undefined, `The file is larger than ${sizeText(largestFile)}`);
  else if (!isUtf8(bytes)) report.error("syntax", undefined, "The file is not UTF-8 text");
  else return utf8Text(bytes);
  return undefined;
}

async function firstBytes(path: string, name: string, read: Parameters<typeof readStart>[1]): Promise<Buffer> {
  try {
    return await readStart(path, read);
  } catch (error) {
    read.signal.throwIfAborted();
    throw new Failure("file", `Could not read ${name}: ${reasonOf(error)}`);
  }
}

/** Reads a workflow or an action and reports what is wrong with its syntax; undefined if nothing can be made of it. */
export async function readWorkflow(
  name: string,
  whole: string,
  { product, report }: Pick<Known, "product"> & { readonly report: Report },
): Promise<Workflow | undefined> {
  try {
    // The parser of workflows has no limits of its own: this one refuses aliases that stand for too many values.
    const { text, next } = await firstDocument(whole);
    if (next !== undefined) report.warning("syntax", next, "Servers read only the first YAML document of a file");
    const document = await parseYamlDocument(text);
    const wrongKey = await keyThatIsNoText(document);
    if (wrongKey !== undefined) {
      const before = text.slice(0, wrongKey).split("\n");
      const at = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
      report.error("syntax", at, "A key must be text; put a value that begins with { in quotes");
      return undefined;
    }
    const kind = (await isAction(name, document)) ? "action" : "workflow";
    if (document.contents === null) {
      report.error("syntax", undefined, "The file is empty");
      return undefined;
    }
    const { root, problems, traps } = await readTemplate(name, text, kind);
    const action = kind === "action" && root !== undefined ? actionOf(root) : undefined;
    // Only composite ones are of steps; the others are not read by their schema, which lacks some programs.
    if (action !== undefined && action.jobs.length === 0) return action;
    for (const { at, message, isOfGitea, isHarmless } of traps) {
      if (isHarmless) report.warning("condition", at, message);
      else if (!isOfGitea || (await product()) === "gitea") report.error("yaml", at, message);
    }
    for (const problem of problems) reportProblem(problem, problem.odd && (await product()), report);
    return action ?? (root && workflowOf(root));
  } catch (error) {
    // Parsers recurse.
    const isDeep = error instanceof Error && /call stack/.test(error.message);
    if (isDeep) report.error("syntax", undefined, "The file has too many levels");
    else if (error instanceof YamlError) report.error("syntax", error, error.reason);
    else if (error instanceof UsageError) report.error("syntax", undefined, error.message);
    else throw error;
    return undefined;
  }
}

/** Reports a mistake, unless the server takes it: Gitea ignores keys that it does not know, as its files can have for anchors. */
function reportProblem({ at, message, odd, isHarmless }: Problem, product: Product | undefined, report: Report): void {
  if (isHarmless) {
    report.warning("syntax", at, message);
    return;
  }
  const event = odd !== undefined && "event" in odd ? odd.event : undefined;
  const key = odd !== undefined && "key" in odd ? odd.key : undefined;
  const isForAnchors = key?.startsWith("x-") ?? false;
  const where = odd !== undefined && "isBesideUses" in odd ? " in a job that calls a workflow" : "";
  if (event !== undefined && key === undefined) {
    report.error("event", at, `No server starts workflows on '${event}'${didYouMean(event, allEvents)}`);
  } else if (event !== undefined && key !== undefined && (product !== "gitea" || !giteaLenient.has(event))) {
    const near = eventKeys.includes(key) ? "" : didYouMean(key, eventKeys);
    const starts = `Gitea does not start the workflow on '${event}' with the unknown key '${key}'`;
    report.error("event", at, `${product === "gitea" ? starts : `Unknown key '${key}'`}${near}`);
  } else if (
    odd === undefined ||
    product === "forgejo" ||
    (product === undefined && key !== undefined && !isForAnchors)
  ) {
    report.error("syntax", at, key === undefined ? message : `Unknown key '${key}'${where}`);
  } else if (product === undefined && key === undefined) report.warning("syntax", at, `${message}, unless on Gitea`);
  else if (key !== undefined && !isForAnchors)
    report.warning("key", at, `Gitea ignores the unknown key '${key}'${where}`);
}
