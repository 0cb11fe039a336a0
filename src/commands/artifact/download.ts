import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { usualLimits } from "../../archive/limits.ts";
import { any } from "../../command/args.ts";
import { type Flag, integer, text, textOr, texts, toggle, wholeNumber } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { artifact } from "../../forge/artifacts.ts";
import { list as listOf, record, string } from "../../shape/shape.ts";
import { readSize } from "../../text/format.ts";
import { fetchArtifacts, usualJobs } from "./fetch.ts";
import { runId, selectArtifacts } from "./select.ts";

/** `tongs artifact download`: GET the zip file of each artifact by its signed address. */
export const download = defineCommand({
  summary: "Download artifacts",
  details:
    "Without ID those of the latest run of the current branch, else of the latest run. One artifact is unpacked into " +
    "DIR, several each into DIR/NAME. Of several with one name the newest is taken. A download that was cut off is " +
    "gone on with by the same command. Nothing is written outside DIR. JSON has the added key path.",
  on: "repository",
  effect: "read",
  args: { id: any("the artifacts' ids; - reads them from stdin, one a line") },
  flags: {
    run: text("those of this run: its id, or latest", { placeholder: "RUN" }),
    name: texts("with exactly this name", { short: "n", placeholder: "NAME" }),
    pattern: texts("with a name that matches", { short: "p", placeholder: "GLOB" }),
    dir: textOr(".", "into this folder", { short: "D", placeholder: "DIR" }),
    zip: toggle("keep the archives, NAME.zip, instead of unpacking"),
    jobs: integer("how many downloads at once (4)", { min: 1, max: 16 }),
    overwrite: toggle("replace files that are there"),
    skipExisting: toggle("keep files that are there, and download no artifact that is"),
    maxSize: sizeOr("16G", usualLimits.size, "the most that one artifact may be, received or unpacked"),
    maxRatio: integer("the most times its own size that an artifact may unpack to (200)", { min: 1 }),
  },
  exclusive: [["overwrite", "skipExisting"]],
  exits: { partly: "some were downloaded, some could not be" },
  output: listOf(record({ ...artifact.fields, path: string })),
  examples: [
    ["What the latest run made", "tongs artifact download"],
    ["Two artifacts of one run into a folder", "tongs artifact download --run 20 --name docs --name report --dir out"],
    ["The archive itself", "tongs artifact download 14 --zip"],
  ],
  async run(context) {
    const { args, flags, forge, repo, system } = context;
    const { run, name, pattern, jobs = usualJobs, maxSize, maxRatio = usualLimits.ratio } = flags;
    if (args.id.length > 0 && (run !== undefined || name.length > 0 || pattern.length > 0)) {
      throw new UsageError("An ID names the artifact already: --run, --name and --pattern choose without one");
    }
    const ids =
      args.id.length === 0
        ? []
        : [...new Set((await readTargets(args.id, system)).map((id) => wholeNumber(id, "ID", 1)))];
    const artifacts =
      ids.length > 0
        ? await Promise.all(ids.map((id) => forge.artifacts.get(repo, id)))
        : await selectArtifacts(await runId(run, context), { name, pattern }, context);
    const existing = flags.overwrite ? "overwrite" : flags.skipExisting ? "keep" : "refuse";
    const limits = { size: maxSize, ratio: maxRatio };
    return fetchArtifacts(artifacts, { dir: flags.dir, zip: flags.zip, existing, limits, jobs }, context);
  },
});

/** `--name SIZE`: bytes, or with K, M, G, T. */
function sizeOr(shown: string, fallback: number, description: string): Flag<number> {
  const read = (typed: readonly string[], spelling: string) => {
    const raw = typed[typed.length - 1];
    if (raw === undefined) return fallback;
    const size = readSize(raw);
    if (size === undefined) throw new UsageError(`${spelling} wants a size such as 500M or 2G, not '${raw}'`);
    return size;
  };
  return { placeholder: "SIZE", form: "value", type: "string", description, default: shown, read };
}
