import { basename } from "node:path";
import { Failure, withHint } from "../../failure/failure.ts";
import { type Attached, type Attachment, uploadAttachment } from "../../forge/attachments.ts";
import { addressText } from "../../profiles/server.ts";
import { saveFile } from "../../prompts/keep-text.ts";
import { joinWords } from "../../text/words.ts";
import type { BaseContext, ServerContext } from "../context.ts";
import { editors, explainDenied } from "../denied.ts";
import { type FailedUpload, uploadFiles } from "../upload-files.ts";
import type { AttachFile } from "./limits.ts";
import type { Uploads } from "./plan.ts";

type UploadContext = Pick<BaseContext, "system" | "out" | "options"> & ServerContext;

/** What files are attached to. */
export interface Destination {
  readonly target: Attached;
  /** `mara/harbor#12`, or `comment 34`. */
  readonly name: string;
  /** The words of a command that gives it the rest: `--attach` and `--body-file` follow. */
  readonly finish: readonly string[];
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
    const failed = await sendFiles(uploads, to, done, context);
    if (failed.length > 0) {
      const failure = partly(`${created}, but ${notUploaded(failed)}`, failed[0]?.failure);
      return {
        value: undefined,
        uploaded: uploaded(),
        failure: withHint(failure, await rest(uploads, done, to, context)),
      };
    }
    const body = await textOf(uploads, done, context);
    return { value: body === undefined ? undefined : await edit(body), uploaded: uploaded() };
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
  send: (body: string | undefined) => Promise<T>,
): Promise<WithFiles<T>> {
  if (uploads.files.length === 0) return { value: await send(undefined), uploaded: [] };
  const done = new Map<AttachFile, Attachment>();
  try {
    const failed = await uploads.named(sendFiles(uploads, to, done, context));
    const first = failed[0]?.failure;
    if (first !== undefined) throw done.size === 0 ? first : partly(`On ${to.name}, ${notUploaded(failed)}`, first);
    return { value: await send(await textOf(uploads, done, context)), uploaded: [...done.values()] };
  } catch (error) {
    if (!(error instanceof Failure) || done.size === 0) throw error;
    const names = [...done.keys()].map(({ name }) => name).join(", ");
    const hint = `Uploaded to ${to.name}: ${names}. ${await rest(uploads, done, to, context)}`;
    if (context.system.signal.aborted) context.out.note(hint);
    throw withHint(error, hint);
  }
}

/** One after the other: a page shows attachments in the order in which they came. */
function sendFiles(
  { files }: Uploads,
  { target, name }: Destination,
  done: Map<AttachFile, Attachment>,
  context: UploadContext,
): Promise<readonly FailedUpload[]> {
  const send = async (file: AttachFile, content: Parameters<typeof uploadAttachment>[3]) => {
    const made = await uploadAttachment(context.http, target, file.name, content).catch((error: unknown) => {
      throw explainDenied(error, `Cannot attach files to ${name}`, editors);
    });
    done.set(file, made);
  };
  return uploadFiles(files, send, context, 1);
}

/** The text with the addresses of what was uploaded, and with the paths of other files; undefined without links to them. */
function textOf(
  { linked }: Uploads,
  done: ReadonlyMap<AttachFile, Attachment>,
  { server }: ServerContext,
): Promise<string> | undefined {
  return linked?.((file) => {
    const made = done.get(file);
    if (made === undefined) return file.bytes === undefined ? file.path : file.name;
    return made.browser_download_url ?? `${addressText(server.base)}/attachments/${made.uuid}`;
  });
}

/** How to finish: the command with what is left. Text, and what stdin had, are saved for it. */
async function rest(
  uploads: Uploads,
  done: ReadonlyMap<AttachFile, Attachment>,
  { finish }: Destination,
  context: UploadContext,
): Promise<string> {
  const words = [...finish];
  const body = await textOf(uploads, done, context);
  if (body !== undefined) words.push("--body-file", await saveFile("text.md", body));
  for (const file of uploads.files.filter((one) => !done.has(one))) {
    const path = file.bytes === undefined ? file.path : await saveFile("stdin", file.bytes);
    words.push("--attach", basename(path) === file.name ? path : `${path}#${file.name}`);
  }
  return `To finish: ${joinWords(words)}`;
}

function notUploaded(failed: readonly FailedUpload[]): string {
  const names = failed.map(({ file }) => file.name).join(", ");
  const reasons = [...new Set(failed.map(({ failure }) => failure.message))].join("\n");
  return `${failed.length === 1 ? "a file was" : `${failed.length} files were`} not uploaded (${names}): ${reasons}`;
}

function partly(message: string, cause: Failure | undefined): Failure {
  return new Failure("partly_done", message, { cause });
}
