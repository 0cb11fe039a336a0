import { defineCommand } from "../../app/define.ts";
import { shownName, styled } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { findPull, pullSelector } from "./find.ts";
import { pullName } from "./pull.ts";
import { explainPull } from "./why-reasons.ts";
import { type Explanation, explanationShape, type Reason, reasonCodes } from "./why-shape.ts";

/** `tongs pr why`: every reason why a pull request cannot be merged now. */
export const why = defineCommand({
  summary: "Explain why a pull request cannot be merged",
  details:
    "Lists each reason and what would clear it: conflicts with their files, missing approvals, requested changes, " +
    "failed, pending or missing required checks, draft, protected files, permissions, open dependencies. Some rules of " +
    "the base branch can be read only by administrators of the repository; those that were not checked are named. The " +
    `codes of the reasons in JSON never change: ${reasonCodes.join(", ")}.`,
  on: "repository",
  effect: "read",
  args: { pr: pullSelector },
  output: explanationShape,
  exits: { ok: "it can be merged", failure: "it cannot be merged", pending: "the server is still checking" },
  examples: [
    ["Explain why pull request 12 cannot be merged", "tongs pr why 12"],
    ["Print the codes of the reasons", "tongs pr why 12 --jq '.reasons[].code'"],
  ],
  async run(context) {
    const { out } = context;
    const pull = await findPull(context.args.pr, context);
    const explained = await explainPull(context, pull);
    await out.record(explained, explanationSheet);
    const rules = explained.unchecked.filter((one) => one !== "conflict" && one !== "files");
    if (rules.length > 0) {
      out.note(`Not checked, because only administrators of the repository can read these rules: ${rules.join(", ")}`);
    }
    if (explained.unchecked.includes("files"))
      out.note("Not checked: files. The server failed to list those that the pull request changes.");
    if (explained.unchecked.includes("conflict")) {
      out.note("Not checked: conflicts. Both sides changed the same files; a clone that has both commits can tell.");
    }
    if (explained.mergeable === null) {
      out.note(`The server is still checking whether ${pullName(context, pull.number)} is mergeable.`);
      return "pending";
    }
    return explained.mergeable ? "ok" : "failure";
  },
});

function explanationSheet({ title, number, mergeable, reasons }: Explanation): Sheet {
  const state =
    mergeable === null ? styled("warn", "checking") : mergeable ? styled("good", "yes") : styled("bad", "no");
  return {
    title: `${title} #${number}`,
    fields: [["mergeable", state]],
    sections: reasons.map((one) => ({ title: one.message, body: reasonText(one) })),
  };
}

function reasonText({ clear, checks }: Reason): string {
  const details = checks.flatMap(({ context, state, url, lines }) => [
    `${shownName(context)} (${state})${url === null ? "" : `: ${url}`}`,
    ...lines.map((line) => `  ${line}`),
  ]);
  return [...details, clear].join("\n");
}
