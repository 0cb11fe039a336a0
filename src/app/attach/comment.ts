import { createComment, editComment } from "../../forge/comments.ts";
import { accountLabel } from "../../profiles/server.ts";
import { keepingText } from "../../prompts/keep-text.ts";
import { fullName } from "../../repo/repo-name.ts";
import type { BaseContext, RepositoryContext } from "../context.ts";
import { commentText } from "../draft.ts";
import { type AttachFlags, readAttached } from "./attach.ts";
import { planAttachments } from "./plan.ts";
import { attachAfter, recordWith, requireCommentFiles } from "./upload.ts";

type CommentContext = BaseContext &
  RepositoryContext & {
    readonly flags: AttachFlags & { readonly body: string | undefined; readonly bodyFile: string | undefined };
  };

/**
 * Adds a comment with its files to an issue or a pull request, which `find` looks up after the text is there: POST the comment,
 * then each file to it, then PATCH its text. `explained` is the request with its errors explained. Throws if a file was not uploaded, after the record is printed.
 */
export async function postComment(
  context: CommentContext,
  find: () => Promise<{ readonly number: number; readonly name: string }>,
  explained = <T>(request: Promise<T>): Promise<T> => request,
): Promise<void> {
  const { flags, http, repo, server, system, out } = context;
  const attached = await readAttached(flags, flags.bodyFile, system);
  const { body, typed, others } = await commentText(context);
  const { number, name, uploads, made } = await keepingText(typed, out, async () => {
    const { number, name } = await find();
    const uploads = await planAttachments(
      attached,
      { body, others, file: flags.bodyFile },
      { ...context, owner: repo.owner },
    );
    await requireCommentFiles(uploads, repo, number, context);
    return { number, name, uploads, made: await uploads.named(explained(createComment(http, repo, number, body))) };
  });
  const said = `Commented on ${name}`;
  const { value, uploaded, failure } = await attachAfter(
    uploads,
    {
      target: { of: "comment", repo, id: made.id },
      page: number,
      name: `comment ${made.id}`,
      created: said,
      finish: ["tongs", "comment", "edit", `${made.id}`, "-R", fullName(repo)],
      edit: (text) => editComment(http, repo, made.id, text),
    },
    context,
  );
  await out.done(`${said} ${accountLabel(server)}`, {
    prints: made.html_url,
    record: recordWith(value ?? made, uploaded),
  });
  if (failure !== undefined) throw failure;
}
