import { defineCommand } from "../../app/define.ts";
import { pagePath } from "../../app/web.ts";
import { optional } from "../../command/args.ts";
import { text } from "../../command/flags.ts";
import { filterListing } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { ownTeamList, type Team, team, teamList } from "../../forge/teams.ts";
import { list as listOf } from "../../shape/shape.ts";
import { teamColumns } from "./shared.ts";

/** `tongs team list`: GET the teams of an organization, or of the user. */
export const list = defineCommand({
  summary: "List teams",
  on: "server",
  effect: "read",
  lists: ["team", "teams"],
  args: { org: optional("organization (default: your teams in all organizations)") },
  flags: { search: text("only teams with this text in the name or description", { filters: true }) },
  output: listOf(team),
  examples: [
    ["List your teams", "tongs team list"],
    ["List the teams of an organization", "tongs team list tidewater"],
  ],
  web: {
    page: ({ args }) =>
      args.org === undefined ? pagePath("user/settings/organization") : pagePath("org", args.org, "teams"),
  },
  async run({ args, flags, http, out }) {
    const listing = args.org === undefined ? call(http, ownTeamList, {}) : call(http, teamList, { org: args.org });
    const { search } = flags;
    const fits = ({ name, description = "" }: Team) =>
      `${name}\n${description}`.toLowerCase().includes((search ?? "").toLowerCase());
    await out.list(search === undefined ? listing : filterListing(listing, fits), teamColumns);
  },
});
