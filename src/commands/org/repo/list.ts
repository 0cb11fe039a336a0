import { defineCommand } from "../../../app/define.ts";
import { pagePath } from "../../../app/web.ts";
import { one } from "../../../command/args.ts";
import { call } from "../../../forge/operation.ts";
import { orgRepoList } from "../../../forge/orgs.ts";
import { repository } from "../../../forge/repos.ts";
import { list as listOf } from "../../../shape/shape.ts";
import { repositoryColumns } from "../../repo/shared.ts";

/** `tongs org repo list`: GET /orgs/{org}/repos. */
export const list = defineCommand({
  summary: "List the repositories of an organization",
  on: "server",
  effect: "read",
  lists: ["repository", "repositories"],
  args: { org: one("organization") },
  output: listOf(repository),
  examples: [["List the repositories of an organization", "tongs org repo list tidewater --all"]],
  web: { page: ({ args }) => pagePath(args.org) },
  async run({ args, http, out }) {
    await out.list(call(http, orgRepoList, { org: args.org }), repositoryColumns);
  },
});
