import type { Command } from "../../app/define.ts";
import { resource } from "../../app/resource.ts";
import { filtered, pagePath } from "../../app/web.ts";
import { optional } from "../../command/args.ts";
import { text } from "../../command/flags.ts";
import type { Table } from "../../command/table.ts";
import { UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { type Package, packageList, packageVersion, packageVersionGet, packageVersions } from "../../forge/packages.ts";
import { styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { column } from "../../output/table.ts";
import { explainPackage, findVersion, ownerFlag, ownerOf, packageLabel, packagePage, wholePackage } from "./name.ts";

const packages = resource({
  on: "server",
  noun: ["package", "packages"],
  a: "a package",
  record: packageVersion,
  argument: { key: "package", one: "TYPE/NAME@VERSION, or TYPE/NAME for the latest version", many: "packages" },
  flags: ownerFlag,
  place: (context) => ownerOf(context.flags, context),
  async select(context) {
    const { http, place } = context;
    return async (typed) => {
      const version = await findVersion(typed, place, context);
      return explainPackage(call(http, packageVersionGet, { ...version }), version);
    };
  },
  name: (one: Pick<Package, "type" | "name">) => `package ${packageLabel(one)}`,
  where: String,
});

/** The verbs of `tongs package`. */
export const verbs: Table<Command> = {
  list: packages.list({
    details: "Lists every version, newest first; with PACKAGE, the versions of that package.",
    args: { package: optional("TYPE/NAME, to list its versions") },
    flags: {
      type: text("filter by type: generic, npm, container, …", { placeholder: "TYPE", filters: true }),
      query: text("filter by part of the name", { placeholder: "TEXT", filters: true }),
    },
    columns: [
      column<Package>("TYPE", "type"),
      column<Package>("NAME", "name", { style: "strong", flexible: true }),
      column<Package>("VERSION", "version"),
      column<Package>("REPOSITORY", "repository.full_name", { flexible: true }),
      column<Package>("CREATOR", "creator.login"),
      column<Package>("CREATED", "created_at", { as: "time" }),
    ],
    check({ args, flags }) {
      if (args.package === undefined || (flags.type === undefined && flags.query === undefined)) return;
      throw new UsageError("Specify either PACKAGE, or filters: --type and --query");
    },
    fetch: ({ args, flags, http, place: owner }) =>
      args.package === undefined
        ? call(http, packageList, { owner, type: flags.type, q: flags.query })
        : packageVersions(http, wholePackage(args.package, owner)),
    async page({ args, flags }, place) {
      const owner = await place();
      if (args.package !== undefined) return `${packagePage(wholePackage(args.package, owner))}/versions`;
      return filtered(pagePath(owner, "-", "packages"), { type: flags.type, q: flags.query });
    },
    pageUses: ["owner", "type", "query"],
    examples: [
      ["The container images of an organization", "tongs package list --owner tidewater --type container"],
      ["The versions of a package", "tongs package list generic/charts"],
    ],
  }),
  view: packages.view({
    sheet: sheetOf,
    page: async (context, place, typed) => packagePage(await findVersion(typed, await place(), context)),
    examples: [
      ["View the latest version of a package", "tongs package view generic/charts"],
      ["View a version of a package of an organization", "tongs package view npm/@tide/table@1.2.0 --owner tidewater"],
    ],
  }),
  files: () => import("./files.ts").then((file) => file.files),
  upload: () => import("./upload.ts").then((file) => file.upload),
  download: () => import("./download.ts").then((file) => file.download),
  delete: () => import("./delete.ts").then((file) => file.remove),
  link: () => import("./link-unlink.ts").then((file) => file.link),
  unlink: () => import("./link-unlink.ts").then((file) => file.unlink),
};

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
