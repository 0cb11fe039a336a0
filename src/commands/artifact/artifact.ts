import { parseRunFlag, runId } from "../../app/artifacts/select.ts";
import type { Command } from "../../app/define.ts";
import { inRepository, resource } from "../../app/resource.ts";
import { findRun, runPath } from "../../app/runs/find.ts";
import { repoPage } from "../../app/web.ts";
import { text } from "../../command/flags.ts";
import type { Table } from "../../command/table.ts";
import {
  type Artifact,
  artifact,
  artifactDelete,
  artifactGet,
  artifactList,
  runArtifactList,
  runOfArtifact,
} from "../../forge/artifacts.ts";
import { call } from "../../forge/operation.ts";
import { styled } from "../../output/cells.ts";
import { column } from "../../output/table.ts";

const artifacts = resource({
  ...inRepository,
  noun: ["artifact", "artifacts"],
  a: "an artifact",
  record: artifact,
  argument: { key: "id", one: "artifact ID", many: "artifact IDs", source: "artifact", isId: true },
  select:
    ({ http, repo }) =>
    (id) =>
      call(http, artifactGet, { repo, artifact_id: id }),
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
      return runPath(await findRun(parseRunFlag(flags.run, context), context), context);
    },
    pageUses: ["run"],
    examples: [
      ["List all artifacts of the repository", "tongs artifact list --all"],
      ["List the artifacts of a run", "tongs artifact list --run 20"],
    ],
  }),
  view: () => import("./view.ts").then((file) => file.view),
  download: () => import("./download.ts").then((file) => file.download),
  delete: artifacts.each({
    needs: [artifactDelete],
    verb: ["delete", "deleted"],
    effect: "destroy",
    sends: artifactDelete,
    async work({ id, name, expired }, { http, out, repo }) {
      await call(http, artifactDelete, { repo, artifact_id: id });
      // The server accepts this for an expired artifact, and keeps it (docs/server-differences.md, "Artifacts").
      if (expired) out.note(`Artifact ${id} (${name}) had expired and stays in the list.`);
    },
    examples: [["Delete two artifacts", "tongs artifact delete 14 15 --yes"]],
  }),
};
