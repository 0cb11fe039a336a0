import type { ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { currentUser } from "../../app/shared.ts";
import { one } from "../../command/args.ts";
import { text, toggle } from "../../command/flags.ts";
import { Failure, UsageError, withHint } from "../../failure/failure.ts";
import { collect } from "../../forge/listings.ts";
import { unknownNameError } from "../../forge/names.ts";
import { call } from "../../forge/operation.ts";
import { orgRepoCreate, repoCreate, repository } from "../../forge/repos.ts";
import {
  gitignoreTemplateGet,
  gitignoreTemplateList,
  licenseTemplateGet,
  licenseTemplateList,
} from "../../forge/templates.ts";
import { HttpError, isFound, NotFoundError } from "../../http/errors.ts";
import { accountLabel, addressText } from "../../profiles/server.ts";
import { ownerAndName } from "./arguments.ts";
import { connectSource, openSource } from "./source.ts";

/** `tongs repo create`: POST a repository for the user or an organization. */
export const create = defineCommand({
  summary: "Create a repository",
  besideApi: { uses: "git", with: ["source"] },
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
      if (error instanceof NotFoundError && org !== undefined) {
        throw new NotFoundError(error.exchange, `Organization ${org} not found on ${server.base.host}`);
      }
      // For an unknown template the server responds with 500 (docs/server-differences.md, "Repositories").
      if (error instanceof HttpError && error.status === 500 && (flags.gitignore ?? flags.license) !== undefined) {
        throw (
          (await unknownTemplate(flags, context)) ??
          withHint(
            error,
            "Check --gitignore and --license: the server rejects unknown templates. No repository was created.",
          )
        );
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

/** The failure for templates that the server does not have; undefined if it has all. */
async function unknownTemplate(
  { gitignore, license }: { readonly gitignore: string | undefined; readonly license: string | undefined },
  { http, server }: ServerContext,
): Promise<Failure | undefined> {
  const unknownOf = async (names: readonly string[], get: (name: string) => Promise<unknown>) => {
    const found = await Promise.all(names.map((name) => isFound(get(name)).catch(() => true)));
    return names.filter((_, index) => !found[index]);
  };
  const where = `on ${server.base.host}`;
  const names = (gitignore ?? "").split(",").flatMap((name) => name.trim() || []);
  const ignores = await unknownOf(names, (name) => call(http, gitignoreTemplateGet, { name }));
  if (ignores.length > 0) {
    const all = await collect(call(http, gitignoreTemplateList, {})).catch(() => []);
    return unknownNameError("gitignore template", ignores, all, where);
  }
  const licenses = await unknownOf(license ? [license] : [], (name) => call(http, licenseTemplateGet, { name }));
  if (licenses.length === 0) return undefined;
  const all = await collect(call(http, licenseTemplateList, {})).catch(() => []);
  return unknownNameError(
    "license",
    licenses,
    all.map(({ key }) => key),
    where,
  );
}

/** Splits `ORG/NAME`. The user's own name as the organization means the user's account. */
async function orgAndName(context: ServerContext, typed: string, flag: string | undefined) {
  const { owner, name } = ownerAndName(typed);
  if (owner === undefined) return { org: flag, name };
  if (flag !== undefined && flag !== owner) throw new UsageError(`'${typed}' and --org ${flag} name different owners`);
  const isMe = owner.toLowerCase() === (await currentUser(context)).toLowerCase();
  return { org: isMe ? undefined : owner, name };
}
