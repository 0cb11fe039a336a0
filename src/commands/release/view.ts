import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { optional } from "../../command/args.ts";
import { type Release, release } from "../../forge/releases.ts";
import { styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { sizeText } from "../../text/format.ts";
import { safeLine } from "../../text/safe.ts";
import { assetsOf, findRelease, releaseArgument, releaseType } from "./shared.ts";

/** `tongs release view`: GET the release of a tag, or the latest. */
export const view = defineCommand({
  summary: "View a release",
  details: "Without a tag, views the latest release that is neither a draft nor a prerelease.",
  on: "repository",
  effect: "read",
  args: { tag: optional(`${releaseArgument} (default: latest)`, { source: "release" }) },
  output: release,
  examples: [
    ["View the latest release", "tongs release view"],
    ["Print the names of the assets", "tongs release view v1.2.0 --jq '.assets[].name'"],
  ],
  web: {
    async page(context) {
      const { tag_name: tag } = await findRelease(context.args.tag, context);
      return repoPage(context.repo, "releases/tag", tag);
    },
  },
  async run(context) {
    await context.out.record(await findRelease(context.args.tag, context), releaseSheet);
  },
});

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
