import type { ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { currentUser } from "../../app/shared.ts";
import { one } from "../../command/args.ts";
import { text, toggle } from "../../command/flags.ts";
import { UsageError, withHint } from "../../failure/failure.ts";
import { repository } from "../../forge/repos.ts";
import { HttpError, NotFoundError } from "../../http/errors.ts";
import { accountLabel, addressText } from "../../profiles/server.ts";
import { refused } from "../pr/subject.ts";

/** `tongs repo create`: POST a repository of one's own or of an organization. */
export const create = defineCommand({
  summary: "Make a repository",
  on: "server",
  effect: "write",
  args: { name: one("NAME, or ORG/NAME") },
  flags: {
    private: toggle("only for those who are let in"),
    description: text("one line on what it is", { short: "d" }),
    init: toggle("begin with a README and a first commit"),
    org: text("the organization that owns it", { placeholder: "ORG" }),
    defaultBranch: text("name of the default branch", { placeholder: "BRANCH" }),
    gitignore: text("with --init: templates of ignored files, separated by commas", { placeholder: "NAMES" }),
    license: text("with --init: a license", { placeholder: "NAME" }),
  },
  output: repository,
  exits: { refused: "there is one of that name already" },
  examples: [
    ["A private one with a first commit", "tongs repo create harbor --private --init"],
    ["One of an organization", "tongs repo create charts --org tidewater"],
  ],
  async run(context) {
    const { args, flags, forge, server, out } = context;
    const { org, name } = await place(context, args.name, flags.org);
    if (!flags.init && (flags.gitignore ?? flags.license) !== undefined) {
      throw new UsageError("--gitignore and --license need --init", "Without a first commit there are no files.");
    }
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
    const making = org === undefined ? forge.repos.create(body) : forge.repos.createInOrg(org, body);
    const made = await making.catch(async (error: unknown) => {
      if (error instanceof HttpError && error.status === 409) {
        const owner = org ?? (await currentUser(context));
        const at = `${addressText(server.base)}/${owner}/${name}`;
        throw refused("exists", `There is a repository ${owner}/${name} already`, at, error);
      }
      if (error instanceof NotFoundError && org !== undefined) {
        throw new NotFoundError(error.exchange, `There is no organization ${org} on ${server.base.host}`);
      }
      // An unknown template fails like a fault of the server (api-facts 3.6.20).
      if (error instanceof HttpError && error.status === 500 && (flags.gitignore ?? flags.license) !== undefined) {
        throw withHint(error, "It fails so for an unknown --gitignore or --license; nothing was made.");
      }
      throw error;
    });
    await out.done(`Made ${made.full_name} ${accountLabel(server)}`, { prints: made.html_url, record: made });
  },
});

/** Splits `ORG/NAME`; one's own name in place of the organization means oneself. */
async function place(context: ServerContext, typed: string, flag: string | undefined) {
  const parts = typed.split("/");
  const name = parts.pop() ?? "";
  const owner = parts.pop();
  if (name === "" || owner === "" || parts.length > 0) throw new UsageError(`'${typed}' is no name for a repository`);
  if (owner === undefined) return { org: flag, name };
  if (flag !== undefined && flag !== owner) throw new UsageError(`${typed} and --org ${flag} contradict each other`);
  const isMe = owner.toLowerCase() === (await currentUser(context)).toLowerCase();
  return { org: isMe ? undefined : owner, name };
}
