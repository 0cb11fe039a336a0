import { downloadFlags, downloadOptions, runFlag } from "../../app/artifacts/download-flags.ts";
import { parseRunFlag, runId, selectArtifacts } from "../../app/artifacts/select.ts";
import { defineCommand } from "../../app/define.ts";
import { readIds } from "../../app/input.ts";
import { any } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import { artifact, artifactDownload, artifactGet } from "../../forge/artifacts.ts";
import { call } from "../../forge/operation.ts";
import { list as listOf, record, string } from "../../shape/shape.ts";

/** `tongs artifact download`: GET the zip file of each artifact by its signed address. */
export const download = defineCommand({
  summary: "Download artifacts",
  details:
    "Without IDs, downloads the artifacts of the latest run of the current branch, or of the latest run if the branch " +
    "has none. Unpacks one artifact into DIR, and several into DIR/NAME each. If several artifacts have the same name, " +
    "downloads the newest. Run the same command again to resume an interrupted download. No files are written outside " +
    "DIR. JSON output has the additional field path.",
  on: "repository",
  needs: [artifactDownload],
  effect: "read",
  asTool: "write",
  usesFiles: true,
  args: { id: any("artifact IDs", { dash: "lines", source: "artifact" }) },
  flags: {
    run: runFlag,
    ...downloadFlags,
  },
  exclusive: [["clobber", "skipExisting"]],
  exits: { partly: "some artifacts were downloaded, some failed" },
  output: listOf(record({ ...artifact.fields, path: string })),
  examples: [
    ["Download the artifacts of the latest run", "tongs artifact download"],
    [
      "Download two artifacts of a run into a directory",
      "tongs artifact download --run 20 --name docs --name report --dir out",
    ],
    ["Save the archive without unpacking it", "tongs artifact download 14 --zip"],
  ],
  async run(context) {
    const { args, flags, http, repo, system } = context;
    const { fetchArtifacts } = await import("../../app/artifacts/fetch.ts");
    const { run, name, pattern } = flags;
    if (args.id.length > 0 && (run !== undefined || name.length > 0 || pattern.length > 0)) {
      throw new UsageError("Specify either artifact IDs, or filters: --run, --name and --pattern");
    }
    const ids = args.id.length === 0 ? [] : [...new Set(await readIds(args.id, system))];
    const artifacts =
      ids.length > 0
        ? await Promise.all(ids.map((id) => call(http, artifactGet, { repo, artifact_id: id })))
        : await selectArtifacts(await runId(parseRunFlag(run, context), context), { name, pattern }, context);
    return fetchArtifacts(artifacts, await downloadOptions(flags), context);
  },
});
