import { batch } from "../../../app/batch.ts";
import { defineCommand } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { many } from "../../../command/args.ts";
import { Failure } from "../../../failure/failure.ts";
import { call } from "../../../forge/operation.ts";
import { repoTeamAdd, repoTeamRemove } from "../../../forge/teams.ts";
import { HttpError } from "../../../http/errors.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { fullName, type RepoName } from "../../../repo/repo-name.ts";

const args = { team: many("teams of the organization that owns the repository; - reads them from stdin") };

/** `tongs repo team add`: PUT …/teams/{team} for each team. */
export const add = defineCommand({
  summary: "Give teams access to a repository",
  on: "repository",
  effect: "write",
  args,
  exits: { partly: "some teams were added, some failed", refused: "the repository is not in an organization" },
  examples: [["Add a team", "tongs repo team add pilots -R tidewater/charts"]],
  async run(context) {
    const { http, repo, server, system } = context;
    const work = async (team: string) => {
      await call(http, repoTeamAdd, { repo, team }).catch((error: unknown) => {
        throw explain(error, repo);
      });
      return { message: `Added team ${team} to ${fullName(repo)} ${accountLabel(server)}` };
    };
    return batch(await readTargets(context.args.team, system), work, context);
  },
});

/** `tongs repo team remove`: DELETE …/teams/{team} for each team. Owners keep their access, though the answer is 204. */
export const remove = defineCommand({
  summary: "Remove the access of teams to a repository",
  on: "repository",
  effect: "write",
  args,
  exits: { partly: "some teams were removed, some failed", refused: "the team is Owners" },
  examples: [["Remove a team", "tongs repo team remove pilots -R tidewater/charts"]],
  async run(context) {
    const { http, repo, server, system } = context;
    const work = async (team: string) => {
      if (team.toLowerCase() === "owners") {
        throw new Failure("owners_team", `The team Owners always has access to ${fullName(repo)}`);
      }
      await call(http, repoTeamRemove, { repo, team }).catch((error: unknown) => {
        throw explain(error, repo);
      });
      return { message: `Removed team ${team} from ${fullName(repo)} ${accountLabel(server)}` };
    };
    return batch(await readTargets(context.args.team, system), work, context);
  },
});

/** The body of this 405 holds two JSON objects (docs/server-differences.md, "Repositories"). */
function explain(error: unknown, repo: RepoName): unknown {
  if (!(error instanceof HttpError) || error.status !== 405) return error;
  const message = `${fullName(repo)} does not belong to an organization`;
  return new Failure("not_in_organization", message, {
    hint: "To give users access, run: tongs repo collaborator add USER",
    status: 405,
    cause: error,
  });
}
