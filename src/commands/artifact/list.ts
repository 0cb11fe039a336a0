import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { text } from "../../command/flags.ts";
import { type Artifact, artifact, artifactList, runArtifactList, runOfArtifact } from "../../forge/artifacts.ts";
import { call } from "../../forge/operation.ts";
import { styled } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { findRun, runPath } from "../run/find.ts";
import { parseRunFlag, runId } from "./select.ts";

const columns = [
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
];

/** `tongs artifact list`: GET the artifacts of a repository or of one run. */
export const list = defineCommand({
  summary: "List artifacts",
  details:
    "Oldest artifacts first. A rerun can create artifacts with the same names: the one with the highest ID is the newest.",
  on: "repository",
  effect: "read",
  lists: ["artifact", "artifacts"],
  flags: {
    run: text("filter by run: its ID, or latest", { placeholder: "RUN", source: "run", filters: true }),
    name: text("filter by exact name", { short: "n", placeholder: "NAME", filters: true }),
  },
  output: listOf(artifact),
  examples: [
    ["List all artifacts of the repository", "tongs artifact list --all"],
    ["List the artifacts of a run", "tongs artifact list --run 20"],
  ],
  web: {
    page: async (context) => {
      const { flags, repo } = context;
      if (flags.run === undefined) return repoPage(repo, "actions");
      return runPath(await findRun(parseRunFlag(flags.run, context), context), context);
    },
    uses: ["run"],
  },
  async run(context) {
    const { flags, http, out, repo } = context;
    const listing =
      flags.run === undefined
        ? call(http, artifactList, { repo, name: flags.name })
        : call(http, runArtifactList, {
            repo,
            run: await runId(parseRunFlag(flags.run, context), context),
            name: flags.name,
          });
    await out.list(listing, columns);
  },
});
