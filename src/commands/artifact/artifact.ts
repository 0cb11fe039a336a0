import { downloadFlags, downloadOptions, runFlag } from "../../app/artifacts/download-flags.ts";
import { parseRunFlag, runId, selectArtifacts } from "../../app/artifacts/select.ts";
import { type Command, defineCommand } from "../../app/define.ts";
import { readIds } from "../../app/input.ts";
import { inRepository, resource } from "../../app/resource.ts";
import { findRun, recordOf, runPath } from "../../app/runs/find.ts";
import { repoPage } from "../../app/web.ts";
import { any } from "../../command/args.ts";
import { text, wholeNumber } from "../../command/flags.ts";
import type { Table } from "../../command/table.ts";
import { UsageError } from "../../failure/failure.ts";
import {
  type Artifact,
  artifact,
  artifactDelete,
  artifactDownload,
  artifactGet,
  artifactList,
  runArtifactList,
  runOfArtifact,
} from "../../forge/artifacts.ts";
import { call } from "../../forge/operation.ts";
import { runGet } from "../../forge/runs.ts";
import { styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { column } from "../../output/table.ts";
import { list as listOf, record, string } from "../../shape/shape.ts";
import { sizeText } from "../../text/format.ts";

const artifacts = resource({
  ...inRepository,
  noun: ["artifact", "artifacts"],
  a: "an artifact",
  record: artifact,
  argument: { key: "id", one: "artifact ID", many: "artifact IDs", source: "artifact", isId: true },
  get: (id, { http, repo }) => call(http, artifactGet, { repo, artifact_id: id }),
  name: ({ id, name }: Artifact) => `artifact ${id} (${name})`,
});

/** The verbs of `tongs artifact`. */
export const verbs: Table<Command> = {
  list: artifacts.list({
    needs: [[artifactList, runArtifactList]],
    details:
      "Oldest artifacts first. A rerun can create artifacts with the same names: the one with the highest ID is the newest.",
    flags: {
      run: text("filter by run: its ID, or latest", { placeholder: "RUN", source: "run", filters: true }),
      name: text("filter by exact name", { short: "n", placeholder: "NAME", filters: true }),
    },
    columns: [
      column<Artifact>("ID", "id"),
      column<Artifact>("NAME", "name", {
        cell: (one) => (one.expired ? styled("plain", one.name) : one.name),
        flexible: true,
      }),
      column<Artifact>("SIZE", "size_in_bytes", { as: "size" }),
      column<Artifact>("RUN", "workflow_run.id", (one) => runOfArtifact(one)),
      column<Artifact>("STATE", "expired", (one) =>
        one.expired ? styled("plain", "expired") : styled("good", "available"),
      ),
      column<Artifact>("CREATED", "created_at", { as: "time" }),
    ],
    async fetch(context) {
      const { flags, http, repo } = context;
      if (flags.run === undefined) return call(http, artifactList, { repo, name: flags.name });
      const run = await runId(parseRunFlag(flags.run, context), context);
      return call(http, runArtifactList, { repo, run, name: flags.name });
    },
    async page(context) {
      const { flags, repo } = context;
      if (flags.run === undefined) return repoPage(repo, "actions");
      return runPath(recordOf(await findRun(parseRunFlag(flags.run, context), context)), context);
    },
    pageUses: ["run"],
    examples: [
      ["List all artifacts of the repository", "tongs artifact list --all"],
      ["List the artifacts of a run", "tongs artifact list --run 20"],
    ],
  }),
  view: artifacts.view({
    needs: [artifactGet],
    sheet: artifactSheet,
    async page({ http, repo }, _place, id) {
      const run = runOfArtifact(await call(http, artifactGet, { repo, artifact_id: wholeNumber(id, "ID", 1) }));
      if (run === undefined) return repoPage(repo, "actions");
      return runPath(await call(http, runGet, { repo, run }), { repo });
    },
    examples: [["View an artifact", "tongs artifact view 14"]],
  }),
  download: async () => download,
  delete: artifacts.delete({
    needs: [artifactDelete],
    sends: artifactDelete,
    async work({ id, name, expired }, { http, out, repo }) {
      await call(http, artifactDelete, { repo, artifact_id: id });
      // The server accepts this for an expired artifact, and keeps it (docs/server-differences.md, "Artifacts").
      if (expired) out.note(`Artifact ${id} (${name}) had expired and stays in the list.`);
    },
    examples: [["Delete two artifacts", "tongs artifact delete 14 15 --yes"]],
  }),
};

function artifactSheet(one: Artifact): Sheet {
  return {
    title: one.name,
    fields: [
      ["id", one.id],
      ["size", `${sizeText(one.size_in_bytes)} (${one.size_in_bytes} bytes, compressed)`],
      ["state", one.expired ? styled("plain", "expired") : styled("good", "available")],
      ["run", runOfArtifact(one)],
      ["commit", one.workflow_run?.head_sha],
      ["created", when(one.created_at)],
      ["expires", when(one.expires_at)],
    ],
  };
}

/** `tongs artifact download`: GET the zip file of each artifact by its signed address. */
const download = defineCommand({
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
