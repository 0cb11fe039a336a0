import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { type Package, packageVersion, packageVersionGet } from "../../forge/packages.ts";
import { styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { explainPackage, findVersion, ownerFlag, ownerOf, packageLabel, packagePage } from "./shared.ts";

/** `tongs package view`: GET a version of a package. */
export const view = defineCommand({
  summary: "View a package",
  on: "server",
  effect: "read",
  args: { package: one("TYPE/NAME@VERSION, or TYPE/NAME for the latest version") },
  flags: ownerFlag,
  output: packageVersion,
  examples: [
    ["View the latest version of a package", "tongs package view generic/charts"],
    ["View a version of a package of an organization", "tongs package view npm/@tide/table@1.2.0 --owner tidewater"],
  ],
  web: {
    page: async (context) =>
      packagePage(await findVersion(context.args.package, await ownerOf(context.flags, context), context)),
    uses: ["owner"],
  },
  async run(context) {
    const { args, flags, http, out } = context;
    const version = await findVersion(args.package, await ownerOf(flags, context), context);
    await out.record(await explainPackage(call(http, packageVersionGet, { ...version }), version), sheetOf);
  },
});

function sheetOf(found: Package): Sheet {
  return {
    title: packageLabel(found),
    fields: [
      ["type", found.type],
      ["version", found.version],
      ["owner", found.owner?.login],
      ["repository", found.repository?.full_name],
      ["creator", found.creator?.login],
      ["created", when(found.created_at)],
      ["url", styled("link", found.html_url)],
    ],
  };
}
