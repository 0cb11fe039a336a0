import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { choiceOr, toggle, yesNo } from "../../command/flags.ts";
import { filterListing, sortListing } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type Release, release, releaseList } from "../../forge/releases.ts";
import { styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { assetsOf, releaseType } from "./shared.ts";

const columns = [
  column<Release>("TITLE", ({ name, tag_name }) => name || tag_name, true),
  column<Release>("TYPE", releaseType),
  column<Release>("TAG", ({ tag_name }) => styled("link", tag_name)),
  column<Release>("ASSETS", (one) => assetsOf(one).length || "", false, "optional"),
  column<Release>("PUBLISHED", ({ draft, published_at }) => when(draft ? undefined : published_at)),
];

/** `tongs release list`: GET the releases of a repository. */
export const list = defineCommand({
  summary: "List releases",
  details: "Drafts are listed for users who can write to the repository.",
  on: "repository",
  effect: "read",
  flags: {
    draft: yesNo("show only drafts, or none"),
    prerelease: yesNo("show only prereleases, or none"),
    order: choiceOr(["desc", "asc"], "desc", "newest or oldest first", { short: "O" }),
    excludeDrafts: toggle("the same as --no-draft", { hidden: true }),
    excludePreReleases: toggle("the same as --no-prerelease", { hidden: true }),
  },
  output: listOf(release),
  examples: [
    ["List releases", "tongs release list"],
    ["Print the tags of published releases", "tongs release list --no-draft --all --jq '.[].tag_name'"],
  ],
  web: { page: ({ repo }) => repoPage(repo, "releases") },
  async run({ flags, http, repo, out }) {
    const draft = flags.excludeDrafts ? false : flags.draft;
    const prerelease = flags.excludePreReleases ? false : flags.prerelease;
    // The servers take `false` as no filter for some of them, so it is applied here, too.
    const fits = (one: Release) =>
      (draft === undefined || (one.draft ?? false) === draft) &&
      (prerelease === undefined || (one.prerelease ?? false) === prerelease);
    const all = call(http, releaseList, {
      repo,
      draft: { draft, prerelease }.draft,
      "pre-release": { draft, prerelease }.prerelease,
    });
    const found = draft === undefined && prerelease === undefined ? all : filterListing(all, fits);
    const time = ({ created_at }: Release) => Date.parse(created_at ?? "") || 0;
    await out.list(
      flags.order === "desc" ? found : sortListing(found, (one, other) => time(one) - time(other)),
      columns,
    );
  },
});
