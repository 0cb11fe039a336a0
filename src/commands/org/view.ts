import { defineCommand } from "../../app/define.ts";
import { pagePath } from "../../app/web.ts";
import { one } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { orgGet } from "../../forge/orgs.ts";
import { type Organization, organization, orgName } from "../../forge/users.ts";
import type { Sheet } from "../../output/sheet.ts";

/** `tongs org view`: GET /orgs/{org}. */
export const view = defineCommand({
  summary: "View an organization",
  on: "server",
  effect: "read",
  args: { org: one("organization") },
  output: organization,
  examples: [["View an organization", "tongs org view tidewater"]],
  web: { page: ({ args }) => pagePath(args.org) },
  async run({ args, http, out }) {
    await out.record(await call(http, orgGet, { org: args.org }), orgSheet);
  },
});

/** An organization, field by field. */
function orgSheet(org: Organization): Sheet {
  return {
    title: orgName(org),
    fields: [
      ["full name", org.full_name],
      ["description", org.description],
      ["visibility", org.visibility],
      ["email", org.email],
      ["website", org.website],
      ["location", org.location],
      ["repository administrators change teams", org.repo_admin_change_team_access],
      ["id", org.id],
    ],
  };
}
