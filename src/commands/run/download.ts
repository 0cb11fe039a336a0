import { downloadFlags, downloadOptions } from "../../app/artifacts/download-flags.ts";
import { runId, selectArtifacts } from "../../app/artifacts/select.ts";
import { defineCommand } from "../../app/define.ts";
import { runSelector } from "../../app/runs/selector.ts";
import { artifact, runArtifactList } from "../../forge/artifacts.ts";
import { runGet } from "../../forge/runs.ts";
import { list as listOf, record, string } from "../../shape/shape.ts";

/** `tongs run download`: `tongs artifact download --run RUN`, as gh spells it. */
export const download = defineCommand({
  summary: "Download the artifacts of a workflow run",
  details:
    "The same as tongs artifact download --run RUN. Without RUN, downloads the artifacts of the latest run of the current " +
    "branch, or of the latest run if the branch has none.",
  on: "repository",
  needs: [runGet, runArtifactList],
  effect: "read",
  asTool: "write",
  usesFiles: true,
  args: { run: runSelector },
  flags: downloadFlags,
  exclusive: [["clobber", "skipExisting"]],
  exits: { partly: "some artifacts were downloaded, some failed" },
  output: listOf(record({ ...artifact.fields, path: string })),
  examples: [
    ["Download the artifacts of a run", "tongs run download 20"],
    ["Download one artifact of the latest run", "tongs run download latest --name docs --dir out"],
  ],
  async run(context) {
    const { args, flags } = context;
    const { fetchArtifacts } = await import("../../app/artifacts/fetch.ts");
    const artifacts = await selectArtifacts(await runId(args.run, context), flags, context);
    return fetchArtifacts(artifacts, await downloadOptions(flags), context);
  },
});
