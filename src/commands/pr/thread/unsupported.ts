import type { RepositoryContext } from "../../../app/context.ts";
import { unsupported } from "../../../app/web-instead.ts";
import { Failure, withHint } from "../../../failure/failure.ts";
import { reviewCommentReply } from "../../../forge/review-comments.ts";
import { UnknownOperationError } from "../../../http/errors.ts";
import { addressText, commandOn } from "../../../profiles/server.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { joinWords } from "../../../text/words.ts";
import { lineThreads, place } from "../line-threads.ts";
import { pullName } from "../pull.ts";

/** The web page of the pull requests, or of the files of one: it has what the API of a server lacks for threads. */
export function threadPage({ server, repo }: RepositoryContext, number?: number): string {
  const pulls = `${addressText(server.base)}/${fullName(repo)}/pulls`;
  return number === undefined ? pulls : `${pulls}/${number}/files`;
}

/** The failure for a comment that is not on the lines of a pull request. */
export function noComment(id: number | string, number: number, context: RepositoryContext): Failure {
  return new Failure("not_found", `Comment ${id} not found on the lines of ${pullName(context, number)}`, {
    hint: `List them: tongs pr thread list ${number}`,
  });
}

/**
 * The failure of a reply; where the server has no operation for it, with the web page, and the command that comments on the
 * same line instead.
 */
export async function explainReply(error: unknown, number: number, id: number, context: RepositoryContext) {
  if (!(error instanceof UnknownOperationError)) return error;
  const failure = unsupported("reply to a comment", threadPage(context, number), context, reviewCommentReply);
  const threads = await lineThreads(number, context).catch((reading: unknown) => {
    if (reading instanceof Failure) return [];
    throw reading;
  });
  const found = threads.find(({ comments }) => comments.some((one) => one.id === id));
  const [, at] = /^(.+:-?\d+)(?:-\d+)?$/.exec(found === undefined ? "" : place(found)) ?? [];
  if (at === undefined) return failure;
  const line = ["tongs", "pr", "review", "add", `${number}`, "-R", fullName(context.repo), "--comment", "--file"];
  return withHint(
    failure,
    `Or comment on the same line: ${commandOn(context.server, joinWords([...line, `${at}=TEXT`]))}`,
  );
}
