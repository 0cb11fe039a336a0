import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { many, one } from "../../command/args.ts";
import { oneNamed } from "../../forge/names.ts";
import { call } from "../../forge/operation.ts";
import { releaseAssetDelete } from "../../forge/releases.ts";
import { accountLabel } from "../../profiles/server.ts";
import { assetsOf, findRelease, releaseArgument, releaseName } from "./shared.ts";

/** `tongs release delete-asset`: DELETE each asset. */
export const deleteAsset = defineCommand({
  summary: "Delete assets of a release",
  on: "repository",
  effect: "destroy",
  args: {
    tag: one(releaseArgument, { source: "release" }),
    asset: many("names of assets, or their IDs; - reads them from stdin, one per line"),
  },
  exits: { partly: "some assets were deleted, some failed" },
  examples: [["Delete an asset", "tongs release delete-asset v1.2.0 tongs.tar.gz --yes"]],
  async run(context) {
    const { args, http, prompt, repo, server, system } = context;
    const targets = await readTargets(args.asset, system);
    const found = await findRelease(args.tag, context);
    const name = releaseName(found, context);
    const what = targets.length === 1 ? `asset '${targets[0]}'` : `${targets.length} assets`;
    await prompt.confirmAction({ what: `Delete ${what} of ${name}` });
    return batch(
      targets,
      async (target) => {
        const about = { kind: "asset", nameOf: (one: { readonly name: string }) => one.name, where: `in ${name}` };
        const asset = oneNamed(assetsOf(found), target, about);
        await call(http, releaseAssetDelete, { repo, id: found.id, attachment_id: asset.id });
        return { message: `Deleted asset '${asset.name}' of ${name} ${accountLabel(server)}` };
      },
      context,
    );
  },
});
