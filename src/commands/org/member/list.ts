import { defineCommand } from "../../../app/define.ts";
import { pagePath } from "../../../app/web.ts";
import { one } from "../../../command/args.ts";
import { toggle } from "../../../command/flags.ts";
import { call } from "../../../forge/operation.ts";
import { orgMemberList, orgPublicMemberList } from "../../../forge/orgs.ts";
import { user } from "../../../forge/users.ts";
import { list as listOf } from "../../../shape/shape.ts";
import { userColumns } from "../../follow/list.ts";

/** `tongs org member list`: GET the members of an organization, or the public ones. */
export const list = defineCommand({
  summary: "List the members of an organization",
  details: "If you are not a member, only the public members are listed.",
  on: "server",
  effect: "read",
  lists: ["member", "members"],
  args: { org: one("organization") },
  flags: { public: toggle("list only members whose membership is public", { filters: true }) },
  output: listOf(user),
  examples: [["List the names of all members", "tongs org member list tidewater --all --jq '.[].login'"]],
  web: { page: ({ args }) => pagePath("org", args.org, "members") },
  async run({ args, flags, http, out }) {
    await out.list(
      flags.public ? call(http, orgPublicMemberList, { org: args.org }) : call(http, orgMemberList, { org: args.org }),
      userColumns,
    );
  },
});
