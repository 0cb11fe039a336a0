import { defineCommand } from "../../../app/define.ts";
import { repoPage } from "../../../app/web.ts";
import { one } from "../../../command/args.ts";
import { call } from "../../../forge/operation.ts";
import { repoGet } from "../../../forge/repos.ts";
import { repoTeamCheck, repoTeamList, team } from "../../../forge/teams.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { list as listOf } from "../../../shape/shape.ts";
import { teamColumns } from "../../team/shared.ts";
import { repoArgument } from "../shared.ts";

/** `tongs repo team list`: GET the teams that have access to a repository. */
export const list = defineCommand({
  summary: "List the teams with access to a repository",
  on: "repository",
  effect: "read",
  lists: ["team with access", "teams with access"],
  args: { repo: repoArgument },
  output: listOf(team),
  examples: [["List the teams", "tongs repo team list tidewater/charts"]],
  web: { page: ({ repo }) => repoPage(repo, "settings", "collaboration") },
  async run({ http, repo, out }) {
    await out.list(call(http, repoTeamList, { repo }), teamColumns);
  },
});

/** `tongs repo team check`: GET …/teams/{team}; the exit code is the answer. */
export const check = defineCommand({
  summary: "Check whether a team has access to a repository",
  on: "repository",
  effect: "read",
  args: { team: one("team of the organization that owns the repository") },
  exits: { ok: "the team has access", failure: "the team has no access" },
  examples: [["Check in a script", "if tongs repo team check pilots -R tidewater/charts; then echo yes; fi"]],
  async run({ args, http, repo, out }) {
    const found = await call(http, repoTeamCheck, { repo, team: args.team });
    // The answer is the same for an unknown repository, which is an error here.
    if (!found) await call(http, repoGet, { repo });
    out.note(`Team ${args.team} has ${found ? "" : "no "}access to ${fullName(repo)}`);
    return found ? undefined : "failure";
  },
});
