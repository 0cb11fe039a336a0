import { batch } from "../../../app/batch.ts";
import { defineCommand } from "../../../app/define.ts";
import { one } from "../../../command/args.ts";
import { names } from "../../../command/flags.ts";
import { Failure } from "../../../failure/failure.ts";
import { repoTransfer, transferRepo } from "../../../forge/repo-settings.ts";
import { repository } from "../../../forge/repos.ts";
import { findTeam } from "../../../forge/teams.ts";
import type { Http } from "../../../http/client.ts";
import { HttpError, NotFoundError } from "../../../http/errors.ts";
import { accountLabel, commandOn, type Server } from "../../../profiles/server.ts";
import { parseRepo } from "../../../repo/repo-name.ts";
import { list } from "../../../shape/shape.ts";
import { reposArgument, reposOrCurrent } from "../arguments.ts";
import { currentRepo } from "../current-repo.ts";

/** `tongs repo transfer NEW-OWNER`: POST the transfer, which is done at once or waits for the new owner. */
export const start = defineCommand({
  summary: "Transfer repositories to another owner",
  details:
    "A repository moves at once if you may create repositories for the new owner; otherwise it stays until the new owner " +
    "accepts. Servers redirect from the old name.",
  on: "server",
  effect: "destroy",
  args: { owner: one("new owner: a user or an organization"), repo: reposArgument },
  flags: { team: names("teams of the new owner to give access", { placeholder: "TEAM" }) },
  output: list(repository),
  exits: { refused: "a transfer is already pending", partly: "some repositories were transferred, some failed" },
  examples: [
    ["Transfer a repository", "tongs repo transfer jonas -R mara/harbor"],
    ["Transfer to an organization and give a team access", "tongs repo transfer tidewater --team pilots --yes"],
  ],
  async run(context) {
    const { args, flags, http, out, prompt, server } = context;
    const { owner } = args;
    const names = await reposOrCurrent(args.repo, context);
    const team_ids = flags.team.length > 0 ? await teamIds(http, owner, flags.team) : undefined;
    for (const name of names)
      await currentRepo(http, parseRepo(name), (to) => commandOn(server, `tongs repo transfer ${owner} ${to}`));
    const what = names.length === 1 ? names[0] : `${names.length} repositories`;
    await prompt.confirmAction({ what: `Transfer ${what} to ${owner}`, sends: repoTransfer });
    const notes: string[] = [];
    const transferOne = async (name: string) => {
      const sent = transferRepo(http, parseRepo(name), { new_owner: owner, team_ids });
      const { repository: record, waits } = await sent.catch((error: unknown) => {
        throw explain(error, name, { owner, server });
      });
      notes.push(
        waits
          ? `Waiting for ${owner} to accept: ${commandOn(server, `tongs repo transfer accept ${name}`)}`
          : `${name} redirects to ${record.full_name} until another repository takes that name.`,
      );
      const done = waits ? `Requested the transfer of ${name} to ${owner}` : `Transferred ${name} to ${owner}`;
      return { message: `${done} ${accountLabel(server)}`, prints: record.html_url, record };
    };
    // One after the other: the last one that the new owner may have is known then.
    const ended = await batch(names, transferOne, context, { jobs: 1 });
    for (const note of notes) out.note(note);
    return ended;
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

function explain(error: unknown, name: string, { owner, server }: { readonly owner: string; readonly server: Server }) {
  if (error instanceof NotFoundError && /new owner/.test(error.serverMessage)) {
    return new NotFoundError(error.exchange, `User or organization ${owner} not found on ${error.exchange.server}`);
  }
  if (error instanceof HttpError && error.status === 409) {
    return new Failure("transfer_pending", `A transfer of ${name} is already pending`, {
      hint: `The new owner can end it: ${commandOn(server, `tongs repo transfer reject ${name}`)}`,
      status: 409,
      cause: error,
    });
  }
  return error;
}
