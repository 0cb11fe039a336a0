import { basename, dirname } from "node:path";
import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { downloadFiles, existingFlags, limitFlags, onExistingOf, type WantedFile } from "../../app/download-files.ts";
import { displayName } from "../../archive/archive-failure.ts";
import { optional } from "../../command/args.ts";
import { choice, text, texts } from "../../command/flags.ts";
import { tooLarge } from "../../download/download.ts";
import { damaged, wrongLength } from "../../download/save-file.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { attachmentDownload } from "../../forge/attachments.ts";
import { call } from "../../forge/operation.ts";
import { archiveGet, type ReleaseAsset, releaseAsset } from "../../forge/releases.ts";
import { fullName } from "../../repo/repo-name.ts";
import { list as listOf, record, string } from "../../shape/shape.ts";
import { fullPath } from "../../system/files.ts";
import { contextPattern } from "../../text/glob.ts";
import { assetsOf, findRelease, releaseArgument, releaseName } from "./find-release.ts";

/** `tongs release download`: GET the assets of a release, or its source code. */
export const download = defineCommand({
  summary: "Download assets of a release",
  details:
    "Without --pattern, downloads all assets. Files get the time of their asset. Run the same command again to resume an interrupted download: " +
    "a file of the same size and time is not downloaded again, and any other is left as it is. No files are written outside DIR. JSON output has the additional field path.",
  external: { uses: "web pages" },
  on: "repository",
  effect: "read",
  asTool: "write",
  usesFiles: true,
  args: { tag: optional(`${releaseArgument} (default: latest)`, { source: "release" }) },
  flags: {
    pattern: texts("filter by name pattern", { short: "p", placeholder: "GLOB", filters: true }),
    archive: choice(["zip", "tar.gz"], "download the source code in this format", { short: "A" }),
    dir: text("directory to download into (default: .)", { short: "D", names: "output file", placeholder: "DIR" }),
    output: text("write a single asset to this file", {
      dash: "stdout",
      short: "O",
      names: "output file",
      placeholder: "FILE",
    }),
    ...limitFlags,
    ...existingFlags,
  },
  exclusive: [
    ["clobber", "skipExisting"],
    ["dir", "output"],
    ["pattern", "archive"],
  ],
  output: listOf(record({ ...releaseAsset.fields, path: string })),
  exits: {
    failure: "a file is damaged, or larger than --max-size",
    notFound: "the release does not exist, or no asset matches",
    partly: "some assets were downloaded, some failed",
  },
  examples: [
    ["Download the assets of the latest release", "tongs release download"],
    ["Download two kinds of packages", "tongs release download v1.2.0 -p '*.deb' -p '*.rpm' --dir packages"],
    ["Download the source code", "tongs release download v1.2.0 --archive tar.gz"],
  ],
  async run(context) {
    const { args, flags, system } = context;
    const found = await findRelease(args.tag, context);
    const from = releaseName(found, context);
    const patterns = flags.pattern.map(contextPattern);
    const assets = assetsOf(found).filter(({ name }) => patterns.length === 0 || patterns.some((fits) => fits(name)));
    const wanted =
      flags.archive === undefined
        ? assets.map((asset) => assetFile(asset, context))
        : [sourceFile(`${found.tag_name}.${flags.archive}`, context)];
    if (wanted.length === 0) {
      const message = assetsOf(found).length === 0 ? `No assets in ${from}` : `No asset of ${from} matches`;
      const names = assetsOf(found).map(({ name }) => name);
      const hint = names.length === 0 ? undefined : `Assets: ${names.slice(0, 20).join(", ")}`;
      throw new Failure("not_found", message, { hint });
    }
    const [only] = wanted;
    if (flags.output !== undefined && (wanted.length > 1 || only === undefined)) {
      throw new UsageError(`--output requires a single asset, but ${wanted.length} match`, "Narrow it with --pattern.");
    }
    if (flags.output === "-" && only !== undefined) return printFile(only, flags.maxSize, context);
    const { jobs, maxSize } = flags;
    const output = flags.output === undefined ? undefined : fullPath(flags.output, system);
    const target =
      output === undefined ? { dir: flags.dir ?? "." } : { dir: dirname(output), fileName: basename(output) };
    return downloadFiles(wanted, { from, ...target, jobs, maxSize, onExisting: onExistingOf(flags) }, context);
  },
});

function assetFile(asset: ReleaseAsset, { http, repo }: RepositoryContext): WantedFile {
  const { id, name, size, type, uuid, created_at } = asset;
  if (uuid === undefined || uuid === "") {
    throw new Failure("broken_answer", `The server returned no UUID of ${name}`);
  }
  return {
    id,
    name,
    // Of an external one, the server does not know it.
    size: type === "external" ? undefined : size,
    createdAt: created_at,
    identity: `${fullName(repo)} release asset ${id} of ${created_at}`,
    open: (headers) => call(http, attachmentDownload, { uuid }, undefined, { headers }),
    record: asset,
  };
}

/** The source code at a tag: `v1.2.zip`. */
function sourceFile(archive: string, { http, repo }: RepositoryContext): WantedFile {
  const name = `${repo.name}-${archive}`;
  return {
    id: 0,
    name,
    size: undefined,
    identity: `${fullName(repo)} release source ${name}`,
    open: (headers) => call(http, archiveGet, { repo, archive }, undefined, { headers }),
    record: { name },
  };
}

/** Prints one file of at most `maxSize` bytes on stdout, without a file. */
async function printFile({ name, size, open }: WantedFile, maxSize: number, { out }: BaseContext): Promise<void> {
  if (size !== undefined && size > maxSize) throw tooLarge(maxSize);
  const { body } = await open({});
  let received = 0;
  for await (const piece of body) {
    received += piece.length;
    if (received > maxSize) throw tooLarge(maxSize);
    await out.raw(piece);
  }
  if (size !== undefined && received !== size) {
    throw damaged(displayName(name), wrongLength(received, size), "Try again later. What was printed is not complete.");
  }
}
