import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { existingFlags, onExistingOf } from "../../app/existing-files.ts";
import { displayName } from "../../archive/archive-failure.ts";
import { defaultLimits } from "../../archive/limits.ts";
import { optional } from "../../command/args.ts";
import { choice, integer, sizeOr, text, texts } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { releaseAsset } from "../../forge/releases.ts";
import { bars } from "../../output/bars.ts";
import { list as listOf, record, string } from "../../shape/shape.ts";
import { fullPath } from "../../system/files.ts";
import { contextPattern } from "../../text/glob.ts";
import type { Wanted } from "./fetch-assets.ts";
import { assetsOf, findRelease, releaseArgument, releaseName } from "./find-release.ts";

/** `tongs release download`: GET the assets of a release, or its source code. */
export const download = defineCommand({
  summary: "Download assets of a release",
  details:
    "Without --pattern, downloads all assets. Run the same command again to resume an interrupted download: complete files are not downloaded again. No files " +
    "are written outside DIR. JSON output has the additional field path.",
  besideApi: { uses: "web pages" },
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
    jobs: integer("number of parallel downloads (default: 4)", { min: 1, max: 16 }),
    ...existingFlags,
    maxSize: sizeOr("16G", defaultLimits.size, "maximum size of a file"),
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
    const { args, flags, repo, system, out, options } = context;
    const { assetJobs, defaultJobs, fetchWanted, printWanted } = await import("./fetch-assets.ts");
    const found = await findRelease(args.tag, context);
    const from = releaseName(found, context);
    const patterns = flags.pattern.map(contextPattern);
    const assets = assetsOf(found).filter(({ name }) => patterns.length === 0 || patterns.some((fits) => fits(name)));
    const wanted: Wanted[] =
      flags.archive === undefined
        ? assets.map((asset) => ({ asset }))
        : [{ archive: flags.archive, tag: found.tag_name, name: `${repo.name}-${found.tag_name}.${flags.archive}` }];
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
    if (flags.output === "-" && only !== undefined) return printWanted(only, flags.maxSize, context);
    const onExisting = onExistingOf(flags);
    const into = fullPath(flags.dir ?? ".", system);
    const jobs = assetJobs(wanted, { into, output: flags.output, onExisting, maxSize: flags.maxSize }, context);
    const progress = await bars({ system, out, quiet: options.quiet });
    try {
      return await batch(jobs, (job) => fetchWanted(job, progress, from, context), context, {
        jobs: flags.jobs ?? defaultJobs,
        name: (job) => displayName(job.name),
      });
    } catch (error) {
      if (system.signal.aborted) out.note("What was downloaded is kept. Run the same command again to resume.");
      throw error;
    }
  },
});
