import { cloneRepository } from "../../app/clone-repository.ts";
import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { remotesOnServer } from "../../app/shared.ts";
import { text, yesNo } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { forkOrExisting } from "../../forge/fork-steps.ts";
import { call } from "../../forge/operation.ts";
import { repoGet, repository } from "../../forge/repos.ts";
import { pointsTo } from "../../git/remotes.ts";
import { HttpError, NotFoundError } from "../../http/errors.ts";
import { setHelperIn } from "../../profiles/git-helper.ts";
import { gitProtocol, remoteUrl } from "../../profiles/git-url.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { repoArgument } from "./arguments.ts";

/** `tongs repo fork`: POST a fork, or find the one that exists; then clones it or adds it as a remote. */
export const fork = defineCommand({
  summary: "Fork a repository",
  details:
    "Forks into your account, or into an organization. An existing fork is used. --remote adds the fork to the clone in " +
    "the current directory as origin, and renames the remote of the original repository to upstream; on a terminal, tongs " +
    "offers that, or to clone the fork if REPO is given.",
  external: { uses: "git", with: ["clone", "remote"] },
  on: "repository",
  effect: "write",
  args: { repo: repoArgument },
  flags: {
    org: text("fork into this organization", { placeholder: "ORG", source: "organization" }),
    name: text("name of the fork (default: that of the repository)", {
      placeholder: "NAME",
      aliases: [{ name: "fork-name" }],
    }),
    clone: yesNo("clone the fork"),
    remote: yesNo("add the fork as a remote of the clone in the current directory"),
  },
  output: repository,
  examples: [
    ["Fork the repository of this clone and push there from now on", "tongs repo fork --remote"],
    [
      "Fork a repository into an organization and clone the fork",
      "tongs repo fork mara/harbor --org tidewater --clone",
    ],
  ],
  async run(context) {
    const { args, flags, http, repo, server, out, prompt, options } = context;
    if (flags.name?.trim() === "") throw new UsageError("--name must not be empty");
    const { fork: made, isNew } = await forkOrExisting(http, repo, { organization: flags.org, name: flags.name }).catch(
      (error: unknown) => {
        throw unknownOrganization(error, flags.org, repo);
      },
    );
    const place = { owner: made.owner?.login ?? "", name: made.name ?? repo.name };
    const message = isNew
      ? `Created fork ${fullName(place)}`
      : `${fullName(place)} is already a fork of ${fullName(repo)}`;
    await out.done(`${message} ${accountLabel(server)}`, { prints: made.html_url, record: made });
    const offers = prompt.able && !options.yes && options.sudo === undefined;
    const offer = async (question: string, flag: string) =>
      offers && (await prompt.confirm({ message: question, flag, default: false }));
    if (
      flags.remote ??
      (args.repo === undefined && flags.clone !== true && (await offer("Add a remote for the fork?", "--remote")))
    ) {
      await addRemote(context, { ...place, ssh_url: made.ssh_url });
    }
    if (flags.clone ?? (args.repo !== undefined && (await offer("Clone the fork?", "--clone")))) {
      const cloned = await cloneRepository(context, await call(http, repoGet, { repo: place }), { typed: repo.name });
      if (cloned !== undefined) out.note(`Cloned ${fullName(place)} into ${cloned.path}`);
    }
  },
});

/** Gitea answers 404 and Forgejo 422 for an unknown organization (docs/server-differences.md, "Repositories"). */
function unknownOrganization(error: unknown, org: string | undefined, repo: RepoName): unknown {
  if (org === undefined || !(error instanceof HttpError)) return error;
  const isUnknown =
    error instanceof NotFoundError || (error.status === 422 && /org does not exist/.test(error.serverMessage));
  return isUnknown
    ? new NotFoundError(error.exchange, `Organization ${org} or repository ${fullName(repo)} not found`)
    : error;
}

/** Adds the fork as origin, after renaming the original repository's origin to upstream; else under the owner's name. */
async function addRemote(
  context: BaseContext & RepositoryContext,
  place: RepoName & { readonly ssh_url?: string | undefined },
): Promise<void> {
  const { git, repo, server, out, system } = context;
  const [all, remotes] = [await git.remotes(), await remotesOnServer(context)];
  const protocol = gitProtocol(system);
  const url = remoteUrl(server, place, protocol);
  const known = remotes.find((one) => pointsTo(one, place));
  if (known !== undefined) {
    out.note(`The remote ${known.name} already points to ${fullName(place)}`);
    return;
  }
  const taken = (name: string) => all.some((one) => one.name === name);
  const origin = remotes.find((one) => one.name === "origin");
  const isOriginal = origin !== undefined && pointsTo(origin, repo);
  const renames = isOriginal && !taken("upstream");
  if (renames) {
    await git.run(["remote", "rename", "origin", "upstream"]);
    out.note(`Renamed the remote origin to upstream`);
  }
  const name = renames || !taken("origin") ? "origin" : place.owner;
  await git.run(["remote", "add", "--", name, url]);
  if (protocol === "https") await setHelperIn(git, server);
  out.note(`Added the remote ${name} for ${fullName(place)}`);
}
