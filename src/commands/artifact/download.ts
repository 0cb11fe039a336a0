import { defineCommand } from "../../app/define.ts";
import { readIds } from "../../app/input.ts";
import { defaultLimits } from "../../archive/limits.ts";
import { any } from "../../command/args.ts";
import { type Flag, integer, text, textOr, texts, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { artifact } from "../../forge/artifacts.ts";
import { list as listOf, record, string } from "../../shape/shape.ts";
import { readSize } from "../../text/format.ts";
import { runId, selectArtifacts } from "./select.ts";

/** `tongs artifact download`: GET the zip file of each artifact by its signed address. */
export const download = defineCommand({
  summary: "Download artifacts",
  details:
    "Without IDs, downloads the artifacts of the latest run of the current branch, or of the latest run if the branch " +
    "has none. Unpacks one artifact into DIR, and several into DIR/NAME each. Of artifacts with the same name, " +
    "downloads the newest. Run the same command again to resume an interrupted download. No files are written outside " +
    "DIR. JSON output has the additional field path.",
  on: "repository",
  effect: "read",
  args: { id: any("artifact IDs; - reads them from stdin, one per line") },
  flags: {
    run: text("download artifacts of this run: its ID, or latest", { placeholder: "RUN" }),
    name: texts("filter by exact name", { short: "n", placeholder: "NAME" }),
    pattern: texts("filter by name pattern", { short: "p", placeholder: "GLOB" }),
    dir: textOr(".", "folder to download into", { short: "D", placeholder: "DIR" }),
    zip: toggle("save the archives as NAME.zip, without unpacking them"),
    jobs: integer("number of parallel downloads (default: 4)", { min: 1, max: 16 }),
    overwrite: toggle("replace existing files"),
    skipExisting: toggle("keep existing files, and skip artifacts that exist"),
    maxSize: sizeOr("16G", defaultLimits.size, "maximum size of an artifact, compressed and unpacked"),
    maxRatio: integer("maximum ratio of unpacked to compressed size (default: 200)", { min: 1 }),
  },
  exclusive: [["overwrite", "skipExisting"]],
  exits: { partly: "some artifacts were downloaded, some failed" },
  output: listOf(record({ ...artifact.fields, path: string })),
  examples: [
    ["Download the artifacts of the latest run", "tongs artifact download"],
    [
      "Download two artifacts of a run into a folder",
      "tongs artifact download --run 20 --name docs --name report --dir out",
    ],
    ["Save the archive without unpacking it", "tongs artifact download 14 --zip"],
  ],
  async run(context) {
    const { args, flags, forge, repo, system } = context;
    const { defaultJobs, fetchArtifacts } = await import("./fetch.ts");
    const { run, name, pattern, jobs = defaultJobs, maxSize, maxRatio = defaultLimits.ratio } = flags;
    if (args.id.length > 0 && (run !== undefined || name.length > 0 || pattern.length > 0)) {
      throw new UsageError("Specify either artifact IDs, or filters: --run, --name and --pattern");
    }
    const ids = args.id.length === 0 ? [] : [...new Set(await readIds(args.id, system))];
    const artifacts =
      ids.length > 0
        ? await Promise.all(ids.map((id) => forge.artifacts.get(repo, id)))
        : await selectArtifacts(await runId(run, context), { name, pattern }, context);
    const onExisting = flags.overwrite ? "overwrite" : flags.skipExisting ? "keep" : "refuse";
    const limits = { size: maxSize, ratio: maxRatio };
    return fetchArtifacts(artifacts, { dir: flags.dir, zip: flags.zip, onExisting, limits, jobs }, context);
  },
});

/** A flag for a size in bytes, or with K, M, G or T; `shown` is the default in help texts. */
function sizeOr(shown: string, fallback: number, description: string): Flag<number> {
  const read = (typed: readonly string[], spelling: string) => {
    const raw = typed[typed.length - 1];
    if (raw === undefined) return fallback;
    const size = readSize(raw);
    if (size === undefined) throw new UsageError(`${spelling} must be a size such as 500M or 2G, not '${raw}'`);
    return size;
  };
  return { placeholder: "SIZE", form: "value", type: "string", description, default: shown, read };
}
