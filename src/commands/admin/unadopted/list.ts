import { defineCommand } from "../../../app/define.ts";
import { text } from "../../../command/flags.ts";
import { unadoptedList } from "../../../forge/admin.ts";
import { filterListing } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { wordColumn } from "../../../output/table.ts";
import { list as listOf, string } from "../../../shape/shape.ts";

/**
 * `tongs admin unadopted list`: GET /admin/unadopted, filtered by tongs (docs/server-differences.md, "Server
 * information").
 */
export const list = defineCommand({
  summary: "List unadopted repositories",
  details: "Unadopted repositories are on the server's disk, but not in its database.",
  on: "server",
  effect: "read",
  lists: ["unadopted repository", "unadopted repositories"],
  flags: { query: text("search in OWNER/NAME", { placeholder: "TEXT", filters: true }) },
  output: listOf(string),
  examples: [["List the unadopted repositories", "tongs admin unadopted list"]],
  async run({ flags, http, out }) {
    const query = flags.query?.toLowerCase();
    const all = call(http, unadoptedList, {});
    const listed =
      query === undefined ? all : filterListing(all, (repository) => repository.toLowerCase().includes(query));
    await out.list(listed, [wordColumn("NAME")]);
  },
});
