import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { many } from "../../command/args.ts";
import { wholeNumber } from "../../command/flags.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";

/** `tongs artifact delete`: DELETE each artifact. */
export const remove = defineCommand({
  summary: "Delete artifacts",
  on: "repository",
  effect: "destroy",
  args: { id: many("the artifacts' ids; - reads them from stdin, one a line") },
  exits: { partly: "some were deleted, some could not be" },
  examples: [["Delete two", "tongs artifact delete 14 15 --yes"]],
  async run(context) {
    const { args, forge, prompt, repo, server, system } = context;
    const ids = (await readTargets(args.id, system)).map((id) => wholeNumber(id, "ID", 1));
    const what = ids.length === 1 ? `artifact ${ids[0]}` : `${ids.length} artifacts`;
    await prompt.confirmAction({ what: `Delete ${what} of ${fullName(repo)}` });
    const work = async (id: number) => {
      const { name, expired } = await forge.artifacts.get(repo, id);
      await forge.artifacts.delete(repo, id);
      // The server says yes, and keeps it (api-facts 3.6.8).
      const note = expired ? "; it had expired, and stays in the list" : "";
      return { message: `Deleted artifact ${id} (${name}) of ${fullName(repo)} ${accountLabel(server)}${note}` };
    };
    return batch(ids, work, context);
  },
});
