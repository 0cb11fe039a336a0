import { attachDetails, attachFlags, readAttached, withUploads } from "../../../app/attach/attach.ts";
import { planAttachments } from "../../../app/attach/plan.ts";
import { attachBefore, recordWith } from "../../../app/attach/upload.ts";
import { typedBody } from "../../../app/comment-text.ts";
import type { BaseContext } from "../../../app/context.ts";
import { defineCommand } from "../../../app/define.ts";
import { givenText } from "../../../app/input.ts";
import { inputFile, text, texts, toggle } from "../../../command/flags.ts";
import { UsageError } from "../../../failure/failure.ts";
import { call } from "../../../forge/operation.ts";
import { reviewCreate, review as reviewRecord } from "../../../forge/reviews.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { keepingText } from "../../../prompts/keep-text.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { findNumber, pullSelector } from "../find.ts";
import { lineComments } from "../line-comments.ts";
import { pullName } from "../pull.ts";

const verdicts = {
  approve: { event: "APPROVED", done: "Approved", name: "Approve", flag: "--approve" },
  requestChanges: {
    event: "REQUEST_CHANGES",
    done: "Requested changes on",
    name: "Request changes",
    flag: "--request-changes",
  },
  comment: { event: "COMMENT", done: "Commented on", name: "Comment", flag: "--comment" },
} as const;

type Verdict = keyof typeof verdicts;

/** `tongs pr review`: POST a review. */
export const review = defineCommand({
  summary: "Add a review to a pull request",
  details:
    "--request-changes requires a body, and so does --comment without --file. Prints the URL of the review. Files are attached " +
    `to the pull request. ${attachDetails}`,
  on: "repository",
  effect: "write",
  args: { pr: pullSelector },
  flags: {
    approve: toggle("approve the pull request", { short: "a" }),
    requestChanges: toggle("request changes", { short: "r" }),
    comment: toggle("comment without approving or requesting changes", { short: "c" }),
    body: text("the body of the review", { short: "b" }),
    bodyFile: inputFile("read the body from a file", { short: "F" }),
    file: texts("comment on a line; -LINE is a line of the old file", { placeholder: "PATH:LINE=TEXT" }),
    ...attachFlags,
  },
  exclusive: [
    ["approve", "requestChanges", "comment"],
    ["body", "bodyFile"],
  ],
  output: withUploads(reviewRecord),
  exits: { partly: "some files were uploaded, some failed, and the review was not added" },
  examples: [
    ["Approve pull request 12", "tongs pr review 12 --approve"],
    ["Comment on a line", 'tongs pr review 12 --comment --file "src/tides.ts:14=Off by one"'],
    ["Request changes", 'tongs pr review 12 --request-changes --body "The tide table is last year\'s."'],
  ],
  async run(context) {
    const { http, repo, server, flags, out, system, prompt } = context;
    const comments = lineComments(flags.file);
    const verdict = verdicts[await chooseVerdict(flags, prompt)];
    const isOnLines = verdict.event === "COMMENT" && comments.length > 0;
    const attached = await readAttached(flags, flags.bodyFile, system);
    const given = await givenText(system, { text: flags.body, file: flags.bodyFile, flag: "--body-file" });
    const body =
      given ??
      (verdict.event === "APPROVED" || isOnLines
        ? undefined
        : await prompt.editor({ message: verdict.name, flag: "--body" }));
    if (verdict.event !== "APPROVED" && !isOnLines && (body ?? "").trim() === "") {
      throw new UsageError(`--body is required unless you approve`);
    }
    const { number, made, uploaded } = await keepingText(typedBody(body, flags, given === undefined), out, async () => {
      const number = await findNumber(context.args.pr, context);
      const uploads = await planAttachments(
        attached,
        { body, file: flags.bodyFile },
        { ...context, owner: repo.owner },
      );
      const name = pullName(context, number);
      const finish = ["tongs", "pr", "review", `${number}`, "-R", fullName(repo), verdict.flag];
      const lines = flags.file.flatMap((one) => ["--file", one]);
      const to = { target: { of: "issue", repo, id: number }, name, finish: [...finish, ...lines] } as const;
      const sent = await attachBefore(uploads, to, context, (linked = body) => {
        const option = { event: verdict.event, body: linked, ...(comments.length === 0 ? {} : { comments }) };
        return call(http, reviewCreate, { repo, index: number }, option);
      });
      return { number, made: sent.value, uploaded: sent.uploaded };
    });
    await out.done(`${verdict.done} pull request ${pullName(context, number)} ${accountLabel(server)}`, {
      prints: made.html_url,
      record: recordWith(made, uploaded),
    });
  },
});

async function chooseVerdict(
  flags: Readonly<Record<Verdict, boolean>>,
  prompt: BaseContext["prompt"],
): Promise<Verdict> {
  const all = Object.keys(verdicts) as Verdict[];
  const given = all.find((key) => flags[key]);
  if (given !== undefined) return given;
  const choices = all.map((value) => ({ name: verdicts[value].name, value }));
  return prompt.select({ message: "What kind of review?", flag: "--approve, --request-changes or --comment", choices });
}
