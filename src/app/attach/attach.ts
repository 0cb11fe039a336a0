import { text, texts } from "../../command/flags.ts";
import { diskFailure } from "../../failure/disk.ts";
import { UsageError } from "../../failure/failure.ts";
import { attachment } from "../../forge/attachments.ts";
import { list, optional, record, type Shape } from "../../shape/shape.ts";
import type { BaseContext } from "../context.ts";
import { imageType, imageTypeOf } from "../image-type.ts";
import { readFileFlagBytes } from "../input.ts";
import { readUploadFiles, requireNames } from "../upload-files.ts";
import type { AttachFile } from "./limits.ts";

/** The flags for the files of a text. */
export const attachFlags = {
  attach: texts("attach a file; FILE#NAME sets its name", { placeholder: "FILE", names: "input file", dash: "stdin" }),
  attachName: text("name of the file that is given as --attach -", { placeholder: "NAME" }),
};

/** What help says of the images of a text. */
export const attachDetails =
  "Images that the text shows from files here, such as ![lamp](lamp.png), are uploaded and their links changed, if they are " +
  "below the directory of the text or the current one; others are refused before anything is sent. --attach takes any file.";

/** The record of a command that uploads: JSON output names in `uploaded` what was uploaded. */
export function withUploads<F extends Readonly<Record<string, Shape<unknown>>>>({ fields }: { readonly fields: F }) {
  return record({ ...fields, uploaded: optional(list(attachment)) });
}

/** The flags, with the one that reads the text. */
export interface AttachFlags {
  readonly attach: readonly string[];
  readonly attachName: string | undefined;
}

/**
 * The files of `--attach`. `textFile` is where the text is read from. Throws a usage error if a file cannot be read, if two have
 * the same name, or if stdin has no name or is read twice.
 */
export async function readAttached(
  { attach, attachName }: AttachFlags,
  textFile: string | undefined,
  system: BaseContext["system"],
): Promise<readonly AttachFile[]> {
  const paths = attach.filter((typed) => typed !== "-");
  const ofStdin = attach.length - paths.length;
  if (ofStdin === 0 && attachName !== undefined) throw new UsageError("--attach-name requires --attach -");
  if (ofStdin > 0 && !attachName?.trim()) throw new UsageError("--attach - requires --attach-name");
  if (ofStdin > 1 || (ofStdin > 0 && textFile === "-")) throw new UsageError("stdin can be read only once");
  const files = await Promise.all((await readUploadFiles(paths, system)).map(withType));
  if (ofStdin === 0 || attachName === undefined) return files;
  const bytes = await readFileFlagBytes("--attach", "-", system);
  const piped = { typed: "-", path: "-", name: attachName, size: bytes.length, bytes, image: imageType(bytes) };
  requireNames([...files, piped]);
  return [...files, piped];
}

async function withType(file: AttachFile): Promise<AttachFile> {
  try {
    return { ...file, image: await imageTypeOf(file.path) };
  } catch (error) {
    throw new UsageError(`Cannot upload ${file.typed}: ${diskFailure(error, file.path)?.message ?? String(error)}`);
  }
}
