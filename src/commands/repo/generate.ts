import { bodyOf } from "../../app/fields.ts";
import { currentUser } from "../../app/shared.ts";
import { writeCommand } from "../../app/write-command.ts";
import { type Arg, one } from "../../command/args.ts";
import { text, toggle, yesNo } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { repoGenerate } from "../../forge/repo-settings.ts";
import { repository } from "../../forge/repos.ts";
import { InvalidError } from "../../http/errors.ts";
import { commandOn } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { ownerAndName } from "./arguments.ts";
import { explainNameTaken } from "./rename.ts";

const template: Arg<string> = {
  count: "one",
  description: "template repository: OWNER/NAME, HOST/OWNER/NAME or URL",
  read: (typed) => typed[0] ?? "",
  locate: (typed) => typed[0],
};

/** What is copied from the template. */
const items = {
  gitContent: yesNo("copy the default branch (default, if nothing else is chosen)"),
  topics: yesNo("copy the topics"),
  gitHooks: yesNo("copy the git hooks"),
  webhooks: yesNo("copy the webhooks"),
  avatar: yesNo("copy the avatar"),
  labels: yesNo("copy the labels"),
  protectedBranch: yesNo("copy the branch protections"),
};

const fields = {
  description: text("description of the new repository", { short: "d" }),
  defaultBranch: text("default branch of the new repository", { placeholder: "BRANCH", source: "new branch" }),
};

/** `tongs repo generate`: POST …/generate, which makes a repository from a template. */
export const generate = writeCommand({
  summary: "Create a repository from a template",
  on: "repository",
  args: { template, name: one("NAME or OWNER/NAME of the new repository") },
  flags: { private: toggle("make the new repository private"), ...fields, ...items },
  output: repository,
  exits: { refused: "the name is taken, or the repository is not a template" },
  examples: [
    ["Create a repository from a template", "tongs repo generate mara/skeleton tugboat"],
    ["Also copy the labels", "tongs repo generate mara/skeleton tidewater/tugboat --git-content --labels"],
  ],
  async work(context) {
    const { args, flags, http, repo, server } = context;
    const { owner: typedOwner, name } = ownerAndName(args.name);
    const chosen = bodyOf(items, flags);
    const owner = typedOwner ?? (await currentUser(context));
    const isChosen = Object.values(chosen).some((item) => item === true);
    const body = {
      ...bodyOf(fields, flags),
      ...chosen,
      ...(isChosen || chosen.git_content === false ? {} : { git_content: true }),
      private: flags.private,
      owner,
      name,
    };
    const from = { template_owner: repo.owner, template_repo: repo.name };
    const record = await call(http, repoGenerate, from, body).catch((error: unknown) => {
      if (!(error instanceof InvalidError) || !/not a template/.test(error.serverMessage)) {
        throw explainNameTaken(error, owner, name);
      }
      throw new Failure("not_a_template", `${fullName(repo)} is not a template`, {
        hint: `Its administrators can run: ${commandOn(server, `tongs repo edit ${fullName(repo)} --template`)}`,
        status: error.status,
        cause: error,
      });
    });
    return { done: `Created ${record.full_name} from ${fullName(repo)}`, prints: record.html_url, record };
  },
});
