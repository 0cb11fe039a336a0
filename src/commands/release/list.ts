import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { choiceOr, yesNo } from "../../command/flags.ts";
import { filterListing, sortListing } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type Release, release, releaseList } from "../../forge/releases.ts";
import { when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { assetsOf, releaseType } from "./shared.ts";

const columns = [
  column<Release>("TITLE", "name", { cell: ({ name, tag_name }) => name || tag_name, flexible: true }),
  column<Release>("TYPE", "draft", releaseType),
  column<Release>("TAG", "tag_name", { style: "link" }),
  column<Release>("ASSETS", "assets", { cell: (one) => assetsOf(one).length || "", rank: "optional" }),
  column<Release>("PUBLISHED", "published_at", ({ draft, published_at }) => when(draft ? undefined : published_at)),
];

/** `tongs release list`: GET the releases of a repository. */
export const list = defineCommand({
  summary: "List releases",
  details: "Drafts are listed for users who can write to the repository.",
  on: "repository",
  effect: "read",
  lists: ["release", "releases"],
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
  output: listOf(release),
  examples: [
    ["List releases", "tongs release list"],
    ["Print the tags of published releases", "tongs release list --no-draft --all --jq '.[].tag_name'"],
  ],
  web: { page: ({ repo }) => repoPage(repo, "releases") },
  async run({ flags, http, repo, out }) {
    const { draft, prerelease } = flags;
    // The servers take `false` as no filter for some of them, so it is applied here, too.
    const fits = (one: Release) =>
      (draft === undefined || (one.draft ?? false) === draft) &&
      (prerelease === undefined || (one.prerelease ?? false) === prerelease);
    const all = call(http, releaseList, { repo, draft, "pre-release": prerelease });
    const found = draft === undefined && prerelease === undefined ? all : filterListing(all, fits);
    const time = ({ created_at }: Release) => Date.parse(created_at ?? "") || 0;
    await out.list(
      flags.order === "desc" ? found : sortListing(found, (one, other) => time(one) - time(other)),
      columns,
    );
  },
});
