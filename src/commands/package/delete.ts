import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { requirePresentName } from "../../app/present-name.ts";
import { many } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { deletePackage, packageList, packageVersionDelete } from "../../forge/packages.ts";
import type { Http } from "../../http/client.ts";
import { accountLabel } from "../../profiles/server.ts";
import { explainPackage, missingPackage, ownerFlag, ownerOf, packageLabel, parsePackage } from "./name.ts";

/** `tongs package delete`: DELETE a version of a package, or a whole package. */
export const remove = defineCommand({
  summary: "Delete packages",
  details: "Deletes a version with all its files, or all versions of a package if no version is given.",
  on: "server",
  effect: "destroy",
  args: { package: many("TYPE/NAME@VERSION, or TYPE/NAME for all versions; - reads them from stdin, one per line") },
  flags: ownerFlag,
  exits: { partly: "some packages were deleted, some failed" },
  examples: [
    ["Delete a version", "tongs package delete generic/charts@1.0.0 --yes"],
    ["Delete a package of an organization", "tongs package delete generic/charts --owner tidewater --yes"],
  ],
  async run(context) {
    const { args, flags, http, prompt, server, system } = context;
    const typed = await readTargets(args.package, system);
    const wanted = typed.map((one) => parsePackage(one));
    const owner = await ownerOf(flags, context);
    if (flags.owner !== undefined) await requireOwnerName(flags.owner, http);
    const names = wanted.map((one) => `${packageLabel(one)}${one.version === undefined ? " (all versions)" : ""}`);
    await prompt.confirmAction({ what: `Delete ${names.join(", ")} of ${owner}` });
    return batch(
      wanted,
      async ({ version, ...of }) => {
        const target = { owner, ...of, version };
        if (version === undefined) {
          const found = await explainPackage(deletePackage(http, target), target);
          if (found === undefined) throw missingPackage(target);
        } else await explainPackage(call(http, packageVersionDelete, { owner, ...of, version }), target);
        return { message: `Deleted package ${packageLabel(target)} of ${owner} ${accountLabel(server)}` };
      },
      context,
      { name: packageLabel },
    );
  },
});

/** Throws a usage error for the old name of an owner, which a package of theirs tells: a token may have no other scope. */
async function requireOwnerName(typed: string, http: Http): Promise<void> {
  for await (const { owner } of call(http, packageList, { owner: typed }).take(1)) {
    requirePresentName(typed, owner?.login ?? typed, (name) => `To delete their packages, pass --owner ${name}.`);
  }
}
