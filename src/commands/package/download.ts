import { resolve } from "node:path";
import { type BatchItem, batch } from "../../app/batch.ts";
import type { ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { existingFlags, onExistingOf } from "../../app/existing-files.ts";
import { displayName } from "../../archive/archive-failure.ts";
import { defaultLimits } from "../../archive/limits.ts";
import { any, one } from "../../command/args.ts";
import { integer, sizeOr, text, texts } from "../../command/flags.ts";
import { fileNameKey, fileNames } from "../../download/file-names.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { collect, filterListing } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import {
  downloadGenericFile,
  type PackageFile,
  packageFile,
  packageFileList,
  packageFileSize,
  packageList,
} from "../../forge/packages.ts";
import { bars } from "../../output/bars.ts";
import { addressText } from "../../profiles/server.ts";
import { list as listOf, record, string } from "../../shape/shape.ts";
import { fullPath, shownPath } from "../../system/files.ts";
import { sizeText } from "../../text/format.ts";
import { contextPattern } from "../../text/glob.ts";
import { explainPackage, findVersion, ownerFlag, ownerOf, packageLabel, parsePackage } from "./name.ts";

/** `tongs package download`: GET the files of a version from the generic registry, and check their hashes. */
export const download = defineCommand({
  summary: "Download the files of a generic package",
  details:
    "Without FILE and --pattern, downloads all files. Size and SHA-256 of each file are checked before it is moved into " +
    "place. Run the same command again to resume an interrupted download. No files are written outside DIR. JSON " +
    "output has the additional field path.",
  besideApi: { uses: "the package registry" },
  on: "server",
  effect: "read",
  asTool: "write",
  usesFiles: true,
  args: { package: one("NAME@VERSION of a generic package, or NAME for the latest version"), file: any("file names") },
  flags: {
    ...ownerFlag,
    pattern: texts("filter by name pattern", { short: "p", placeholder: "GLOB", filters: true }),
    dir: text("directory to download into (default: .)", { short: "D", names: "output file", placeholder: "DIR" }),
    jobs: integer("number of parallel downloads (default: 4)", { min: 1, max: 16 }),
    ...existingFlags,
    maxSize: sizeOr("16G", defaultLimits.size, "maximum size of a file"),
  },
  exclusive: [["clobber", "skipExisting"]],
  output: listOf(record({ ...packageFile.fields, path: string })),
  exits: { partly: "some files were downloaded, some failed" },
  examples: [
    ["Download the files of the latest version", "tongs package download charts"],
    ["Download one file of an organization's package", "tongs package download charts@1.0.0 map.txt --owner tidewater"],
  ],
  async run(context) {
    const { args, flags, http, out, options, server, system } = context;
    if (args.file.length > 0 && flags.pattern.length > 0) throw new UsageError("Specify either FILE or --pattern");
    const owner = await ownerOf(flags, context);
    const orOtherType = (error: unknown) => explainType(error, { typed: args.package, owner }, context);
    const version = await findVersion(args.package, owner, context, "generic").catch(orOtherType);
    const label = `${packageLabel(version)} of ${version.owner}`;
    const listed = explainPackage(call(http, packageFileList, { ...version }), version, server).catch(orOtherType);
    const all = (await listed) ?? [];
    const wanted = select(all, { names: args.file, patterns: flags.pattern }, label);
    const names = fileNames(wanted);
    const into = fullPath(flags.dir ?? ".", system);
    const onExisting = onExistingOf(flags);
    const { signal, sleep, random } = system;
    const { saveFile } = await import("../../download/save-file.ts");
    const progress = await bars({ system, out, quiet: options.quiet });
    const work = async (file: PackageFile): Promise<BatchItem> => {
      const fileName = names.get(file.id) ?? String(file.id);
      const size = packageFileSize(file);
      const about = `${displayName(file.name)}${size === undefined ? "" : ` (${sizeText(size)})`} of ${label}`;
      const target = shownPath(resolve(into, fileName), system);
      if (options.dryRun) return { message: `Would download ${about} to ${target}` };
      const bar = progress.add(displayName(file.name));
      try {
        const { path, existing } = await saveFile(
          {
            into,
            fileName,
            size,
            onExisting,
            sha256: file.sha256,
            key: fileNameKey(fileName),
            open: (headers) => downloadGenericFile(http, version, file.name, headers),
            source: `${addressText(server.base)} package ${label} file ${file.id} ${file.sha256 ?? ""}`,
          },
          { signal, sleep, random, maxBytes: flags.maxSize, onProgress: bar.at },
        );
        const message = existing ? `${target} ${existing}` : `Downloaded ${about} to ${target}`;
        return { message, prints: target, record: { ...file, path } };
      } finally {
        bar.end();
      }
    };
    try {
      return await batch(wanted, work, context, { jobs: flags.jobs ?? 4, name: (file) => displayName(file.name) });
    } catch (error) {
      if (system.signal.aborted) out.note("What was downloaded is kept. Run the same command again to resume.");
      throw error;
    }
  },
});

/** Says that a package of another type exists, if there is no generic one of the name. */
async function explainType(
  error: unknown,
  { typed, owner }: { readonly typed: string; readonly owner: string },
  { http }: ServerContext,
): Promise<never> {
  if (!(error instanceof Failure) || error.code !== "not_found") throw error;
  const { name } = parsePackage(typed, "generic");
  const others = filterListing(call(http, packageList, { owner, q: name.split("/").at(-1) }), (one) =>
    [one.name, `${one.type}/${one.name}`].includes(name),
  );
  const [other] = await collect({ take: () => others.take(1) }).catch(() => []);
  if (other === undefined || other.type === "generic") throw error;
  const message = `${other.name} of ${owner} is a package of type ${other.type}; only generic packages can be downloaded`;
  throw new Failure("not_found", message, { hint: `Use a program that installs packages of type ${other.type}.` });
}

/** The files that were named or match a pattern; all without either. Throws a `not_found` failure for an unknown name. */
function select(
  all: readonly PackageFile[],
  { names, patterns }: { readonly names: readonly string[]; readonly patterns: readonly string[] },
  label: string,
): readonly PackageFile[] {
  const known = new Set(all.map(({ name }) => name));
  const unknown = names.filter((name) => !known.has(name));
  const tests = patterns.map(contextPattern);
  const found = all.filter(({ name }) => {
    if (names.length > 0) return names.includes(name);
    return tests.length === 0 || tests.some((fits) => fits(name));
  });
  if (unknown.length === 0 && found.length > 0) return found;
  const message = unknown.length > 0 ? `No file ${unknown.join(", ")} in ${label}` : `No file of ${label} matches`;
  const hint = all.length === 0 ? undefined : `Files: ${[...known].slice(0, 20).join(", ")}`;
  throw new Failure("not_found", message, { hint });
}
