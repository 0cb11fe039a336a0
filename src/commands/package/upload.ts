import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { type BatchItem, batch } from "../../app/batch.ts";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { requireQuota } from "../../app/quota.ts";
import { defaultJobs, readUploadFiles, type UploadFile } from "../../app/upload-files.ts";
import { many, one } from "../../command/args.ts";
import { integer } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import {
  type PackageFile,
  packageFile,
  packageFileList,
  packageFilePath,
  packageFileSize,
  uploadGenericFile,
  type VersionName,
} from "../../forge/packages.ts";
import { RefusedError } from "../../http/errors.ts";
import { bars } from "../../output/bars.ts";
import { accountLabel, addressText, commandOn } from "../../profiles/server.ts";
import { list as listOf } from "../../shape/shape.ts";
import { sizeText } from "../../text/format.ts";
import { ownerFlag, ownerOf, packageLabel, parsePackage } from "./name.ts";

/** `tongs package upload`: PUT each file to the generic registry, then compare its hash. */
export const upload = defineCommand({
  summary: "Upload files to a generic package",
  details:
    "Creates the package and the version if they do not exist. The SHA-256 of each file is compared with the one that " +
    "the server computed. Files that the version already has with the same content are skipped, so run the same " +
    "command again to resume an interrupted upload.",
  external: { uses: "the package registry" },
  on: "server",
  effect: "write",
  args: {
    package: one("NAME@VERSION of a generic package"),
    file: many("files to upload; FILE#NAME sets the name in the package", { names: "input file" }),
  },
  flags: { ...ownerFlag, jobs: integer("number of parallel uploads (default: 4)", { min: 1, max: 16 }) },
  output: listOf(packageFile),
  exits: {
    refused: "the version has another file of that name, or the quota is used up",
    partly: "some files were uploaded, some failed",
  },
  examples: [
    ["Upload two files", "tongs package upload charts@1.0.0 map.txt legend.txt"],
    ["Upload a file under another name", "tongs package upload charts@1.0.0 build/out.bin#map.bin --owner tidewater"],
  ],
  async run(context) {
    const { args, flags, out, options, server, system } = context;
    const { name, version, type } = parsePackage(args.package, "generic");
    if (version === undefined) throw new UsageError(`'${args.package}' has no version: use NAME@VERSION`);
    const files = await readUploadFiles(args.file, system);
    const owner = await ownerOf(flags, context);
    await requireQuota(owner, "size:assets:packages:all", files, context);
    const target = { owner, type, name, version };
    const progress = await bars({ system, out, quiet: options.quiet });
    const send = async (file: UploadFile): Promise<BatchItem> => {
      const bar = progress.add(file.name);
      try {
        const onProgress = (done: number) => bar.at(done, file.size);
        const { message, record } = await uploadFile(target, { ...file, onProgress }, context);
        const address = packageFilePath(target, file.name);
        return { message, record, prints: `${addressText(server.base)}${address}` };
      } finally {
        bar.end();
      }
    };
    // The first file creates the version: servers can fail if several do so at once.
    let first: Promise<unknown> | undefined;
    const work = (file: UploadFile): Promise<BatchItem> => {
      const mine = Promise.resolve(first).then(() => send(file));
      first ??= mine.catch(() => undefined);
      return mine;
    };
    return batch(files, work, context, { jobs: flags.jobs ?? defaultJobs, name: (file) => file.name });
  },
});

/**
 * Uploads a file to a version of a generic package and compares what the server stored. If the version already has the
 * file with the same content, nothing changes; with another content, throws a `refused` failure.
 */
async function uploadFile(
  version: VersionName,
  file: UploadFile & { readonly onProgress: (done: number) => void },
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
