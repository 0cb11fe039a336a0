import { repositoryColumns } from "../../../app/columns.ts";
import type { Command } from "../../../app/define.ts";
import { resource } from "../../../app/resource.ts";
import { pagePath } from "../../../app/web.ts";
import type { Table } from "../../../command/table.ts";
import { UsageError } from "../../../failure/failure.ts";
import { call } from "../../../forge/operation.ts";
import { repoGet, repository } from "../../../forge/repos.ts";
import { requireOneByOne, teamRepoAdd, teamRepoCheck, teamRepoList, teamRepoRemove } from "../../../forge/teams.ts";
import { notFound } from "../../../http/errors.ts";
import { fullName, parseRepo, type RepoName } from "../../../repo/repo-name.ts";
import { inTeam, teamName } from "../find.ts";

const repositories = resource({
  ...inTeam,
  noun: ["repository", "repositories"],
  a: "a repository",
  record: repository,
  argument: {
    key: "repository",
    one: "NAME or ORG/NAME",
    many: "NAME or ORG/NAME",
    check: (typed, { team }) => repoOf(team.org, typed),
  },
  target:
    ({ place }) =>
    (typed) => {
      return { full_name: fullName(repoOf(place.org, typed)) };
    },
  name: ({ full_name }: { readonly full_name: string }) => full_name,
});

/** The verbs of `tongs team repo`. */
export const verbs: Table<Command> = {
  list: repositories.list({
    summary: "List the repositories of a team",
    columns: repositoryColumns,
    fetch: ({ http, place }) => call(http, teamRepoList, { id: place.id }),
    page: ({ args }) => pagePath("org", args.team.org, "teams", args.team.team, "repositories"),
    examples: [["List the repositories of a team", "tongs team repo list tidewater/pilots"]],
  }),
  add: repositories.each({
    verb: ["add", "added"],
    summary: "Give a team access to repositories",
    details: "The repositories must belong to the organization of the team.",
    leavesNothing: true,
    work: ({ full_name }, { http, place }) =>
      call(http, teamRepoAdd, { id: place.id, ...pathOf(full_name) }).catch(notFound(`Repository ${full_name}`)),
    examples: [["Add two repositories", "tongs team repo add tidewater/pilots charts tides"]],
  }),
  remove: repositories.each({
    verb: ["remove", "removed"],
    summary: "Remove a team's access to repositories",
    leavesNothing: true,
    exits: { refused: "the team has access to all repositories" },
    async before({ args, place }) {
      requireOneByOne(args.team.org, { name: args.team.team, includes_all_repositories: place.hasAll });
    },
    work: ({ full_name }, { http, place }) =>
      call(http, teamRepoRemove, { id: place.id, ...pathOf(full_name) }).catch(notFound(`Repository ${full_name}`)),
    examples: [["Remove a repository", "tongs team repo remove tidewater/pilots charts"]],
  }),
  check: repositories.check({
    summary: "Check whether a team has access to a repository",
    holds: ({ full_name }, { http, place }) => call(http, teamRepoCheck, { id: place.id, ...pathOf(full_name) }),
    exists: ({ full_name }, { http }) => call(http, repoGet, { repo: parseRepo(full_name) }),
    says: ({ full_name }, holds, { args }) =>
      `Team ${teamName(args.team)} has ${holds ? "" : "no "}access to ${full_name}`,
    exits: { ok: "the team has access", failure: "the team has no access" },
    examples: [["Check in a script", "if tongs team repo check tidewater/pilots charts; then echo yes; fi"]],
  }),
};

/** `NAME` or `ORG/NAME`. Throws a usage error for a repository of another owner, which the server does not find. */
function repoOf(org: string, typed: string): RepoName {
  const { owner, name } = parseRepo(typed.includes("/") ? typed : `${org}/${typed}`);
  if (owner.toLowerCase() === org.toLowerCase()) return { owner, name };
  throw new UsageError(
    `${owner}/${name} does not belong to ${org}: a team has access to its organization's repositories`,
  );
}

interface RepoPath {
  readonly org: string;
  readonly repo: string;
}

function pathOf(full_name: string): RepoPath {
  const { owner: org, name: repo } = parseRepo(full_name);
  return { org, repo };
}
