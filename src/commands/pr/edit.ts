import { attachDetails, attachFlags, readAttached, withUploads } from "../../app/attach/attach.ts";
import { planAttachments } from "../../app/attach/plan.ts";
import { attachBefore, recordWith } from "../../app/attach/upload.ts";
import { defineCommand } from "../../app/define.ts";
import { typedBody } from "../../app/draft.ts";
import { editExclusive, listFlags, planningFlags, textFlags } from "../../app/edit-flags.ts";
import { nothingToChange } from "../../app/fields.ts";
import { givenText } from "../../app/input.ts";
import { changeTargets } from "../../app/targets.ts";
import { choice, names, text, yesNo } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { pullGet, pullRequest } from "../../forge/pulls.ts";
import { keepingText } from "../../prompts/keep-text.ts";
import { fullName } from "../../repo/repo-name.ts";
import { list } from "../../shape/shape.ts";
import { checkNames, type EditFlags, planEdit } from "./edit-plan.ts";
import { applyEdit } from "./edit-steps.ts";
import { findPull, type PullSelector, pullSelectors } from "./find.ts";
import { baseOptions, milestoneOptions, pullFilterFlags, pullStates } from "./list-filters.ts";
import { filtersDetails, planFlag, pullTargets } from "./many.ts";
import { pullName } from "./pull.ts";

/**
 * `tongs pr edit`: GET, then only the requests for what differs. Labels and people are added and removed one by one.
 */
export const edit = defineCommand({
  summary: "Edit pull requests",
  details: `Changes only the given fields. Without flags, tongs prompts for the fields to edit on a terminal. ${filtersDetails} ${attachDetails}`,
  on: "repository",
  effect: "write",
  args: { pr: pullSelectors },
  flags: {
    ...textFlags,
    base: text("change the base branch", { placeholder: "BRANCH", short: "B", source: "branch" }),
    ...listFlags,
    addReviewer: names("request reviews from users, or from teams as ORG/TEAM", { source: "user" }),
    removeReviewer: names("remove requested reviewers", { source: "user", opposite: "addReviewer" }),
    ...planningFlags,
    maintainerEdit: yesNo("allow maintainers to push to the head branch"),
    state: choice(pullStates, "filter by state (default: open)", { short: "s", filters: true }),
    fromBase: text("filter by base branch", baseOptions),
    fromMilestone: text("filter by milestone", milestoneOptions),
    ...pullFilterFlags,
    plan: planFlag,
    ...attachFlags,
  },
  exclusive: editExclusive,
  output: list(withUploads(pullRequest)),
  exits: { partly: "some pull requests were edited, some failed" },
  examples: [
    ["Change the title and add a label", 'tongs pr edit 12 --title "Add the buoys" --add-label docs'],
    ["Label two pull requests", "tongs pr edit 4 12 --add-label docs"],
    ["Change the base of all from a branch", "tongs pr edit --from-base release/1.2 --base main --yes"],
    ["Attach a file", "tongs pr edit 12 --attach buoys.png"],
    ["Replace a reviewer", "tongs pr edit 12 --add-reviewer jonas --remove-reviewer priya"],
  ],
  async run(context) {
    const { http, repo, out, system, prompt } = context;
    const { state, fromBase, fromMilestone, head, author, assignee, label, draft, search, plan, ...flags } =
      context.flags;
    const filters = { state, base: fromBase, milestone: fromMilestone, head, author, assignee, label, draft, search };
    const { bodyFile, ...given } = flags;
    const attached = await readAttached(flags, bodyFile, system);
    const body = await givenText(system, { text: flags.body, file: bodyFile, flag: "--body-file" });
    const hasEdits = Object.values(flags).some(isGiven) || flags.maintainerEdit !== undefined;
    if (flags.title?.trim() === "") throw new UsageError("--title must not be empty");
    if (!hasEdits && !prompt.able && !plan) {
      throw nothingToChange();
    }
    const check = () => checkNames(context, given);
    const changes = { ...flags, noMaintainerEdit: flags.maintainerEdit === false };
    const prepare = async ({ length }: readonly unknown[]) => {
      if (!hasEdits && length > 1) throw nothingToChange();
    };
    let edits: EditFlags = { ...given, body };
    const typed = () => typedBody(edits.body, flags, !hasEdits);
    const work = async ({ selector }: { readonly selector: PullSelector }) => {
      const pull = await findPull(selector, context);
      if (!hasEdits) {
        const { promptForEdit } = await import("./edit-prompts.ts");
        for await (const answer of promptForEdit(context, pull)) edits = { ...edits, ...answer };
      }
      const name = pullName(context, pull.number);
      const text = { body: edits.body, others: hasEdits ? "" : pull.body, file: bodyFile };
      const uploads = await planAttachments(attached, text, { ...context, owner: repo.owner });
      const finish = ["tongs", "pr", "edit", `${pull.number}`, "-R", fullName(repo)];
      const to = { target: { of: "issue", repo, id: pull.number }, noun: "pr", name, finish } as const;
      const { value, uploaded } = await attachBefore(uploads, to, context, async (body = edits.body) =>
        applyEdit(context, pull, await planEdit(context, pull, { ...edits, body })),
      );
      const { failure } = value;
      const changed = [...value.changed, ...(uploaded.length > 0 ? ["attachments"] : [])];
      if (changed.length === 0 && failure === undefined) {
        const message = `Pull request ${name} is already up to date; nothing was changed`;
        return { message, record: pull, unchanged: true };
      }
      const message = `Edited pull request ${name} (${[...new Set(changed)].join(", ")})`;
      const record = recordWith(() => call(http, pullGet, { repo, index: pull.number }), uploaded);
      return { message: changed.length > 0 ? message : undefined, record, failure };
    };
    const targets = pullTargets({ state: "open", filters, check }, context);
    return keepingText(typed, out, () =>
      changeTargets({ ...targets, verb: "Edit", plan, changes, prepare, work }, context),
    );
  },
});

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}
