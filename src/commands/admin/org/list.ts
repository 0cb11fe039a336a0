import { defineCommand } from "../../../app/define.ts";
import { choice, text } from "../../../command/flags.ts";
import { allOrgList, type ListedOrganization, listedOrganization } from "../../../forge/admin.ts";
import { filterListing } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { visibilities } from "../../../forge/users.ts";
import { column } from "../../../output/table.ts";
import { list as listOf } from "../../../shape/shape.ts";

const columns = [
  column<ListedOrganization>("NAME", "name", { style: "strong" }),
  column<ListedOrganization>("FULL NAME", "full_name", { flexible: true }),
  column<ListedOrganization>("VISIBILITY", "visibility"),
  column<ListedOrganization>("DESCRIPTION", "description", { flexible: true }),
];

/** `tongs admin org list`: GET /admin/orgs. */
export const list = defineCommand({
  summary: "List all organizations of the server",
  on: "server",
  effect: "read",
  lists: ["organization", "organizations"],
  flags: {
    query: text("search in name and full name", { placeholder: "TEXT", filters: true }),
    visibility: choice(visibilities, "only organizations with this visibility", { filters: true }),
  },
  output: listOf(listedOrganization),
  examples: [["List the private organizations", "tongs admin org list --visibility private"]],
  async run({ flags, http, out }) {
    const query = flags.query?.toLowerCase() ?? "";
    const matches = (org: ListedOrganization) =>
      [org.name, org.full_name].some((name) => name?.toLowerCase().includes(query) === true) &&
      (flags.visibility === undefined || org.visibility === flags.visibility);
    const all = call(http, allOrgList, {});
    const filtered = query !== "" || flags.visibility !== undefined;
    await out.list(filtered ? filterListing(all, matches) : all, columns);
  },
});
