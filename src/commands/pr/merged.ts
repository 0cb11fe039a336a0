import { defineCommand } from "../../app/define.ts";
import { call } from "../../forge/operation.ts";
import { pullGet, pullMergeCheck, pullRequest } from "../../forge/pulls.ts";
import { findPull, pullSelector } from "./find.ts";
import { pullName } from "./pull.ts";
import { pullSheet } from "./view.ts";

/** `tongs pr merged`: GET whether a pull request is merged; the exit code is the answer. */
export const merged = defineCommand({
  summary: "Check whether a pull request is merged",
  on: "repository",
  effect: "read",
  args: { pr: pullSelector },
  output: pullRequest,
  exits: { ok: "merged", failure: "not merged" },
  examples: [["Test it in a script", "tongs pr merged 12 && echo merged"]],
  async run(context) {
    const { args, http, repo, out } = context;
    if (args.pr.by === "number" && !out.records) {
      const { number } = args.pr;
      if (await call(http, pullMergeCheck, { repo, index: number })) return report(true, number);
      // 404 means "not merged", "no such pull request" or "no such repository".
      return report((await call(http, pullGet, { repo, index: number })).merged, number);
    }
    const pull = await findPull(args.pr, context);
    if (out.records) await out.record(pull, (shown) => pullSheet(shown));
    return report(pull.merged, pull.number);

    function report(yes: boolean, number: number) {
      out.note(`Pull request ${pullName(context, number)} is ${yes ? "" : "not "}merged`);
      return yes ? undefined : ("failure" as const);
    }
  },
});
