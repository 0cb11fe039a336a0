import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { currentUser } from "../../app/shared.ts";
import { one } from "../../command/args.ts";
import { text, toggle } from "../../command/flags.ts";
import { Failure, UsageError, withHint } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { orgRepoCreate, type Repository, repoCreate, repository } from "../../forge/repos.ts";
import { type Git, pushFailureReason } from "../../git/git.ts";
import { HttpError, NotFoundError, notFound } from "../../http/errors.ts";
import { setHelperIn } from "../../profiles/git-helper.ts";
import { gitProtocol, remoteUrl } from "../../profiles/git-url.ts";
import { accountLabel, addressText, gitAuthConfig } from "../../profiles/server.ts";
import { fullPath } from "../../system/files.ts";
import { ownerAndName } from "./arguments.ts";

/** `tongs repo create`: POST a repository for the user or an organization. */
export const create = defineCommand({
  summary: "Create a repository",
  external: { uses: "git", with: ["source"] },
  on: "server",
  effect: "write",
  args: { name: one("NAME or ORG/NAME") },
  flags: {
    private: toggle("make the repository private"),
    description: text("description of the repository", { short: "d" }),
    init: toggle("initialize the repository with a README"),
    source: text("add the new repository as the remote origin of the git repository in DIR", {
      names: "git repository",
      placeholder: "DIR",
    }),
    push: toggle("with --source, push the current branch"),
    org: text("organization to create the repository in", { placeholder: "ORG", source: "organization" }),
    defaultBranch: text("name of the default branch", { placeholder: "BRANCH", source: "new branch" }),
    gitignore: text("with --init, gitignore templates, separated by commas", { placeholder: "NAMES" }),
    license: text("with --init, license template", { placeholder: "NAME" }),
  },
  exclusive: [["source", "init"]],
  output: repository,
  exits: { refused: "a repository of that name already exists" },
  examples: [
    ["Create a private repository with a README", "tongs repo create harbor --private --init"],
    ["Create a repository from the current directory, and push", "tongs repo create harbor --source . --push"],
    ["Create a repository in an organization", "tongs repo create charts --org tidewater"],
  ],
  async run(context) {
    const { args, flags, http, server, out } = context;
    const { org, name } = await orgAndName(context, args.name, flags.org);
    if (!flags.init && (flags.gitignore ?? flags.license) !== undefined) {
      throw new UsageError("--gitignore and --license require --init");
    }
    if (flags.push && flags.source === undefined) throw new UsageError("--push requires --source");
    const source = flags.source === undefined ? undefined : await openSource(context, flags.source, flags.push);
    const body = {
      name,
      description: flags.description,
      private: flags.private,
      auto_init: flags.init,
      readme: flags.init ? ("Default" as const) : undefined,
      default_branch: flags.defaultBranch,
      gitignores: flags.gitignore,
      license: flags.license,
    };
    const creating = org === undefined ? call(http, repoCreate, {}, body) : call(http, orgRepoCreate, { org }, body);
    const created = await creating.catch(async (error: unknown) => {
      if (error instanceof HttpError && error.status === 409) {
        const owner = org ?? (await currentUser(context));
        const at = `${addressText(server.base)}/${owner}/${name}`;
        throw new Failure("exists", `Repository ${owner}/${name} already exists`, { hint: at, cause: error });
      }
      if (error instanceof NotFoundError && org !== undefined) notFound(`Organization ${org}`)(error);
      // For an unknown template the server responds with 500 (docs/server-differences.md, "Repositories").
      if (error instanceof HttpError && error.status === 500 && (flags.gitignore ?? flags.license) !== undefined) {
        const hint =
          "Check --gitignore and --license: the server rejects unknown templates. No repository was created.";
        throw withHint(error, hint);
      }
      throw error;
    });
    await out.done(`Created repository ${created.full_name} ${accountLabel(server)}`, {
      prints: created.html_url,
      record: created,
    });
    if (source !== undefined) await connectSource(context, source, created, flags.push);
  },
});

/** Splits `ORG/NAME`. The user's own name as the organization means the user's account. */
async function orgAndName(context: ServerContext, typed: string, flag: string | undefined) {
  const { owner, name } = ownerAndName(typed);
  if (owner === undefined) return { org: flag, name };
  if (flag !== undefined && flag !== owner) throw new UsageError(`'${typed}' and --org ${flag} name different owners`);
  const isMe = owner.toLowerCase() === (await currentUser(context)).toLowerCase();
  return { org: isMe ? undefined : owner, name };
}

type SourceContext = BaseContext & ServerContext;

/** The local repository of `--source`. Throws a usage error, before anything is created, if it cannot be used. */
async function openSource(
  { git, system }: Pick<SourceContext, "git" | "system">,
  dir: string,
  pushes: boolean,
): Promise<Git> {
  const here = git.at(fullPath(dir, system));
  if ((await here.attempt(["rev-parse", "--git-dir"])).code !== 0) {
    throw new UsageError(`--source: ${dir} is not a git repository`, `Run: git -C ${dir} init`);
  }
  if ((await here.attempt(["config", "--get", "remote.origin.url"])).code === 0) {
    throw new UsageError(`--source: ${dir} has a remote named origin`, "Rename it: git remote rename origin NAME");
  }
  if (!pushes) return here;
  if ((await here.currentBranch()) === undefined) throw new UsageError(`--push: ${dir} is not on a branch`);
  if ((await here.attempt(["rev-parse", "--verify", "--quiet", "HEAD"])).code !== 0) {
    throw new UsageError(`--push: ${dir} has no commits`, "Commit something first.");
  }
  return here;
}

/** Adds the new repository as origin, and pushes the current branch. Throws a `Failure` if git fails. */
async function connectSource(
  { server, out, system }: SourceContext,
  here: Git,
  created: Repository,
  pushes: boolean,
): Promise<void> {
  const protocol = gitProtocol(system);
  const place = { owner: created.owner?.login ?? "", name: created.name ?? "", ssh_url: created.ssh_url };
  const url = remoteUrl(server, place, protocol);
  await here.run(["remote", "add", "--", "origin", url]);
  if (protocol === "https") await setHelperIn(here, server);
  out.note(`Added the remote origin (${url})`);
  if (!pushes) return;
  const branch = (await here.currentBranch()) ?? "";
  const args = ["push", "--set-upstream", "--end-of-options", "origin", `refs/heads/${branch}:refs/heads/${branch}`];
  const result = await here.attempt(args, { config: await gitAuthConfig(server) });
  if (result.code === 0) {
    out.note(`Pushed ${branch} to origin`);
    return;
  }
  const hint = `${pushFailureReason(result)}\nTo try again, run: git push --set-upstream origin ${branch}`;
  throw new Failure("git", `Created ${created.full_name}, but could not push ${branch}`, { hint });
}
