import { defineCommand } from "../../app/define.ts";
import { runPath } from "../../app/runs/find.ts";
import { repoPage } from "../../app/web.ts";
import { one } from "../../command/args.ts";
import { wholeNumber } from "../../command/flags.ts";
import { type Artifact, artifact, artifactGet, runOfArtifact } from "../../forge/artifacts.ts";
import { call } from "../../forge/operation.ts";
import { runGet } from "../../forge/runs.ts";
import { styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { sizeText } from "../../text/format.ts";

/** `tongs artifact view`: GET one artifact. */
export const view = defineCommand({
  summary: "View an artifact",
  on: "repository",
  needs: [artifactGet],
  effect: "read",
  args: { id: one("artifact ID", { source: "artifact" }) },
  output: artifact,
  examples: [["View an artifact", "tongs artifact view 14"]],
  web: {
    page: async ({ args, http, repo }) => {
      const run = runOfArtifact(await call(http, artifactGet, { repo, artifact_id: wholeNumber(args.id, "ID", 1) }));
      if (run === undefined) return repoPage(repo, "actions");
      return runPath({ kind: "run", run: await call(http, runGet, { repo, run: run }) }, { repo });
    },
  },
  async run({ args, http, out, repo }) {
    await out.record(
      await call(http, artifactGet, { repo, artifact_id: wholeNumber(args.id, "ID", 1) }),
      artifactSheet,
    );
  },
});

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
