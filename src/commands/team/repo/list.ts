import { defineCommand } from "../../../app/define.ts";
import { pagePath } from "../../../app/web.ts";
import { one } from "../../../command/args.ts";
import { call } from "../../../forge/operation.ts";
import { repository } from "../../../forge/repos.ts";
import { teamRepoCheck, teamRepoList } from "../../../forge/teams.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { list as listOf } from "../../../shape/shape.ts";
import { repositoryColumns } from "../../repo/shared.ts";
import { findTeam, teamArgument, teamName } from "../find.ts";
import { repoOf } from "./add-remove.ts";

/** `tongs team repo list`: GET /teams/{id}/repos. */
export const list = defineCommand({
  summary: "List the repositories of a team",
  on: "server",
  effect: "read",
  lists: ["repository", "repositories"],
  args: { team: teamArgument },
  output: listOf(repository),
  examples: [["List the repositories of a team", "tongs team repo list tidewater/pilots"]],
  web: { page: ({ args }) => pagePath("org", args.team.org, "teams", args.team.team, "repositories") },
  async run(context) {
    const { args, http, out } = context;
    const { id } = await findTeam(args.team, context);
    await out.list(call(http, teamRepoList, { id }), repositoryColumns);
  },
});

/** `tongs team repo check`: GET /teams/{id}/repos/{org}/{repo}; the exit code is the answer. */
export const check = defineCommand({
  summary: "Check whether a team has access to a repository",
  on: "server",
  effect: "read",
  args: { team: teamArgument, repository: one("NAME or ORG/NAME") },
  exits: { ok: "the team has access", failure: "the team has no access" },
  examples: [["Check in a script", "if tongs team repo check tidewater/pilots charts; then echo yes; fi"]],
  async run(context) {
    const { args, http, out } = context;
    const repo = repoOf(args.team.org, args.repository);
    const { id } = await findTeam(args.team, context);
    const found = await call(http, teamRepoCheck, { id, org: repo.owner, repo: repo.name });
    out.note(`Team ${teamName(args.team)} has ${found ? "" : "no "}access to ${fullName(repo)}`);
    return found ? undefined : "failure";
  },
});
