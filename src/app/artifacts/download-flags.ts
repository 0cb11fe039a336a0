import { defaultLimits } from "../../archive/limits.ts";
import { type FlagValues, integer, sizeOr, text, texts, toggle } from "../../command/flags.ts";
import { dirFlag, existingFlags, limitFlags, onExistingOf } from "../download-files.ts";

/** The flags of `artifact download` and `run download`. */
export const downloadFlags = {
  name: texts("filter by exact name", { short: "n", placeholder: "NAME", filters: true }),
  pattern: texts("filter by name pattern", { short: "p", placeholder: "GLOB", filters: true }),
  dir: dirFlag,
  zip: toggle("save the archives as NAME.zip, without unpacking them"),
  jobs: limitFlags.jobs,
  ...existingFlags,
  maxSize: sizeOr("16G", defaultLimits.size, "maximum size of an artifact, compressed and unpacked"),
  maxRatio: integer("maximum ratio of unpacked to compressed size (default: 200)", { min: 1 }),
};

/** The flag that selects the run in `artifact download`. */
export const runFlag = text("download artifacts of this run: its ID, or latest", { placeholder: "RUN", source: "run" });

/** How the flags say that artifacts are downloaded. */
export async function downloadOptions(flags: FlagValues<typeof downloadFlags>) {
  const { defaultJobs } = await import("./fetch.ts");
  const { dir, zip, jobs = defaultJobs, maxSize, maxRatio = defaultLimits.ratio } = flags;
  const onExisting = onExistingOf(flags);
  return { dir, zip, onExisting, limits: { size: maxSize, ratio: maxRatio }, jobs } as const;
}
