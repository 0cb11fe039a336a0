import { defineCommand } from "../../app/define.ts";
import { deleteById } from "../../app/delete-by-id.ts";
import { many } from "../../command/args.ts";
import { artifactDelete, artifactGet } from "../../forge/artifacts.ts";
import { call } from "../../forge/operation.ts";
import { fullName } from "../../repo/repo-name.ts";

/** `tongs artifact delete`: DELETE each artifact. */
export const remove = defineCommand({
  summary: "Delete artifacts",
  on: "repository",
  effect: "destroy",
  args: { id: many("artifact IDs; - reads them from stdin, one per line", { source: "artifact" }) },
  exits: { partly: "some artifacts were deleted, some failed" },
  examples: [["Delete two artifacts", "tongs artifact delete 14 15 --yes"]],
  async run(context) {
    const { args, http, repo } = context;
    const remove = async (id: number) => {
      const { name, expired } = await call(http, artifactGet, { repo, artifact_id: id });
      await call(http, artifactDelete, { repo, artifact_id: id });
      // The server accepts this for an expired artifact, and keeps it (docs/server-differences.md, "Artifacts").
      return expired ? { name, note: "; it had expired and stays in the list" } : { name };
    };
    return deleteById({ ids: args.id, noun: "artifact", owner: fullName(repo), delete: remove }, context);
  },
});
