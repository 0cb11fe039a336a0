import { defineCommand } from "../../app/define.ts";
import {
  dirFlag,
  downloadFiles,
  existingFlags,
  limitFlags,
  onExistingOf,
  type WantedFile,
} from "../../app/download-files.ts";
import { any, one } from "../../command/args.ts";
import { texts } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import {
  downloadGenericFile,
  type PackageFile,
  packageFile,
  packageFileList,
  packageFileSize,
} from "../../forge/packages.ts";
import { list as listOf, record, string } from "../../shape/shape.ts";
import { contextPattern } from "../../text/glob.ts";
import { explainPackage, findVersion, ownerFlag, ownerOf, packageLabel } from "./name.ts";

/** `tongs package download`: GET the files of a version from the generic registry, and check their hashes. */
export const download = defineCommand({
  summary: "Download the files of a generic package",
  details:
    "Without FILE and --pattern, downloads all files. Size and SHA-256 of each file are checked before it is moved into " +
    "place. Run the same command again to resume an interrupted download. No files are written outside DIR. JSON " +
    "output has the additional field path.",
  external: { uses: "the package registry" },
  on: "server",
  effect: "read",
  asTool: "write",
  usesFiles: true,
  args: { package: one("NAME@VERSION of a generic package, or NAME for the latest version"), file: any("file names") },
  flags: {
    ...ownerFlag,
    pattern: texts("filter by name pattern", { short: "p", placeholder: "GLOB", filters: true }),
    dir: dirFlag,
    ...limitFlags,
    ...existingFlags,
  },
  exclusive: [["clobber", "skipExisting"]],
  output: listOf(record({ ...packageFile.fields, path: string })),
  exits: { partly: "some files were downloaded, some failed" },
  examples: [
    ["Download the files of the latest version", "tongs package download charts"],
    ["Download one file of an organization's package", "tongs package download charts@1.0.0 map.txt --owner tidewater"],
  ],
  async run(context) {
    const { args, flags, http, server } = context;
    if (args.file.length > 0 && flags.pattern.length > 0) throw new UsageError("Specify either FILE or --pattern");
    const owner = await ownerOf(flags, context);
    const version = await findVersion(args.package, owner, context, "generic");
    const label = `${packageLabel(version)} of ${version.owner}`;
    const all = (await explainPackage(call(http, packageFileList, { ...version }), version, server)) ?? [];
    const wanted = select(all, { names: args.file, patterns: flags.pattern }, label);
    const files = wanted.map((record): WantedFile => {
      const { id, name, sha256 } = record;
      const open: WantedFile["open"] = (headers) => downloadGenericFile(http, version, name, headers);
      const identity = `package ${label} file ${id} ${sha256 ?? ""}`;
      return { id, name, size: packageFileSize(record), sha256, identity, open, record };
    });
    const { dir, jobs, maxSize } = flags;
    return downloadFiles(files, { from: label, dir, jobs, maxSize, onExisting: onExistingOf(flags) }, context);
  },
});

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
