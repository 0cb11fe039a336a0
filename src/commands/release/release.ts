import type { Command } from "../../app/define.ts";
import { inRepository, resource } from "../../app/resource.ts";
import { repoPage } from "../../app/web.ts";
import { one } from "../../command/args.ts";
import { choiceOr, yesNo } from "../../command/flags.ts";
import type { Table } from "../../command/table.ts";
import { filterListing, sortListing } from "../../forge/listings.ts";
import { oneNamed } from "../../forge/names.ts";
import { call } from "../../forge/operation.ts";
import {
  type Release,
  type ReleaseAsset,
  release,
  releaseAsset,
  releaseAssetDelete,
  releaseList,
} from "../../forge/releases.ts";
import { type Cell, styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { column } from "../../output/table.ts";
import { sizeText } from "../../text/format.ts";
import { safeLine } from "../../text/safe.ts";
import { assetsOf, findRelease, releaseArgument, releaseName } from "./find-release.ts";

const releases = resource({
  ...inRepository,
  noun: ["release", "releases"],
  a: "a release",
  record: release,
  argument: { key: "tag", one: releaseArgument, many: "tags of releases, or latest", source: "release" },
  get: (tag, context) => findRelease(tag === "" ? undefined : tag, context),
  name: ({ tag_name }: Release) => `release ${tag_name}`,
  page: ({ tag_name }, repo) => repoPage(repo, "releases/tag", tag_name),
});

const assets = resource({
  on: "repository",
  noun: ["asset", "assets"],
  a: "an asset",
  record: releaseAsset,
  argument: { key: "asset", one: "name of the asset, or its ID", many: "names of assets, or their IDs" },
  args: { tag: one(releaseArgument, { source: "release" }) },
  async place(context) {
    const found = await findRelease(context.args.tag, context);
    return { release: found, name: releaseName(found, context) };
  },
  get: (typed, { place }) =>
    oneNamed(assetsOf(place.release), typed, {
      kind: "asset",
      nameOf: ({ name }) => name,
      where: `in ${place.name}`,
    }),
  name: ({ name }: ReleaseAsset) => `asset '${name}'`,
  where: ({ name }) => name,
});

/** The verbs of `tongs release`. */
export const verbs: Table<Command> = {
  list: releases.list({
    details: "Drafts are listed for users who can write to the repository.",
    flags: {
      draft: yesNo("show only drafts, or none", {
        filters: true,
        aliases: [{ name: "exclude-drafts", value: "false" }],
      }),
      prerelease: yesNo("show only prereleases, or none", {
        filters: true,
        aliases: [{ name: "exclude-pre-releases", value: "false" }],
      }),
      order: choiceOr(["desc", "asc"], "desc", "newest or oldest first", { short: "O" }),
    },
    columns: [
      column<Release>("TITLE", "name", { cell: ({ name, tag_name }) => name || tag_name, flexible: true }),
      column<Release>("TYPE", "draft", releaseType),
      column<Release>("TAG", "tag_name", { style: "link" }),
      column<Release>("ASSETS", "assets", { cell: (one) => assetsOf(one).length || "", rank: "optional" }),
      column<Release>("PUBLISHED", "published_at", ({ draft, published_at }) => when(draft ? undefined : published_at)),
    ],
    fetch({ flags, http, repo }) {
      const { draft, prerelease } = flags;
      // The servers take `false` as no filter for some of them, so it is applied here, too.
      const fits = (one: Release) =>
        (draft === undefined || (one.draft ?? false) === draft) &&
        (prerelease === undefined || (one.prerelease ?? false) === prerelease);
      const all = call(http, releaseList, { repo, draft, "pre-release": prerelease });
      const found = draft === undefined && prerelease === undefined ? all : filterListing(all, fits);
      const time = ({ created_at }: Release) => Date.parse(created_at ?? "") || 0;
      return flags.order === "desc" ? found : sortListing(found, (one, other) => time(one) - time(other));
    },
    page: ({ repo }) => repoPage(repo, "releases"),
    examples: [
      ["List releases", "tongs release list"],
      ["Print the tags of published releases", "tongs release list --no-draft --all --jq '.[].tag_name'"],
    ],
  }),
  view: releases.view({
    details: "Without a tag, views the latest release that is neither a draft nor a prerelease.",
    absent: "latest",
    sheet: releaseSheet,
    examples: [
      ["View the latest release", "tongs release view"],
      ["Print the names of the assets", "tongs release view v1.2.0 --jq '.assets[].name'"],
    ],
  }),
  create: () => import("./create.ts").then((file) => file.create),
  edit: () => import("./edit.ts").then((file) => file.edit),
  delete: () => import("./delete.ts").then((file) => file.remove()),
  download: () => import("./download.ts").then((file) => file.download),
  upload: () => import("./upload.ts").then((file) => file.upload),
  "delete-asset": assets.delete({
    sends: releaseAssetDelete,
    summary: "Delete assets of a release",
    work: ({ id }, { http, place, repo }) =>
      call(http, releaseAssetDelete, { repo, id: place.release.id, attachment_id: id }),
    examples: [["Delete an asset", "tongs release delete-asset v1.2.0 tongs.tar.gz --yes"]],
  }),
};

/** Whether a release is a draft or a prerelease, in its color. */
function releaseType({ draft, prerelease }: Release): Cell {
  if (draft) return styled("warn", "draft");
  return prerelease ? styled("plain", "prerelease") : "";
}

function releaseSheet(found: Release): Sheet {
  const assets = assetsOf(found).map(
    ({ name, size, download_count = 0 }) =>
      `${safeLine(name)}  ${size === undefined ? "" : sizeText(size)}  ${download_count} download${download_count === 1 ? "" : "s"}`,
  );
  return {
    title: found.name || found.tag_name,
    fields: [
      ["tag", styled("link", found.tag_name)],
      ["type", releaseType(found)],
      ["target", found.target_commitish],
      ["author", found.author?.login],
      ["created", when(found.created_at)],
      ["published", found.draft ? undefined : when(found.published_at)],
      ["url", styled("link", found.html_url)],
    ],
    body: found.body,
    markdown: true,
    sections: assets.length === 0 ? [] : [{ title: "Assets", body: assets.join("\n"), lines: assets }],
  };
}
