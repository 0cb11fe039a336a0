import { batch } from "../../../app/batch.ts";
import type { CommandContext } from "../../../app/context.ts";
import { defineCommand } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { many } from "../../../command/args.ts";
import { UsageError } from "../../../failure/failure.ts";
import { call } from "../../../forge/operation.ts";
import { teamRepoAdd, teamRepoRemove } from "../../../forge/teams.ts";
import { NotFoundError } from "../../../http/errors.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { fullName, parseRepo, type RepoName } from "../../../repo/repo-name.ts";
import { findTeam, teamArgument, teamName } from "../find.ts";

const args = { team: teamArgument, repository: many("NAME or ORG/NAME; - reads them from stdin, one per line") };

/** `tongs team repo add`: PUT /teams/{id}/repos/{org}/{repo} for each repository. */
export const add = defineCommand({
  summary: "Give a team access to repositories",
  details: "The repositories must belong to the organization of the team.",
  on: "server",
  effect: "write",
  args,
  exits: { partly: "some repositories were added, some failed" },
  examples: [["Add two repositories", "tongs team repo add tidewater/pilots charts tides"]],
  async run(context) {
    return changeEach(
      context,
      (id: number, repo: RepoName) => call(context.http, teamRepoAdd, { id, org: repo.owner, repo: repo.name }),
      (repo, team) => `Added ${repo} to ${team}`,
    );
  },
});

/** `tongs team repo remove`: DELETE /teams/{id}/repos/{org}/{repo} for each repository. */
export const remove = defineCommand({
  summary: "Remove a team's access to repositories",
  on: "server",
  effect: "write",
  args,
  exits: { partly: "some repositories were removed, some failed" },
  examples: [["Remove a repository", "tongs team repo remove tidewater/pilots charts"]],
  async run(context) {
    return changeEach(
      context,
      (id: number, repo: RepoName) => call(context.http, teamRepoRemove, { id, org: repo.owner, repo: repo.name }),
      (repo, team) => `Removed ${repo} from ${team}`,
    );
  },
});

/** Changes the access of a team to each repository; `said` is what was done. */
async function changeEach(
  context: CommandContext<"server", typeof args, Readonly<Record<never, never>>>,
  change: (id: number, repo: RepoName) => Promise<unknown>,
  said: (repo: string, team: string) => string,
) {
  const { args: typed, server, system } = context;
  const team = `team ${teamName(typed.team)}`;
  const repos = (await readTargets(typed.repository, system)).map((one) => repoOf(typed.team.org, one));
  const { id } = await findTeam(typed.team, context);
  const work = async (repo: RepoName) => {
    await change(id, repo).catch((error: unknown) => {
      throw explain(error, repo);
    });
    return { message: `${said(fullName(repo), team)} ${accountLabel(server)}` };
  };
  return batch(repos, work, context, { name: fullName });
}

/** `NAME` or `ORG/NAME`. Throws a usage error for a repository of another owner, which the server does not find. */
export function repoOf(org: string, typed: string): RepoName {
  const { owner, name } = parseRepo(typed.includes("/") ? typed : `${org}/${typed}`);
  if (owner.toLowerCase() === org.toLowerCase()) return { owner, name };
  throw new UsageError(
    `${owner}/${name} does not belong to ${org}: a team has access to its organization's repositories`,
  );
}

function explain(error: unknown, repo: RepoName): unknown {
  if (!(error instanceof NotFoundError)) return error;
  return new NotFoundError(error.exchange, `Repository ${fullName(repo)} not found on ${error.exchange.server}`);
}
