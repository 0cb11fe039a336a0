import { defineCommand } from "../../app/define.ts";
import { pullRequest } from "../../forge/pulls.ts";
import { findPull, pullSelector } from "./find.ts";
import { pullName } from "./shared.ts";
import { pullSheet } from "./view.ts";

/** `tongs pr merged`: GET whether a pull request is merged, told by the exit code. */
export const merged = defineCommand({
  summary: "Tell whether a pull request is merged",
  on: "repository",
  effect: "read",
  args: { pr: pullSelector },
  output: pullRequest,
  exits: { ok: "merged", failure: "not merged" },
  examples: [["In a script", "tongs pr merged 12 && echo done"]],
  async run(context) {
    const { args, forge, repo, out } = context;
    if (args.pr.by === "number" && !out.records) {
      const { number } = args.pr;
      if (await forge.pulls.merged(repo, number)) return say(true, number);
      // The same 404 stands for "not merged", "no such pull request" and "no such repository".
      return say((await forge.pulls.get(repo, number)).merged, number);
    }
    const pull = await findPull(args.pr, context);
    if (out.records) await out.record(pull, pullSheet);
    return say(pull.merged, pull.number);

    function say(yes: boolean, number: number) {
      out.note(`${pullName(context, number)} is ${yes ? "" : "not "}merged`);
      return yes ? undefined : ("failure" as const);
    }
  },
});
