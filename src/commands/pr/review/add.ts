import { attachDetails, readAttached, withUploads } from "../../../app/attach/attach.ts";
import { planAttachments, type Texts } from "../../../app/attach/plan.ts";
import { attachBefore, recordWith } from "../../../app/attach/upload.ts";
import { defineCommand } from "../../../app/define.ts";
import { typedBody } from "../../../app/draft.ts";
import { givenText } from "../../../app/input.ts";
import { UsageError } from "../../../failure/failure.ts";
import type { CreatePullReviewComment } from "../../../forge/generated/operations.ts";
import { call } from "../../../forge/operation.ts";
import { reviewCreate, review as reviewRecord } from "../../../forge/reviews.ts";
import { mayHaveActed, withLook } from "../../../http/no-answer-error.ts";
import { accountLabel, commandOn } from "../../../profiles/server.ts";
import { keepingText, saveFile } from "../../../prompts/keep-text.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { joinWords } from "../../../text/words.ts";
import { findNumber } from "../find.ts";
import { pullName } from "../pull.ts";
import {
  args,
  chooseVerdict,
  flags,
  ownPending,
  type ReviewContext,
  requireBody,
  type WrittenReview,
} from "./written.ts";

/** `tongs pr review`: POST a review. */
export const review = defineCommand({
  summary: "Add a review to a pull request",
  details:
    "--request-changes and --pending require a body, and so does --comment without --file. --editor opens the diff: the review is " +
    "written above it, and comments below the lines. A pending review is submitted with the next one, or by tongs pr review submit: its comments are kept, and its text unless --body gives " +
    `another. Prints the URL of the review. Files are attached to the pull request. ${attachDetails}`,
  on: "repository",
  effect: "write",
  args,
  flags,
  exclusive: [
    ["approve", "requestChanges", "comment", "pending", "reviewFile"],
    ["body", "bodyFile", "editor", "recover", "reviewFile"],
    ["file", "editor", "recover", "reviewFile"],
  ],
  output: withUploads(reviewRecord),
  exits: { partly: "some files were uploaded, some failed, and the review was not added" },
  examples: [
    ["Approve pull request 12", "tongs pr review 12 --approve"],
    ["Comment on a line", 'tongs pr review 12 --comment --file "src/tides.ts:14=Off by one"'],
    ["Request changes", 'tongs pr review 12 --request-changes --body "The tide table is last year\'s."'],
    ["Write comments below the lines of the diff", "tongs pr review 12 --editor"],
    ["Send a review that a program wrote", "tongs pr review 12 --review-file review.json"],
  ],
  async run(context) {
    const { flags, server, out, system } = context;
    const textFile = flags.bodyFile ?? flags.recover ?? flags.reviewFile;
    const attached = await readAttached(flags, textFile, system);
    const inEditor = flags.editor || flags.recover !== undefined;
    const isFromFile = flags.reviewFile !== undefined;
    const written = inEditor
      ? await (await import("./in-editor.ts")).reviewInEditor(context)
      : isFromFile
        ? await (await import("./from-file.ts")).reviewFromFile(context)
        : await fromFlags(context);
    const { verdict, comments, commit } = written;
    const { name, made, uploaded, isContinued, kept } = await keepingText(written.typed, out, async () => {
      const { http, repo } = context;
      const number = await written.number();
      const name = pullName(context, number);
      if (!inEditor && comments.length > 0) {
        await (await import("./in-diff.ts")).requireInDiff(comments, { number, commit }, context);
      }
      // Read after the editor, which can be open for long.
      const isContinued = inEditor || (verdict.event === "PENDING" && !isFromFile);
      const pending = (await ownPending(number, context))?.body?.trim() ?? "";
      const isKept = isContinued || written.body === undefined;
      if (!isKept && pending !== "" && pending !== written.body?.trim())
        out.warn(`This replaces the text of your pending review of ${name}:\n${pending}`);
      const earlier = isKept && pending !== "" ? pending : undefined;
      const body = earlier ? [earlier, written.body ?? ""].join("\n\n").trim() : written.body;
      const typed: readonly string[] = comments.map((comment) => comment.body ?? "");
      const others = flags.recover === undefined ? earlier : [body, ...typed].join("\n");
      const text = { body, lines: typed, file: flags.bodyFile ?? flags.reviewFile, others };
      const uploads = await planAttachments(attached, text, { ...context, owner: repo.owner });
      const option = (linked = body, lines: readonly string[] = typed) => {
        const onLines = comments.map((comment, at) => ({ ...comment, body: lines[at] ?? "" }));
        return { event: verdict.event, body: linked, commit_id: commit, ...(onLines[0] && { comments: onLines }) };
      };
      const finish = async (texts?: Texts) => {
        const review = JSON.stringify(option(texts?.body, texts?.lines), undefined, 2);
        const file = await saveFile("review.json", `${review}\n`);
        return ["tongs", "pr", "review", `${number}`, "-R", fullName(repo), "--review-file", file];
      };
      const to = { target: { of: "issue", repo, id: number }, noun: "pr", name, finish } as const;
      const sent = await attachBefore(uploads, to, context, (linked, lines) => {
        const look = joinWords(["tongs", "pr", "reviews", `${number}`, "-R", fullName(repo)]);
        return call(http, reviewCreate, { repo, index: number }, option(linked, lines)).catch((error: unknown) => {
          throw mayHaveActed(error) ? withLook(error, commandOn(server, look)) : error;
        });
      });
      return { name, made: sent.value, uploaded: sent.uploaded, isContinued, kept: earlier };
    });
    const drafts = (made.comments_count ?? 0) - comments.length;
    if (drafts > 0 && !isContinued) {
      const some = drafts === 1 ? "1 comment" : `${drafts} comments`;
      const what = verdict.event === "PENDING" ? "joined" : "also submitted";
      out.note(`This ${what} ${some}${kept === undefined ? "" : " and the text"} of your pending review.`);
    }
    await out.done(`${verdict.done} pull request ${name} ${accountLabel(server)}`, {
      prints: made.html_url,
      record: recordWith(made, uploaded),
    });
  },
});

/** The review of the flags; a body that is needed is asked for in the editor. */
async function fromFlags(context: ReviewContext): Promise<WrittenReview> {
  const { flags, system, prompt } = context;
  const comments = lineComments(flags.file);
  const verdict = await chooseVerdict(flags, prompt);
  const given = await givenText(system, { text: flags.body, file: flags.bodyFile, flag: "--body-file" });
  const needsBody = verdict.event !== "APPROVED" && !(verdict.event === "COMMENT" && comments.length > 0);
  const body = given ?? (needsBody ? await prompt.editor({ message: verdict.name, flag: "--body" }) : undefined);
  requireBody(verdict, body, comments.length > 0);
  const typed = typedBody(body, flags, given === undefined);
  return { verdict, body, comments, number: () => findNumber(context.args.pr, context), typed };
}

/**
 * Reads the comments of `--file PATH:LINE=TEXT`; a negative line is one of the old file. The path ends at the first
 * `:LINE=`. Throws a usage error that names what is wrong.
 */
function lineComments(typed: readonly string[]): CreatePullReviewComment[] {
  return typed.map((one) => {
    const [, path, digits, body] = /^(.+?):(-?\d+)=([\s\S]*)$/.exec(one) ?? [];
    const line = Number(digits);
    if (path === undefined || body === undefined || !Number.isSafeInteger(line) || line === 0) {
      throw new UsageError(
        `Invalid value '${one}' for --file: must be PATH:LINE=TEXT`,
        "LINE counts from 1 in the new file; -LINE is a line of the old file.",
      );
    }
    if (body.trim() === "") throw new UsageError(`The comment on ${path}:${line} must not be empty`);
    return line > 0 ? { path, body, new_position: line } : { path, body, old_position: -line };
  });
}
