import { basename } from "node:path";
import { Failure, withHint } from "../../failure/failure.ts";
import {
  type Attached,
  type Attachment,
  attachesToComments,
  listAttachments,
  uploadAttachment,
} from "../../forge/attachments.ts";
import { collect } from "../../forge/listings.ts";
import { mayHaveActed } from "../../http/no-answer-error.ts";
import { addressText, commandOn } from "../../profiles/server.ts";
import { saveFile } from "../../prompts/keep-text.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { joinWords } from "../../text/words.ts";
import type { BaseContext, ServerContext } from "../context.ts";
import { editors, orDenied } from "../denied.ts";
import { type FailedUpload, findUploaded, uploadFiles } from "../upload-files.ts";
import type { AttachFile } from "./limits.ts";
import type { Texts, Uploads } from "./plan.ts";

type UploadContext = Pick<BaseContext, "system" | "out" | "options"> & ServerContext;

/** What files are attached to. */
export interface Destination {
  readonly target: Attached;
  /** The issue or pull request of a comment that is the target. */
  readonly page?: number;
  /** The command that comments on it, if it is an issue or a pull request. */
  readonly noun?: "issue" | "pr";
  /** `mara/harbor#12`, or `comment 34`. */
  readonly name: string;
  /** The words of a command that gives it the rest: `--attach` follows, and `--body-file` unless it is a function. */
  readonly finish: readonly string[] | ((texts: Texts | undefined) => Promise<readonly string[]>);
}

/** What became of a text and its files. */
export interface WithFiles<T> {
  readonly value: T;
  readonly uploaded: readonly Attachment[];
}

/** The record that JSON output has: what was uploaded is added to it, if there was anything. */
export function recordWith(record: unknown, uploaded: readonly Attachment[]): unknown {
  if (uploaded.length === 0) return record;
  if (typeof record !== "function") return { ...(record as object), uploaded };
  return async () => recordWith(await (record as () => Promise<unknown>)(), uploaded);
}

/**
 * Uploads the files of what was just created, then has `edit` give it the text with their addresses. Returns the failure, which
 * says how to finish, if a file was not uploaded or the text not changed: what was created stays.
 */
export async function attachAfter<T>(
  uploads: Uploads,
  { created, edit, ...to }: Destination & { readonly created: string; readonly edit: (body: string) => Promise<T> },
  context: UploadContext,
): Promise<WithFiles<T | undefined> & { readonly failure?: Failure }> {
  const done = new Map<AttachFile, Attachment>();
  const uploaded = () => [...done.values()];
  try {
    const failed = await sendFiles(uploads, { ...to, isNew: true }, done, context);
    if (failed.length > 0) {
      const failure = partly(`${created}, but ${notUploaded(failed)}`, failed[0]?.failure);
      return {
        value: undefined,
        uploaded: uploaded(),
        failure: withHint(failure, await rest(uploads, done, to, context, failed[0])),
      };
    }
    const texts = await textsOf(uploads, done, context);
    return { value: texts === undefined ? undefined : await edit(texts.body), uploaded: uploaded() };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const hint = await rest(uploads, done, to, context);
    if (context.system.signal.aborted) {
      context.out.note(`${created}. ${hint}`);
      throw error;
    }
    const failure = partly(`${created}, but its links were not changed: ${error.message}`, error);
    return { value: undefined, uploaded: uploaded(), failure: withHint(failure, hint) };
  }
}

/**
 * Uploads files to what exists, then sends the text with their addresses. Throws a failure that says how to finish if only some
 * files were uploaded, or if the text was not sent afterwards.
 */
export async function attachBefore<T>(
  uploads: Uploads,
  to: Destination,
  context: UploadContext,
  send: (body?: string, lines?: readonly string[]) => Promise<T>,
): Promise<WithFiles<T>> {
  if (uploads.files.length === 0) return { value: await send(), uploaded: [] };
  const done = new Map<AttachFile, Attachment>();
  try {
    const failed = await uploads.named(sendFiles(uploads, to, done, context));
    const first = failed[0]?.failure;
    if (first !== undefined && done.size === 0) {
      const page =
        first.exit === "denied"
          ? await elsewhere(to, uploads.files, await keptFiles(uploads.files), context)
          : undefined;
      throw page === undefined ? first : withHint(first, page);
    }
    if (first !== undefined) throw partly(`On ${to.name}, ${notUploaded(failed)}`, first);
    const texts = await textsOf(uploads, done, context);
    return { value: await send(texts?.body, texts?.lines), uploaded: [...done.values()] };
  } catch (error) {
    if (!(error instanceof Failure) || done.size === 0) throw error;
    const names = [...done.keys()].map(({ name }) => name).join(", ");
    const hint = `Uploaded to ${to.name}: ${names}. ${await rest(uploads, done, to, context)}`;
    if (context.system.signal.aborted) context.out.note(hint);
    throw withHint(error, hint);
  }
}

/** One after the other: a page shows attachments in the order in which they came. */
async function sendFiles(
  { files }: Uploads,
  { target, name, isNew = false }: Destination & { readonly isNew?: boolean },
  done: Map<AttachFile, Attachment>,
  context: UploadContext,
): Promise<readonly FailedUpload[]> {
  // What existed can have an equal one.
  const arrived = async () => {
    const known = new Set([...done.values()].map(({ id }) => id));
    return (await collect(listAttachments(context.http, target))).filter(({ id }) => !known.has(id));
  };
  const send = async (file: AttachFile, content: Parameters<typeof uploadAttachment>[3]) => {
    const made = await uploadAttachment(context.http, target, file.name, content)
      .catch((error: unknown) => (isNew ? findUploaded(file, error, arrived) : Promise.reject(error)))
      .catch(orDenied(`Cannot attach files to ${name}`, editors));
    done.set(file, made);
  };
  return uploadFiles(files, send, context, 1);
}

/** The texts with the addresses of what was uploaded, and with the paths of other files; undefined without links to them. */
function textsOf(
  { linked }: Uploads,
  done: ReadonlyMap<AttachFile, Attachment>,
  { server }: ServerContext,
): Promise<Texts> | undefined {
  return linked?.((file) => {
    const made = done.get(file);
    if (made === undefined) return file.bytes === undefined ? file.path : file.name;
    return made.browser_download_url ?? `${addressText(server.base)}/attachments/${made.uuid}`;
  });
}

/**
 * How to finish: the command with what is left, or where a web browser does it for those who may not. Text, and what stdin had,
 * are saved for it.
 */
async function rest(
  uploads: Uploads,
  done: ReadonlyMap<AttachFile, Attachment>,
  to: Destination,
  context: UploadContext,
  failed?: FailedUpload,
): Promise<string> {
  const left = uploads.files.filter((one) => !done.has(one));
  const files = await keptFiles(left);
  const page = failed?.failure.exit === "denied" ? await elsewhere(to, left, files, context) : undefined;
  if (page !== undefined) return page;
  const { finish } = to;
  const texts = await textsOf(uploads, done, context);
  const words = typeof finish === "function" ? [...(await finish(texts))] : [...finish];
  if (typeof finish !== "function" && texts !== undefined)
    words.push("--body-file", await saveFile("text.md", texts.body));
  return `To finish: ${joinWords([...words, ...files.flatMap((file) => ["--attach", file])])}`;
}

/**
 * What works without write access: the servers' web pages take files of everybody who may comment, and some servers take those
 * of a comment from its author. The text of the comment is the names of the files, whose paths are `kept`.
 */
async function elsewhere(
  { target, noun, page = target.of === "issue" ? target.id : undefined }: Destination,
  files: readonly AttachFile[],
  kept: readonly string[],
  { http, server }: ServerContext,
): Promise<string | undefined> {
  if (page === undefined) return undefined;
  if (noun !== undefined && target.of === "issue" && (await attachesToComments(http)) === "authors") {
    const attach = ["--body", files.map(({ name }) => name).join(", "), ...kept.flatMap((file) => ["--attach", file])];
    const words = ["tongs", noun, "comment", `${page}`, "-R", fullName(target.repo), ...attach];
    return `Without write access, attach files to a comment of yours: ${commandOn(server, joinWords(words))}`;
  }
  return attachInBrowser(target.repo, page, kept);
}

function attachInBrowser(repo: RepoName, page: number, kept: readonly string[]): string {
  const words = ["tongs", "browse", `${page}`, "-R", fullName(repo)];
  const how = `Without write access, attach files to a comment in the browser: ${joinWords(words)}`;
  return `${how}\nThe files: ${joinWords(kept)}`;
}

/** Throws, before a comment is posted, if its files would be refused. */
export async function requireCommentFiles(
  { files }: Uploads,
  repo: RepoName,
  page: number,
  context: ServerContext,
): Promise<void> {
  if (files.length === 0) return;
  const { refusesCommentFiles } = await import("./limits.ts");
  if (!(await refusesCommentFiles(repo, context))) return;
  throw new Failure(
    "forbidden",
    "Nothing was posted: the server takes files of comments only from users with write access",
    { hint: attachInBrowser(repo, page, await keptFiles(files)) },
  );
}

/** The files as `--attach` takes them; what stdin had is saved. */
async function keptFiles(files: readonly AttachFile[]): Promise<string[]> {
  const kept: string[] = [];
  for (const file of files) {
    const path = file.bytes === undefined ? file.path : await saveFile("stdin", file.bytes);
    kept.push(basename(path) === file.name ? path : `${path}#${file.name}`);
  }
  return kept;
}

function notUploaded(failed: readonly FailedUpload[]): string {
  const names = failed.map(({ file }) => file.name).join(", ");
  const reasons = [...new Set(failed.map(({ failure }) => failure.message))].join("\n");
  const what = failed.every(({ failure }) => mayHaveActed(failure))
    ? `${failed.length === 1 ? "a file" : `${failed.length} files`} may not have been uploaded`
    : `${failed.length === 1 ? "a file was" : `${failed.length} files were`} not uploaded`;
  return `${what} (${names}): ${reasons}`;
}

function partly(message: string, cause: Failure | undefined): Failure {
  return new Failure("partly_done", message, { cause });
}
