import { attachDetails, attachFlags, readAttached, withUploads } from "../../app/attach/attach.ts";
import { planAttachments } from "../../app/attach/plan.ts";
import { attachBefore, recordWith } from "../../app/attach/upload.ts";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { typedBody } from "../../app/draft.ts";
import { editExclusive, listFlags, planningFlags, textFlags } from "../../app/edit-flags.ts";
import { nothingToChange } from "../../app/fields.ts";
import { givenText } from "../../app/input.ts";
import type { IssueTarget } from "../../app/issue-selector.ts";
import { changeTargets } from "../../app/targets.ts";
import { UsageError } from "../../failure/failure.ts";
import { type Issue, issue, issueGet } from "../../forge/issues.ts";
import { resolveLabels } from "../../forge/names.ts";
import { call } from "../../forge/operation.ts";
import { keepingText } from "../../prompts/keep-text.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { list } from "../../shape/shape.ts";
import { type EditFlags, editOneIssue, nameLookup } from "./edit-issue.ts";
import { editedStateFlag, fromMilestoneFlag, issueFilterFlags } from "./filters.ts";
import { filtersDetails, issuesArg, issueTargets, planFlag } from "./many.ts";

const selecting = {
  state: editedStateFlag,
  fromMilestone: fromMilestoneFlag,
  ...issueFilterFlags,
  plan: planFlag,
};

/** `tongs issue edit`: GET each issue, then only the requests for what differs. Labels are added and removed one by one. */
export const edit = defineCommand({
  summary: "Edit issues",
  details: `Changes only the given fields. Without flags, tongs prompts on a terminal. ${filtersDetails} ${attachDetails}`,
  on: "server",
  effect: "write",
  args: { issue: issuesArg(selecting) },
  flags: { ...textFlags, ...listFlags, ...planningFlags, ...selecting, ...attachFlags },
  exclusive: editExclusive,
  output: list(withUploads(issue)),
  exits: { partly: "some issues were edited, some failed" },
  examples: [
    ["Change the title and add a label", 'tongs issue edit 12 --title "Add the buoys" --add-label docs'],
    ["Attach a file", "tongs issue edit 12 --attach log.txt"],
    ["Give several issues a milestone", 'tongs issue edit 3 4 9 --milestone "Spring"'],
    ["List the issues that filters select", "tongs issue edit --label bug --author mara --plan"],
    ["Move all issues to another milestone", 'tongs issue edit --from-milestone "Spring" --milestone "Summer" --yes'],
  ],
  async run(context) {
    const { out, prompt, system } = context;
    const { state, fromMilestone, label, author, assignee, mentions, search, since, plan, ...flags } = context.flags;
    const filters = { state, milestone: fromMilestone, label, author, assignee, mentions, search, since };
    const { bodyFile, ...given } = flags;
    const attached = await readAttached(flags, bodyFile, system);
    const body = await givenText(system, { text: flags.body, file: bodyFile, flag: "--body-file" });
    if (flags.title?.trim() === "") throw new UsageError("--title must not be empty");
    const hasEdits = Object.values(flags).some((value) =>
      Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false,
    );
    if (!hasEdits && !prompt.able && !plan) {
      throw nothingToChange();
    }
    // Said once, and by the plan, too.
    const check = async (place: RepoName) => {
      await nameLookup(context, given)(place);
      // One by one: labels that exclude each other can be removed together.
      for (const name of given.removeLabel) await resolveLabels(context.http, place, [name]);
    };
    let [edits, shown]: [EditFlags, Issue | undefined] = [{ ...given, body }, undefined];
    let uploads: Awaited<ReturnType<typeof planAttachments>>;
    let lookup: ReturnType<typeof nameLookup>;
    const prepare = async (targets: readonly IssueTarget[]) => {
      if (!hasEdits) [edits, shown] = await promptForEdit(targets, given, context);
      lookup = nameLookup(context, edits);
      const text = { body: edits.body, others: shown?.body, file: bodyFile };
      uploads = await planAttachments(attached, text, { ...context, owner: targets[0]?.repo.owner ?? "" });
    };
    const work = async (one: IssueTarget & { readonly name: string }) => {
      const { name } = one;
      const finish = ["tongs", "issue", "edit", `${one.number}`, "-R", fullName(one.repo)];
      const to = { target: { of: "issue", repo: one.repo, id: one.number }, noun: "issue", name, finish } as const;
      const { value, uploaded } = await attachBefore(uploads, to, context, (body = edits.body) =>
        editOneIssue(one, { ...edits, body }, { lookup, shown }, context),
      );
      const { failure } = value;
      const changed = [...value.changed, ...(uploaded.length > 0 ? ["attachments"] : [])];
      const record = recordWith(value.record, uploaded);
      if (changed.length === 0 && failure !== undefined) return { message: undefined, record, failure };
      if (changed.length > 0) return { message: `Edited issue ${name} (${changed.join(", ")})`, record, failure };
      return { message: `Issue ${name} is already up to date; nothing was changed`, record, unchanged: true };
    };
    const targets = issueTargets(filters, "open", context, check);
    return keepingText(
      () => typedBody(edits.body, flags, !hasEdits),
      out,
      () => changeTargets({ ...targets, verb: "Edit", plan, changes: flags, prepare, work }, context),
    );
  },
});

/** Asks for the title and the body of a single issue; returns the issue that was shown, too. */
async function promptForEdit(
  targets: readonly IssueTarget[],
  flags: EditFlags,
  { http, prompt }: BaseContext & ServerContext,
): Promise<[edits: EditFlags, shown: Issue]> {
  const [only, ...more] = targets;
  if (only === undefined || more.length > 0) throw nothingToChange();
  const shown = await call(http, issueGet, { repo: only.repo, index: only.number });
  const title = await prompt.text({ message: "Title", flag: "--title", default: shown.title });
  const rewrite = await prompt.confirm({ message: "Edit the body in your editor?", flag: "--body" });
  if (!rewrite) return [{ ...flags, title }, shown];
  const body = await prompt.editor({ message: "Body", flag: "--body", default: shown.body ?? "" });
  return [{ ...flags, title, body }, shown];
}
