import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { Failure } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import {
  type PackageFile,
  packageFileList,
  packageFileSize,
  uploadGenericFile,
  type VersionName,
} from "../../forge/packages.ts";
import { RefusedError } from "../../http/errors.ts";
import { accountLabel, commandOn } from "../../profiles/server.ts";
import { sizeText } from "../../text/format.ts";
import { packageLabel } from "./name.ts";

interface LocalFile {
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly onProgress: (done: number) => void;
}

/**
 * Uploads a file to a version of a generic package and compares what the server stored. If the version already has the
 * file with the same content, nothing changes; with another content, throws a `refused` failure.
 */
export async function uploadFile(
  version: VersionName,
  file: LocalFile,
  { http, server, system }: Pick<BaseContext & ServerContext, "http" | "server" | "system">,
): Promise<{ readonly message: string; readonly record: PackageFile | undefined; readonly unchanged?: boolean }> {
  const { name, size } = file;
  const label = `${packageLabel(version)} of ${version.owner}`;
  const stored = async () => (await call(http, packageFileList, { ...version }))?.find((one) => one.name === name);
  let sent: string;
  try {
    sent = await uploadGenericFile(http, version, name, file);
  } catch (error) {
    // The server refuses every file that exists, also that of an interrupted run.
    if (!(error instanceof RefusedError) || error.exchange.status !== 409) throw error;
    const existing = await stored();
    if (existing === undefined || !isSame(existing, { size, sha256: await hashOf(file.path, system.signal) })) {
      throw new Failure("exists", `${label} already has another file named ${name}`, {
        hint: "Upload it under another name or as a new version, or delete the version first.",
        cause: error,
      });
    }
    return { message: `No change: ${name} of ${label}`, record: existing, unchanged: true };
  }
  const record = await stored();
  if (record === undefined || !isSame(record, { size, sha256: sent })) {
    throw new Failure("damaged", `The content of ${name} on the server differs from what was sent`, {
      hint: `Delete the version and upload it again: ${commandOn(server, `tongs package delete ${packageLabel(version)}`)}`,
    });
  }
  return { message: `Uploaded ${name} (${sizeText(size)}) to ${label} ${accountLabel(server)}`, record };
}

/** Whether the server's file is the local one, as far as the server says. */
function isSame(file: PackageFile, local: { readonly size: number; readonly sha256: string }): boolean {
  const size = packageFileSize(file);
  return (size === undefined || size === local.size) && (file.sha256 ?? local.sha256).toLowerCase() === local.sha256;
}

async function hashOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest("hex");
}
