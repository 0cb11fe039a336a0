import { writeCommand } from "../../../app/write-command.ts";
import { one } from "../../../command/args.ts";
import { choice, text } from "../../../command/flags.ts";
import { UsageError } from "../../../failure/failure.ts";
import { commitStatus, statusCreate, statusStates } from "../../../forge/commits.ts";
import { call } from "../../../forge/operation.ts";
import { explainUnknownCommit, resolveCommit } from "../../../forge/resolve-commit.ts";
import { fullName } from "../../../repo/repo-name.ts";

/** `tongs commit status set`: POST a status of a commit. */
export const set = writeCommand({
  summary: "Set the status of a commit",
  details: "Reports the result of an external CI. The latest status of each context counts.",
  on: "repository",
  args: { commit: one("hash of the commit, or a branch or tag", { source: "ref" }) },
  flags: {
    state: choice(statusStates, "state", { short: "s" }),
    context: text("name of the check", { short: "c", placeholder: "CONTEXT" }),
    description: text("short description", { short: "d" }),
    targetUrl: text("web page with details", { placeholder: "URL" }),
  },
  output: commitStatus,
  examples: [
    [
      "Report a successful check",
      "tongs commit status set 3f2a91c --state success --context ci/lint --target-url https://ci.example.org/7",
    ],
  ],
  async work(context) {
    const { args, flags, http, repo } = context;
    const { state, targetUrl: target_url, description } = flags;
    if (state === undefined) throw new UsageError("--state is required");
    // Servers store an empty context, too, which no branch protection can name.
    if (flags.context === undefined || flags.context === "") throw new UsageError("--context is required");
    if (target_url !== undefined && !/^https?:\/\//.test(target_url)) {
      throw new UsageError(`--target-url must begin with https:// or http://, not '${target_url}'`);
    }
    const sha = await resolveCommit(args.commit, context);
    const body = { state, context: flags.context, description, target_url };
    const record = await call(http, statusCreate, { repo, sha }, body).catch((error: unknown) => {
      return explainUnknownCommit(error, sha, context);
    });
    const done = `Set ${record.context} of ${fullName(repo)}@${sha.slice(0, 10)} to ${record.status}`;
    return { done, prints: record.id, record };
  },
});
