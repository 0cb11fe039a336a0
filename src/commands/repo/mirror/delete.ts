import { batch } from "../../../app/batch.ts";
import { defineCommand } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { many } from "../../../command/args.ts";
import { Failure } from "../../../failure/failure.ts";
import { collect } from "../../../forge/listings.ts";
import { pushMirrorDelete, pushMirrorList } from "../../../forge/mirrors.ts";
import { call } from "../../../forge/operation.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { fullName } from "../../../repo/repo-name.ts";

/** `tongs repo mirror delete`: GET the push mirrors, since DELETE of an unknown one succeeds, then DELETE each. */
export const remove = defineCommand({
  summary: "Delete push mirrors",
  details: "The repository at the other address stays as it is.",
  on: "repository",
  effect: "destroy",
  args: { name: many("names of mirrors; - reads them from stdin, one per line") },
  exits: { partly: "some mirrors were deleted, some failed" },
  examples: [["Delete a push mirror", "tongs repo mirror delete remote_mirror_HsYw8WTQkY --yes"]],
  async run(context) {
    const { args, http, prompt, repo, server, system } = context;
    const names = await readTargets(args.name, system);
    const what = names.length === 1 ? `push mirror ${names[0]}` : `${names.length} push mirrors`;
    await prompt.confirmAction({ what: `Delete ${what} of ${fullName(repo)}` });
    const present = await collect(call(http, pushMirrorList, { repo }));
    const work = async (name: string) => {
      const found = present.find(({ remote_name }) => remote_name === name);
      if (found === undefined) {
        throw new Failure("not_found", `Push mirror ${name} not found in ${fullName(repo)}`);
      }
      await call(http, pushMirrorDelete, { repo, name });
      const address = found.remote_address === undefined ? "" : ` (${found.remote_address})`;
      return { message: `Deleted push mirror ${name}${address} of ${fullName(repo)} ${accountLabel(server)}` };
    };
    return batch(names, work, context);
  },
});
