import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { type PackageFile, packageFile, packageFileList, packageFileSize } from "../../forge/packages.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { explainPackage, findVersion, ownerFlag, ownerOf, packagePage } from "./name.ts";

const columns = [
  column<PackageFile>("ID", "id"),
  column<PackageFile>("NAME", "name", { flexible: true }),
  column<PackageFile>("SIZE", "size", packageFileSize),
  column<PackageFile>("SHA256", "sha256", { flexible: true }),
];

/** `tongs package files`: GET the files of a version of a package. */
export const files = defineCommand({
  summary: "List the files of a package",
  on: "server",
  effect: "read",
  lists: ["file", "files"],
  args: { package: one("TYPE/NAME@VERSION, or TYPE/NAME for the latest version") },
  flags: ownerFlag,
  output: listOf(packageFile),
  examples: [["The files of a version", "tongs package files generic/charts@1.0.0"]],
  web: {
    page: async (context) =>
      packagePage(await findVersion(context.args.package, await ownerOf(context.flags, context), context)),
    uses: ["owner"],
  },
  async run(context) {
    const { args, flags, http, out, server } = context;
    const version = await findVersion(args.package, await ownerOf(flags, context), context);
    const found = (await explainPackage(call(http, packageFileList, { ...version }), version, server)) ?? [];
    await out.list(found, columns, { unlimited: true });
  },
});
