import { defineCommand } from "../../../app/define.ts";
import { one } from "../../../command/args.ts";
import { names } from "../../../command/flags.ts";
import { Failure } from "../../../failure/failure.ts";
import { repoTransfer, transferRepo } from "../../../forge/repo-settings.ts";
import { repository } from "../../../forge/repos.ts";
import { findTeam } from "../../../forge/teams.ts";
import type { Http } from "../../../http/client.ts";
import { HttpError, NotFoundError } from "../../../http/errors.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { currentRepo } from "../current-repo.ts";

/** `tongs repo transfer NEW-OWNER`: POST the transfer, which is done at once or waits for the new owner. */
export const start = defineCommand({
  summary: "Transfer a repository to another owner",
  details:
    "The repository moves at once if you may create repositories for the new owner; otherwise it stays until the new owner " +
    "accepts. Servers redirect from the old name.",
  on: "repository",
  effect: "destroy",
  args: { owner: one("new owner: a user or an organization") },
  flags: { team: names("teams of the new owner to give access", { placeholder: "TEAM" }) },
  output: repository,
  exits: { refused: "a transfer is already pending" },
  examples: [
    ["Transfer a repository", "tongs repo transfer jonas -R mara/harbor"],
    ["Transfer to an organization and give a team access", "tongs repo transfer tidewater --team pilots --yes"],
  ],
  async run({ args, flags, http, out, prompt, repo, server }) {
    const name = fullName(repo);
    const team_ids = flags.team.length > 0 ? await teamIds(http, args.owner, flags.team) : undefined;
    await currentRepo(http, repo, (current) => `tongs repo transfer ${args.owner} -R ${current}`);
    await prompt.confirmAction({ what: `Transfer ${name} to ${args.owner}`, sends: repoTransfer });
    const { repository, waits } = await transferRepo(http, repo, { new_owner: args.owner, team_ids }).catch(
      (error: unknown) => {
        throw explain(error, name, args.owner);
      },
    );
    const message = waits
      ? `Requested the transfer of ${name} to ${args.owner}`
      : `Transferred ${name} to ${args.owner}`;
    await out.done(`${message} ${accountLabel(server)}`, { prints: repository.html_url, record: repository });
    if (waits) out.note(`Waiting for ${args.owner} to accept: tongs repo transfer accept ${name}`);
    else out.note(`${name} redirects to ${repository.full_name} until another repository takes that name.`);
  },
});

/** The IDs of teams. Throws if the organization has no team of a name. */
async function teamIds(http: Http, org: string, wanted: readonly string[]): Promise<number[]> {
  return Promise.all(
    wanted.map(async (name) => {
      const found = await findTeam(http, org, name);
      if (found !== undefined) return found.id;
      throw new Failure("not_found", `Team ${org}/${name} not found, or you do not have access`);
    }),
  );
}

function explain(error: unknown, name: string, owner: string): unknown {
  if (error instanceof NotFoundError && /new owner/.test(error.serverMessage)) {
    return new NotFoundError(error.exchange, `User or organization ${owner} not found on ${error.exchange.server}`);
  }
  if (error instanceof HttpError && error.status === 409) {
    return new Failure("transfer_pending", `A transfer of ${name} is already pending`, {
      hint: `The new owner can end it: tongs repo transfer reject ${name}`,
      status: 409,
      cause: error,
    });
  }
  return error;
}
