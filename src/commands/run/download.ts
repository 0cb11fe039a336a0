import { defineCommand } from "../../app/define.ts";
import { artifact } from "../../forge/artifacts.ts";
import { list as listOf, record, string } from "../../shape/shape.ts";
import { downloadFlags, downloadOptions } from "../artifact/download-flags.ts";
import { runId, selectArtifacts } from "../artifact/select.ts";
import { runSelector } from "./selector.ts";

/** `tongs run download`: `tongs artifact download --run RUN`, as gh spells it. */
export const download = defineCommand({
  summary: "Download the artifacts of a workflow run",
  details:
    "The same as tongs artifact download --run RUN. Without RUN, downloads the artifacts of the latest run of the current " +
    "branch, or of the latest run if the branch has none.",
  on: "repository",
  effect: "read",
  asTool: "write",
  usesFiles: true,
  args: { run: runSelector },
  flags: downloadFlags,
  exclusive: [["overwrite", "skipExisting"]],
  exits: { partly: "some artifacts were downloaded, some failed" },
  output: listOf(record({ ...artifact.fields, path: string })),
  examples: [
    ["Download the artifacts of a run", "tongs run download 20"],
    ["Download one artifact of the latest run", "tongs run download latest --name docs --dir out"],
  ],
  async run(context) {
    const { args, flags } = context;
    const { fetchArtifacts } = await import("../artifact/fetch.ts");
    const artifacts = await selectArtifacts(await runId(args.run, context), flags, context);
    return fetchArtifacts(artifacts, await downloadOptions(flags), context);
  },
});
