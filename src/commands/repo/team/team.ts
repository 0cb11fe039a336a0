import { teamColumns } from "../../../app/columns.ts";
import type { Command } from "../../../app/define.ts";
import { inRepository, resource } from "../../../app/resource.ts";
import { Unchanged, unlessDone } from "../../../app/result.ts";
import { repoPage } from "../../../app/web.ts";
import type { Table } from "../../../command/table.ts";
import { Failure } from "../../../failure/failure.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { repoGet } from "../../../forge/repos.ts";
import {
  repoTeamAdd,
  repoTeamCheck,
  repoTeamList,
  repoTeamRemove,
  requireOneByOne,
  type Team,
  team,
} from "../../../forge/teams.ts";
import { HttpError, InvalidError } from "../../../http/errors.ts";
import { commandIn, type Place } from "../../../profiles/server.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { repoArgument } from "../arguments.ts";

const teams = resource({
  ...inRepository,
  noun: ["team", "teams"],
  a: "a team",
  record: team,
  argument: {
    key: "team",
    one: "team of the organization that owns the repository",
    many: "teams of the organization that owns the repository",
  },
  target: () => (name) => ({ name }),
  name: ({ name }: Pick<Team, "name">) => `team ${name}`,
});

/** The verbs of `tongs repo team`. */
export const verbs: Table<Command> = {
  list: teams.list({
    summary: "List the teams with access to a repository",
    lists: ["team with access", "teams with access"],
    args: { repo: repoArgument },
    columns: teamColumns,
    fetch: ({ http, repo }) => call(http, repoTeamList, { repo }),
    page: ({ repo }) => repoPage(repo, "settings", "collaboration"),
    examples: [["List the teams", "tongs repo team list tidewater/charts"]],
  }),
  add: teams.each({
    verb: ["add", "added"],
    summary: "Give teams access to a repository",
    leavesNothing: true,
    exits: { refused: "the repository is not in an organization" },
    work: ({ name }, { http, repo, server }) =>
      unlessDone(
        call(http, repoTeamAdd, { repo, team: name }).catch(explain({ repo, server })),
        InvalidError,
        () => call(http, repoTeamCheck, { repo, team: name }),
        new Unchanged(`Team ${name} already has access to ${fullName(repo)}`),
      ),
    examples: [["Add a team", "tongs repo team add pilots -R tidewater/charts"]],
  }),
  remove: teams.each({
    verb: ["remove", "removed"],
    summary: "Remove the access of teams to a repository",
    leavesNothing: true,
    exits: { refused: "the team is Owners, or has all repositories" },
    async work({ name }, { http, repo, server }) {
      // The answer is 204, but owners keep their access.
      if (name.toLowerCase() === "owners") {
        throw new Failure("owners_team", `The team Owners always has access to ${fullName(repo)}`);
      }
      const all = await collect(call(http, repoTeamList, { repo })).catch(explain({ repo, server }));
      const found = all.find((one) => one.name.toLowerCase() === name.toLowerCase());
      if (found !== undefined) requireOneByOne(repo.owner, found);
      return unlessDone(
        call(http, repoTeamRemove, { repo, team: name }).catch(explain({ repo, server })),
        InvalidError,
        async () => !(await call(http, repoTeamCheck, { repo, team: name })),
        new Unchanged(`Team ${name} has no access to ${fullName(repo)}`),
      );
    },
    examples: [["Remove a team", "tongs repo team remove pilots -R tidewater/charts"]],
  }),
  check: teams.check({
    summary: "Check whether a team has access to a repository",
    holds: ({ name }, { http, repo }) => call(http, repoTeamCheck, { repo, team: name }),
    exists: (_, { http, repo }) => call(http, repoGet, { repo }),
    says: ({ name }, holds, { repo }) => `Team ${name} has ${holds ? "" : "no "}access to ${fullName(repo)}`,
    exits: { ok: "the team has access", failure: "the team has no access" },
    examples: [["Check in a script", "if tongs repo team check pilots -R tidewater/charts; then echo yes; fi"]],
  }),
};

/** The body of this 405 holds two JSON objects (docs/server-differences.md, "Repositories"). */
function explain(place: Place): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof HttpError) || error.status !== 405) throw error;
    throw new Failure("not_in_organization", `${fullName(place.repo)} does not belong to an organization`, {
      hint: `To give users access, run: ${commandIn(place, "tongs repo collaborator add USER")}`,
      status: 405,
      cause: error,
    });
  };
}
