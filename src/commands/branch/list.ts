import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { text, yesNo } from "../../command/flags.ts";
import { type Branch, branch, branchList } from "../../forge/branches.ts";
import { filterListing } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";

const columns = (full: boolean) => [
  column<Branch>("NAME", ({ name }) => styled("link", name), true),
  column<Branch>("COMMIT", ({ commit }) => styled("warn", full ? commit?.id : commit?.id.slice(0, 10))),
  column<Branch>("TITLE", ({ commit }) => commit?.message?.split("\n", 1)[0], true),
  column<Branch>("PROTECTED", (one) => (one.protected ? "protected" : "")),
  column<Branch>("UPDATED", ({ commit }) => when(commit?.timestamp), false, "optional"),
];

/** `tongs branch list`: GET the branches of a repository. */
export const list = defineCommand({
  summary: "List branches",
  on: "repository",
  effect: "read",
  flags: {
    search: text("filter by a part of the name", { short: "S" }),
    protected: yesNo("show only protected branches, or none"),
  },
  output: listOf(branch),
  examples: [
    ["List branches", "tongs branch list"],
    ["Print the names of protected branches", "tongs branch list --protected --all --jq '.[].name'"],
  ],
  web: { page: ({ repo }) => repoPage(repo, "branches") },
  async run({ flags, http, repo, out }) {
    const { search } = flags;
    const isProtected = flags.protected;
    const all = call(http, branchList, { repo, q: search });
    const lower = search?.toLowerCase() ?? "";
    // Forgejo ignores the search (docs/server-differences.md, "Branches and tags").
    const fits = ({ name, ...one }: Branch) =>
      name.toLowerCase().includes(lower) && (isProtected === undefined || (one.protected ?? false) === isProtected);
    const filtered = search !== undefined || isProtected !== undefined;
    await out.list(filtered ? filterListing(all, fits) : all, columns(!out.terminal));
  },
});
