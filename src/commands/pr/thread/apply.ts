import { defineCommand } from "../../../app/define.ts";
import { readIds } from "../../../app/input.ts";
import { currentUser } from "../../../app/shared.ts";
import { many } from "../../../command/args.ts";
import { text } from "../../../command/flags.ts";
import { Failure } from "../../../failure/failure.ts";
import { changedContents, changeFiles } from "../../../forge/file-changes.ts";
import { call } from "../../../forge/operation.ts";
import { isFromFork } from "../../../forge/pulls.ts";
import { type ReviewComment, reviewCommentResolve } from "../../../forge/review-comments.ts";
import { isKnownToHaveOperation } from "../../../forge/server-has.ts";
import { UnknownOperationError } from "../../../http/errors.ts";
import { accountLabel, commandIn } from "../../../profiles/server.ts";
import { fullName, parseRepo } from "../../../repo/repo-name.ts";
import { canPush, noEdits } from "../checkout-source.ts";
import { findFlagNumber, findPull, pullFlag } from "../find.ts";
import { noComment, reviewedThreads } from "../line-threads.ts";
import { headMissing, isAgit, pullName, requireOpen } from "../pull.ts";
import { changesOf, editOf } from "./edits.ts";

/** `tongs pr thread apply`: POST the suggested lines as one commit to the head branch, then resolve the threads. */
export const apply = defineCommand({
  summary: "Apply suggestions of review comments to a pull request",
  details:
    "Commits the suggestions of the comments to the head branch, all or none, with their authors as co-authors, and resolves the threads " +
    "where the server can. You need write access to the head repository. Prints the URL of the commit.",
  on: "repository",
  effect: "write",
  args: { id: many("comment IDs", { dash: "lines" }) },
  flags: {
    pr: pullFlag,
    message: text("commit message (default: Apply suggestions from code review)", { short: "m" }),
  },
  output: changedContents,
  exits: {
    refused: "the lines have changed since, or there is no head branch to commit to",
    partly: "it was committed, but a thread was not resolved",
  },
  examples: [["Apply two suggestions in one commit", "tongs pr thread apply 275 276 --pr 12"]],
  async run(context) {
    const { args, flags, http, server, system, out } = context;
    const ids = await readIds(args.id, system);
    const number = await findFlagNumber(flags.pr, context, "comment");
    const name = pullName(context, number);
    const [pull, { threads, heads }] = await Promise.all([
      findPull({ by: "number", number }, context),
      reviewedThreads(number, context),
    ]);
    requireOpen(pull, context);
    const chosen = ids.map((id) => {
      const comment = threads.flat().find((one) => one.id === id);
      if (comment !== undefined) return comment;
      throw noComment(id, number, context);
    });
    const missing = isAgit(pull) ? "it has no head branch" : headMissing(pull, context)?.message;
    const head = pull.head.repo;
    if (missing !== undefined || head == null) {
      throw new Failure("head_missing", `Cannot commit to ${name}: ${missing ?? "its head repository was deleted"}`);
    }
    const repo = parseRepo(head.full_name);
    if (head.permissions?.push === false && !canPush(pull)) {
      const why = isFromFork(pull) ? noEdits(pull, repo) : `you need write access to ${fullName(repo)}`;
      throw new Failure("forbidden", `Cannot commit to ${name}: ${why}`);
    }
    const branch = pull.head.ref ?? "";
    const edits = chosen.map((one) => editOf(one, heads.get(one.pull_request_review_id)));
    const files = await changesOf(edits, { http, repo, ref: branch });
    const subject = flags.message ?? `Apply suggestion${ids.length === 1 ? "" : "s"} from code review`;
    const message = [subject, ...coAuthors(chosen, await currentUser(context))].join("\n");
    const made = files.length === 0 ? undefined : await changeFiles(http, repo, { branch, message, files });
    const failed = await resolve(
      threads.filter((thread) => thread.some((one) => chosen.includes(one))),
      context,
    );
    const count = ids.length === 1 ? "a suggestion" : `${ids.length} suggestions`;
    if (made === undefined) {
      const verb = ids.length === 1 ? "A suggestion is" : `${ids.length} suggestions are`;
      await out.done(`${verb} already applied to ${name}`, { unchanged: true, record: { files: [] } });
    } else
      await out.done(`Applied ${count} to ${name} (${branch} of ${fullName(repo)}) ${accountLabel(server)}`, {
        prints: made.commit?.html_url ?? made.commit?.sha,
        record: made,
      });
    if (failed !== undefined) throw failed;
  },
});

/** A trailer for each author of a suggestion but the user, who commits. */
function coAuthors(comments: readonly ReviewComment[], login: string): string[] {
  const trailers = comments.flatMap(({ user }) => {
    if (user == null || user.login === login || !user.email) return [];
    const name = (user.full_name || user.login).replace(/[<>\r\n]/g, "");
    return `Co-authored-by: ${name} <${user.email.replace(/[<>\s]/g, "")}>`;
  });
  return trailers.length === 0 ? [] : ["", ...new Set(trailers)];
}

type ResolveContext = Parameters<typeof reviewedThreads>[1];

/** Resolves the open ones of the threads where the server can. Returns the failure if one was not resolved. */
async function resolve(
  threads: readonly (readonly ReviewComment[])[],
  { http, repo, server }: ResolveContext,
): Promise<Failure | undefined> {
  if (!(await isKnownToHaveOperation(http, reviewCommentResolve))) return undefined;
  for (const [first] of threads) {
    if (first === undefined || first.resolver != null) continue;
    try {
      await call(http, reviewCommentResolve, { repo, id: first.id });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error instanceof UnknownOperationError) return undefined;
      return new Failure(
        "partly_done",
        `The suggestions are committed, but a thread is not resolved: ${error.message}`,
        {
          hint: `Resolve it: ${commandIn({ server, repo }, `tongs pr thread resolve ${first.id}`)}`,
          cause: error,
        },
      );
    }
  }
  return undefined;
}
