import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { text } from "../../command/flags.ts";
import { type Artifact, artifact, artifactList, runArtifactList, runOfArtifact } from "../../forge/artifacts.ts";
import { call } from "../../forge/operation.ts";
import { styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { sizeText } from "../../text/format.ts";
import { findRun, runPath } from "../run/find.ts";
import { parseRunFlag, runId } from "./select.ts";

const columns = [
  column<Artifact>("ID", (one) => one.id),
  column<Artifact>("NAME", (one) => (one.expired ? styled("plain", one.name) : one.name), true),
  column<Artifact>("SIZE", (one) => sizeText(one.size_in_bytes)),
  column<Artifact>("RUN", (one) => runOfArtifact(one)),
  column<Artifact>("STATE", (one) => (one.expired ? styled("plain", "expired") : styled("good", "available"))),
  column<Artifact>("CREATED", (one) => when(one.created_at)),
];

/** `tongs artifact list`: GET the artifacts of a repository or of one run. */
export const list = defineCommand({
  summary: "List artifacts",
  details:
    "Oldest artifacts first. A rerun can create artifacts with the same names: the one with the highest ID is the newest.",
  on: "repository",
  effect: "read",
  flags: {
    run: text("filter by run: its ID, or latest", { placeholder: "RUN", source: "run" }),
    name: text("filter by exact name", { short: "n", placeholder: "NAME" }),
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
