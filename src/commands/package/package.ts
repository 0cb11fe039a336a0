import type { ServerContext } from "../../app/context.ts";
import type { Command } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { listCommand } from "../../app/list-command.ts";
import { requirePresentName } from "../../app/present-name.ts";
import { resource } from "../../app/resource.ts";
import { filtered, pagePath } from "../../app/web.ts";
import { batchCommand, writeCommand } from "../../app/write-command.ts";
import { many, one, optional } from "../../command/args.ts";
import { choice, type FlagValues, text } from "../../command/flags.ts";
import type { Table } from "../../command/table.ts";
import { UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import {
  deletePackage,
  latestVersion,
  linkPackage,
  type Package,
  type PackageFile,
  packageFile,
  packageFileList,
  packageFileSize,
  packageLink,
  packageList,
  packageTypes,
  packageUnlink,
  packageVersion,
  packageVersionDelete,
  packageVersionGet,
  packageVersions,
  unlinkPackage,
  type VersionName,
} from "../../forge/packages.ts";
import type { Http } from "../../http/client.ts";
import { styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { column } from "../../output/table.ts";
import { parseRepo } from "../../repo/repo-name.ts";
import { list } from "../../shape/shape.ts";
import {
  explainPackage,
  findVersion,
  missingPackage,
  ownerFlag,
  ownerOf,
  packageLabel,
  packagePage,
  parsePackage,
  wholePackage,
} from "./name.ts";

const packages = resource({
  on: "server",
  noun: ["package", "packages"],
  a: "a package",
  record: packageVersion,
  argument: { key: "package", one: "TYPE/NAME@VERSION, or TYPE/NAME for the latest version", many: "packages" },
  flags: ownerFlag,
  place: (context) => ownerOf(context.flags, context),
  async select(context) {
    const { http, place, server } = context;
    return async (typed) => {
      const version = await findVersion(typed, place, context);
      return explainPackage(call(http, packageVersionGet, { ...version }), version, server);
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
      type: choice(packageTypes, "filter by type", { placeholder: "TYPE", filters: true }),
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
  files: listCommand({
    summary: "List the files of a package",
    on: "server",
    lists: ["file", "files"],
    args: { package: one("TYPE/NAME@VERSION, or TYPE/NAME for the latest version") },
    flags: ownerFlag,
    record: packageFile,
    columns: [
      column<PackageFile>("ID", "id"),
      column<PackageFile>("NAME", "name", { flexible: true }),
      column<PackageFile>("SIZE", "size", packageFileSize),
      column<PackageFile>("SHA256", "sha256", { flexible: true }),
    ],
    unlimited: true,
    async fetch(context) {
      const { http, server } = context;
      const version = await typedVersion(context);
      return (await explainPackage(call(http, packageFileList, { ...version }), version, server)) ?? [];
    },
    page: async (context) => packagePage(await typedVersion(context)),
    pageUses: ["owner"],
    examples: [["The files of a version", "tongs package files generic/charts@1.0.0"]],
  }),
  upload: () => import("./upload.ts").then((file) => file.upload),
  download: () => import("./download.ts").then((file) => file.download),
  delete: batchCommand({
    summary: "Delete packages",
    details: "Deletes a version with all its files, or all versions of a package if no version is given.",
    on: "server",
    result: "deleted",
    args: { package: many("TYPE/NAME@VERSION, or TYPE/NAME for all versions", { dash: "lines" }) },
    flags: ownerFlag,
    exits: { partly: "some packages were deleted, some failed" },
    async targets(context) {
      const typed = await readTargets(context.args.package, context.system);
      const wanted = typed.map((one) => parsePackage(one));
      const owner = await ownerOf(context.flags, context);
      if (context.flags.owner !== undefined) await requireOwnerName(context.flags.owner, context.http);
      return wanted.map((one) => ({ owner, ...one }));
    },
    name: packageLabel,
    asks(targets) {
      const names = targets.map((one) => `${packageLabel(one)}${one.version === undefined ? " (all versions)" : ""}`);
      return { what: `Delete ${names.join(", ")} of ${targets[0]?.owner}`, sends: packageVersionDelete };
    },
    async work(target, { http, server }) {
      const { version } = target;
      if (version === undefined) {
        const found = await explainPackage(deletePackage(http, target), target, server);
        if (found === undefined) throw missingPackage(target, server);
      } else await explainPackage(call(http, packageVersionDelete, { ...target, version }), target, server);
      return { done: `Deleted package ${packageLabel(target)} of ${target.owner}` };
    },
    examples: [
      ["Delete a version", "tongs package delete generic/charts@1.0.0 --yes"],
      ["Delete a package of an organization", "tongs package delete generic/charts --owner tidewater --yes"],
    ],
  }),
  prune: () => import("./prune.ts").then((file) => file.prune),
  link: writeCommand({
    summary: "Link a package to a repository",
    on: "server",
    needs: [packageLink],
    args: { package: one("TYPE/NAME"), repository: one("a repository of the same owner: NAME or OWNER/NAME") },
    flags: ownerFlag,
    output: packageVersion,
    exits: { invalid: "the package is linked to another repository" },
    async work(context) {
      const { args, flags, http, server } = context;
      const named = args.repository.includes("/") ? parseRepo(args.repository) : undefined;
      const owner = flags.owner ?? named?.owner ?? (await ownerOf(flags, context));
      if (named !== undefined && named.owner.toLowerCase() !== owner.toLowerCase()) {
        throw new UsageError(`A package of ${owner} can be linked only to a repository of ${owner}`);
      }
      const target = wholePackage(args.package, owner);
      const repo = named?.name ?? args.repository;
      const linked = await explainPackage(linkPackage(http, target, repo), target, server);
      const record = () => latestVersion(http, target);
      const name = packageLabel(target);
      return linked
        ? { done: `Linked package ${name} to ${owner}/${repo}`, record }
        : { done: `Package ${name} was already linked to ${owner}/${repo}`, record, unchanged: true };
    },
    examples: [["Link a package to a repository", "tongs package link generic/charts harbor"]],
  }),
  unlink: batchCommand({
    summary: "Unlink packages from their repositories",
    on: "server",
    needs: [packageUnlink],
    args: { package: many("TYPE/NAME", { dash: "lines" }) },
    flags: ownerFlag,
    output: list(packageVersion),
    exits: { partly: "some packages were unlinked, some failed" },
    async targets(context) {
      const typed = await readTargets(context.args.package, context.system);
      const owner = await ownerOf(context.flags, context);
      return typed.map((one) => wholePackage(one, owner));
    },
    name: packageLabel,
    async work(target, { http, server }) {
      const unlinked = await explainPackage(unlinkPackage(http, target), target, server);
      const record = () => latestVersion(http, target);
      const name = `${packageLabel(target)} of ${target.owner}`;
      return unlinked
        ? { done: `Unlinked package ${name}`, record }
        : { done: `Package ${name} was already not linked to a repository`, record, unchanged: true };
    },
    examples: [["Unlink a package", "tongs package unlink generic/charts"]],
  }),
};

/** The version that is the argument, or else the latest one. */
async function typedVersion(
  context: ServerContext & {
    readonly args: { readonly package: string };
    readonly flags: FlagValues<typeof ownerFlag>;
  },
): Promise<VersionName> {
  return findVersion(context.args.package, await ownerOf(context.flags, context), context);
}

/** Throws a usage error for the old name of an owner, which a package of theirs tells: a token may have no other scope. */
async function requireOwnerName(typed: string, http: Http): Promise<void> {
  for await (const { owner } of call(http, packageList, { owner: typed }).take(1)) {
    requirePresentName(typed, owner?.login ?? typed, (name) => `To delete their packages, pass --owner ${name}.`);
  }
}

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
