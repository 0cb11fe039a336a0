import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { text } from "../../command/flags.ts";
import { filterListing } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type Tag, tag, tagList } from "../../forge/tags.ts";
import { styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";

const columns = (full: boolean) => [
  column<Tag>("NAME", ({ name }) => styled("link", name), true),
  column<Tag>("COMMIT", ({ commit }) => styled("warn", full ? commit?.sha : commit?.sha.slice(0, 10))),
  column<Tag>("MESSAGE", ({ message = "" }) => message.split("\n", 1)[0], true),
  column<Tag>("CREATED", ({ commit }) => when(commit?.created)),
];

/** `tongs tag list`: GET the tags of a repository. */
export const list = defineCommand({
  summary: "List tags",
  on: "repository",
  effect: "read",
  flags: { search: text("filter by a part of the name", { short: "S" }) },
  output: listOf(tag),
  examples: [["List tags, newest first", "tongs tag list"]],
  web: { page: ({ repo }) => repoPage(repo, "tags") },
  async run({ flags, http, repo, out }) {
    const { search } = flags;
    const all = call(http, tagList, { repo });
    const lower = search?.toLowerCase() ?? "";
    const found = search === undefined ? all : filterListing(all, ({ name }) => name.toLowerCase().includes(lower));
    await out.list(found, columns(!out.terminal));
  },
});
