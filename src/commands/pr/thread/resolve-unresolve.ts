import { batch } from "../../../app/batch.ts";
import type { CommandContext } from "../../../app/context.ts";
import { defineCommand } from "../../../app/define.ts";
import { readIds } from "../../../app/input.ts";
import { many } from "../../../command/args.ts";
import type { ExitName } from "../../../failure/exit-codes.ts";
import { call } from "../../../forge/operation.ts";
import { reviewCommentResolve, reviewCommentUnresolve } from "../../../forge/review-comments.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { fullName } from "../../../repo/repo-name.ts";

const args = { id: many("comment IDs; - reads them from stdin, one per line") };
type ThreadContext = CommandContext<"repository", typeof args, Readonly<Record<never, never>>>;

/** `tongs pr thread resolve`: POST …/resolve for the thread of each comment. */
export const resolve = defineCommand({
  summary: "Resolve threads of a pull request",
  on: "repository",
  effect: "write",
  args,
  exits: { partly: "some threads were resolved, some failed" },
  examples: [["Resolve the thread of a comment", "tongs pr thread resolve 275"]],
  run: (context) => settle(reviewCommentResolve, "Resolved", context),
});

/** `tongs pr thread unresolve`: POST …/unresolve for the thread of each comment. */
export const unresolve = defineCommand({
  summary: "Unresolve threads of a pull request",
  on: "repository",
  effect: "write",
  args,
  exits: { partly: "some threads were unresolved, some failed" },
  examples: [["Unresolve the thread of a comment", "tongs pr thread unresolve 275"]],
  run: (context) => settle(reviewCommentUnresolve, "Unresolved", context),
});

async function settle(
  settling: typeof reviewCommentResolve | typeof reviewCommentUnresolve,
  done: string,
  context: ThreadContext,
): Promise<ExitName | undefined> {
  const { http, repo, server, system } = context;
  const work = async (id: number) => {
    await call(http, settling, { repo, id });
    return { message: `${done} the thread of comment ${id} in ${fullName(repo)} ${accountLabel(server)}` };
  };
  return batch(await readIds(context.args.id, system), work, context);
}
