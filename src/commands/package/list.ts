import { defineCommand } from "../../app/define.ts";
import { filtered, pagePath } from "../../app/web.ts";
import { optional } from "../../command/args.ts";
import { text } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { type Package, packageList, packageVersion, packageVersions } from "../../forge/packages.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { ownerFlag, ownerOf, packagePage, wholePackage } from "./shared.ts";

const columns = [
  column<Package>("TYPE", "type"),
  column<Package>("NAME", "name", { style: "strong", flexible: true }),
  column<Package>("VERSION", "version"),
  column<Package>("REPOSITORY", "repository.full_name", { flexible: true }),
  column<Package>("CREATOR", "creator.login"),
  column<Package>("CREATED", "created_at", { as: "time" }),
];

/** `tongs package list`: GET the packages of an owner, or the versions of one. */
export const list = defineCommand({
  summary: "List packages",
  details: "Lists every version, newest first; with PACKAGE, the versions of that package.",
  on: "server",
  effect: "read",
  lists: ["package", "packages"],
  args: { package: optional("TYPE/NAME, to list its versions") },
  flags: {
    ...ownerFlag,
    type: text("filter by type: generic, npm, container, …", { placeholder: "TYPE", filters: true }),
    query: text("filter by part of the name", { placeholder: "TEXT", filters: true }),
  },
  output: listOf(packageVersion),
  examples: [
    ["The container images of an organization", "tongs package list --owner tidewater --type container"],
    ["The versions of a package", "tongs package list generic/charts"],
  ],
  web: {
    page: async (context) => {
      const { args, flags } = context;
      const owner = await ownerOf(flags, context);
      if (args.package !== undefined) return `${packagePage(wholePackage(args.package, owner))}/versions`;
      return filtered(pagePath(owner, "-", "packages"), { type: flags.type, q: flags.query });
    },
    uses: ["owner", "type", "query"],
  },
  async run(context) {
    const { args, flags, http, out } = context;
    const { type, query: q } = flags;
    if (args.package !== undefined && (type !== undefined || q !== undefined)) {
      throw new UsageError("Specify either PACKAGE, or filters: --type and --query");
    }
    const owner = await ownerOf(flags, context);
    const found =
      args.package === undefined
        ? call(http, packageList, { owner, type, q })
        : packageVersions(http, wholePackage(args.package, owner));
    await out.list(found, columns);
  },
});
