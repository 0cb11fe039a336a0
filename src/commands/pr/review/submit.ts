import { defineCommand } from "../../../app/define.ts";
import { typedBody } from "../../../app/draft.ts";
import { givenText } from "../../../app/input.ts";
import { one } from "../../../command/args.ts";
import { inputFile, text, wholeNumber } from "../../../command/flags.ts";
import { call } from "../../../forge/operation.ts";
import { reviewGet, review as reviewRecord, reviewSubmit } from "../../../forge/reviews.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { keepingText } from "../../../prompts/keep-text.ts";
import { findFlagNumber, pullFlag } from "../find.ts";
import { pullName } from "../pull.ts";
import { chooseVerdict, verdictFlags } from "./written.ts";

/** `tongs pr review submit`: POST the verdict of a pending review. */
export const submit = defineCommand({
  summary: "Submit your pending review of a pull request",
  details:
    "Without a body, that of the pending review is kept. Find its ID with tongs pr reviews; discard it with tongs pr review delete.",
  on: "repository",
  effect: "write",
  args: { id: one("review ID") },
  flags: {
    pr: pullFlag,
    ...verdictFlags,
    body: text("the body of the review", { short: "b" }),
    bodyFile: inputFile("read the body from a file", { short: "F" }),
  },
  exclusive: [
    ["approve", "requestChanges", "comment"],
    ["body", "bodyFile"],
  ],
  output: reviewRecord,
  examples: [
    ["Submit a pending review", 'tongs pr review submit 31 --pr 12 --request-changes --body "See the lines."'],
  ],
  async run(context) {
    const { args, flags, http, repo, server, system, prompt, out } = context;
    const id = wholeNumber(args.id, "ID", 1);
    const body = await givenText(system, { text: flags.body, file: flags.bodyFile, flag: "--body-file" });
    const { event, done } = await chooseVerdict(flags, prompt);
    await keepingText(typedBody(body, flags, false), out, async () => {
      const number = await findFlagNumber(flags.pr, context, "review");
      const kept = body ?? (await call(http, reviewGet, { repo, index: number, id })).body;
      const made = await call(http, reviewSubmit, { repo, index: number, id }, { event, body: kept });
      await out.done(`${done} pull request ${pullName(context, number)} ${accountLabel(server)}`, {
        prints: made.html_url,
        record: made,
      });
    });
  },
});
