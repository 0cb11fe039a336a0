import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { many, one } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import {
  latestVersion,
  linkPackage,
  packageLink,
  packageUnlink,
  packageVersion,
  unlinkPackage,
} from "../../forge/packages.ts";
import { accountLabel } from "../../profiles/server.ts";
import { parseRepo } from "../../repo/repo-name.ts";
import { list as listOf } from "../../shape/shape.ts";
import { explainPackage, ownerFlag, ownerOf, packageLabel, wholePackage } from "./name.ts";

/** `tongs package link`: POST the link of a package to a repository of its owner. */
export const link = defineCommand({
  summary: "Link a package to a repository",
  on: "server",
  needs: [packageLink],
  effect: "write",
  args: { package: one("TYPE/NAME"), repository: one("a repository of the same owner: NAME or OWNER/NAME") },
  flags: ownerFlag,
  output: packageVersion,
  exits: { invalid: "the package is already linked to the repository" },
  examples: [["Link a package to a repository", "tongs package link generic/charts harbor"]],
  async run(context) {
    const { args, flags, http, out, server } = context;
    const named = args.repository.includes("/") ? parseRepo(args.repository) : undefined;
    const owner = flags.owner ?? named?.owner ?? (await ownerOf(flags, context));
    if (named !== undefined && named.owner.toLowerCase() !== owner.toLowerCase()) {
      throw new UsageError(`A package of ${owner} can be linked only to a repository of ${owner}`);
    }
    const target = wholePackage(args.package, owner);
    const repo = named?.name ?? args.repository;
    await explainPackage(linkPackage(http, target, repo), target);
    await out.done(`Linked package ${packageLabel(target)} to ${owner}/${repo} ${accountLabel(server)}`, {
      record: () => latestVersion(http, target),
    });
  },
});

/** `tongs package unlink`: POST the removal of the link of each package. */
export const unlink = defineCommand({
  summary: "Unlink packages from their repositories",
  on: "server",
  needs: [packageUnlink],
  effect: "write",
  args: { package: many("TYPE/NAME; - reads them from stdin, one per line") },
  flags: ownerFlag,
  output: listOf(packageVersion),
  exits: { invalid: "the package is not linked", partly: "some packages were unlinked, some failed" },
  examples: [["Unlink a package", "tongs package unlink generic/charts"]],
  async run(context) {
    const { args, flags, http, server, system } = context;
    const typed = await readTargets(args.package, system);
    const owner = await ownerOf(flags, context);
    const targets = typed.map((one) => wholePackage(one, owner));
    return batch(
      targets,
      async (target) => {
        await explainPackage(unlinkPackage(http, target), target);
        const message = `Unlinked package ${packageLabel(target)} of ${owner} ${accountLabel(server)}`;
        return { message, record: () => latestVersion(http, target) };
      },
      context,
      { name: packageLabel },
    );
  },
});
