import { attachDetails, attachFlags, readAttached, withUploads } from "../../app/attach/attach.ts";
import { planAttachments } from "../../app/attach/plan.ts";
import { attachAfter, recordWith } from "../../app/attach/upload.ts";
import type { RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { draftFlags, requireEditor } from "../../app/draft.ts";
import { givenText } from "../../app/input.ts";
import { currentUser } from "../../app/shared.ts";
import { names, text, toggle, yesNo } from "../../command/flags.ts";
import { dueDate } from "../../command/time-flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { createPull } from "../../forge/create-pull.ts";
import { resolveLabels, resolveMilestone, resolveUsers } from "../../forge/names.ts";
import { editPullRequest, pullRequest } from "../../forge/pulls.ts";
import { accountLabel, commandIn } from "../../profiles/server.ts";
import { keepingText } from "../../prompts/keep-text.ts";
import { fullName } from "../../repo/repo-name.ts";
import { allSettledOrThrow } from "../../system/concurrency.ts";
import { createByAgit, resolveTopic } from "./create-agit.ts";
import { resolveBase, stackedBase } from "./create-base.ts";
import { createExplained, incompleteError, refuseExisting } from "./create-errors.ts";
import { resolveHead } from "./create-head.ts";
import { metadataFields, type PullMetadata, promptForNext } from "./create-next.ts";
import { planPush, pushHead } from "./create-push.ts";
import { checkText, pullText } from "./create-text.ts";
import { continueInBrowser } from "./create-web.ts";
import { draftTitle, pullName } from "./pull.ts";
import { resolveReviewers } from "./reviewers.ts";

/** `tongs pr create`: POST a pull request, after resolving names and, with `--push`, pushing the head branch. */
export const create = defineCommand({
  summary: "Create a pull request",
  details:
    "By default, the head is the current branch and the base is the default branch of the repository. Without a body, " +
    "the template of the repository is used. On a terminal, tongs prompts for missing values and for what to do next; " +
    "nothing is pushed or created before that. With --fill, or with --title and --body, it only offers to push. In a " +
    "clone whose repository is your own fork, the parent is the base repository; on a terminal, tongs prompts for it. The " +
    "choice is kept for the clone, as tongs repo set-default does. To create the pull request in the fork, pass -R. With --agit, the server makes the pull request of a push to " +
    "refs/for/BASE: it has no branch there, needs no write access, and is updated with tongs pr push. With --stack, the base " +
    `is the branch of the nearest open pull request whose commits the head branch has; tongs pr stack shows such a chain. ${attachDetails}`,
  external: { uses: "git" },
  on: "repository",
  effect: "write",
  flags: {
    ...draftFlags("pull request"),
    fill: toggle("use the commits for title and body", { short: "f" }),
    fillFirst: toggle("use the first commit for title and body"),
    template: text("use this template of the base branch (default: the only one)", {
      short: "T",
      placeholder: "NAME",
    }),
    base: text("base branch to merge into (default: the repository's default branch)", {
      placeholder: "BRANCH",
      short: "B",
      source: "branch",
    }),
    head: text("head branch to merge, OWNER:BRANCH for a fork (default: the current branch)", {
      placeholder: "BRANCH",
      short: "H",
      source: "branch",
    }),
    stack: toggle("base it on the branch of the open pull request that the head branch is built on"),
    push: toggle("push the head branch first"),
    agit: toggle("push to refs/for/BASE instead, which needs neither write access nor a fork"),
    topic: text("with --agit: name of the pull request for later pushes (default: the branch)"),
    draft: toggle("create a draft (prefixes the title with WIP:)", { short: "d" }),
    label: names("add labels", { short: "l", source: "label" }),
    assignee: names("assign users (@me for yourself)", { short: "a", source: "user" }),
    reviewer: names("request reviews from users, or from teams as ORG/TEAM", { short: "r", source: "user" }),
    teamReviewer: names("request reviews from teams of the organization", { source: "team" }),
    milestone: text("set the milestone, by title or number", { placeholder: "NAME", short: "m", source: "milestone" }),
    due: dueDate("set the due date, such as 2026-12-24"),
    maintainerEdit: yesNo("allow maintainers to push to the head branch (default: the repository setting)"),
    ...attachFlags,
  },
  exclusive: [
    ["body", "bodyFile", "template", "recover"],
    ["title", "recover"],
    ["fill", "fillFirst", "template", "recover"],
    ["editor", "recover", "web"],
    ["agit", "push"],
    ["agit", "web"],
    ["stack", "base"],
    ["stack", "agit"],
    ["attach", "web"],
  ],
  output: withUploads(pullRequest),
  exits: {
    failure: "it was created, but the server did not apply a field",
    usage: "the head branch is not pushed: pass --push",
    denied: "not allowed to push or to create it",
    refused: "it already exists, or the head has no new commits",
    partly: "it was created, but a reviewer or another step failed, or a file was not uploaded",
  },
  examples: [
    ["Push the current branch and create from its commits", "tongs pr create --fill --push"],
    [
      "Give title, body, label and reviewer",
      'tongs pr create --title "Add the buoys" --body-file notes.md --label docs --reviewer jonas',
    ],
    ["Attach a picture", "tongs pr create --fill --push --attach buoys.png"],
    ["Write title and body in the editor, from the first commit", "tongs pr create --editor --fill-first"],
    ["Fill in the page in the browser", "tongs pr create --web --fill --push"],
    ["Create without a fork, where you cannot push", "tongs pr create --agit --fill"],
    ["Push the current branch on top of another pull request", "tongs pr create --stack --fill --push"],
    ["Create from a fork", "tongs pr create -R mara/harbor --head priya:ferry --fill"],
  ],
  async run(selected) {
    const { flags, http, server, out, prompt, options } = selected;
    const attached = await readAttached(flags, flags.bodyFile, selected.system);
    const body = await givenText(selected.system, { text: flags.body, file: flags.bodyFile, flag: "--body-file" });
    const { title, fill, fillFirst, template, editor, recover, web } = flags;
    const given = { title, body, fill, fillFirst, template, editor, recover, web, fromStdin: flags.bodyFile === "-" };
    requireEditor(editor, prompt);
    checkText(given, prompt.able);
    if (flags.topic !== undefined && !flags.agit) throw new UsageError("--topic requires --agit");
    if (flags.topic?.trim() === "") throw new UsageError("--topic must not be empty");
    if (/\p{Cc}/u.test(flags.topic ?? "")) throw new UsageError("--topic must not contain control characters");
    const { repo, branch, home } = await resolveBase(selected, flags.base);
    const context = { ...selected, repo };
    const base = flags.stack ? await stackedBase(context, flags.head, branch) : branch;
    const head = await resolveHead(context, flags.head, { base, selected: home });
    // Before anything is typed or pushed. Otherwise the server says so.
    const agit = flags.agit ? await resolveTopic(context, head, base, flags.topic) : undefined;
    if (!flags.agit && (prompt.able || flags.push)) await refuseExisting(context, { head, base });
    const metadata = await resolveNames(context, flags);
    const { plan, tip = `refs/heads/${head.local}` } = agit ? {} : await planPush(context, head, flags.push);

    const isFilled = fill || fillFirst || recover !== undefined || (title !== undefined && body !== undefined);
    const isWritten = web || (isFilled && !editor);
    const asks = prompt.able && !isWritten;
    if (asks) out.note(`Creating pull request for ${head.label} into ${base} in ${fullName(repo)}`);
    const written = await pullText(context, given, { ...head, tip }, base);
    const created = await keepingText(written.typed, out, async () => {
      const start = { draft: flags.draft, metadata, pushes: agit ? `${agit.local} to refs/for/${base}` : plan?.what };
      const next =
        asks && !options.yes && !options.dryRun
          ? await promptForNext(context, start)
          : ({ action: "submit", ...start } as const);
      const toBrowser = web || next.action === "browser";
      const text = { body: written.body, others: written.others, file: flags.bodyFile };
      const uploads = await planAttachments(toBrowser ? [] : attached, toBrowser ? {} : text, {
        ...context,
        owner: repo.owner,
      });
      const pushed = plan === undefined ? head : await pushHead(context, head, plan);
      const title = next.draft && written.title !== undefined ? draftTitle(written.title) : written.title;
      const pullFields = { head: pushed.label, base, body: written.body, ...metadataFields(next.metadata) };
      const fields = { ...pullFields, due_date: flags.due, allow_maintainer_edit: flags.maintainerEdit };
      if (toBrowser || title === undefined) {
        if (attached.length > 0) out.warn("Attach the files in the browser");
        return continueInBrowser(context, { ...fields, title });
      }
      const option = { ...fields, title };
      if (agit !== undefined) {
        const made = await createByAgit(context, agit, option);
        return made && { ...made, uploads, label: `topic ${agit.topic}` };
      }
      const branches = { head: pushed, base, isPushed: plan !== undefined };
      const made = await createExplained(context, branches, () => uploads.named(createPull(http, repo, option)));
      return { ...made, uploads, label: pushed.label };
    });
    if (created === undefined) return;
    const { pull, failed, label, uploads } = created;
    const name = pullName(context, pull.number);
    const { value, uploaded, failure } = await attachAfter(
      uploads,
      {
        target: { of: "issue", repo, id: pull.number },
        name,
        created: `Created pull request ${name}`,
        finish: ["tongs", "pr", "edit", `${pull.number}`, "-R", fullName(repo)],
        edit: (text) => editPullRequest(http, repo, pull.number, { body: text }),
      },
      context,
    );
    await out.done(`Created pull request ${name} (${label} into ${base}) ${accountLabel(server)}`, {
      prints: pull.html_url,
      record: recordWith(value ?? pull, uploaded),
      what: name,
    });
    if (failure !== undefined) throw failure;
    const edit = commandIn({ server, repo }, `tongs pr edit ${pull.number}`);
    if (failed[0] !== undefined) throw incompleteError(name, edit, failed, failed[0].failure);
  },
});

interface NameFlags {
  readonly label: readonly string[];
  readonly assignee: readonly string[];
  readonly reviewer: readonly string[];
  readonly teamReviewer: readonly string[];
  readonly milestone: string | undefined;
}

/** Resolves the names in flags to what the API takes. Looks up only what was given. */
async function resolveNames(context: RepositoryContext, flags: NameFlags): Promise<PullMetadata> {
  const { http, repo } = context;
  const login = () => currentUser(context);
  const asTeam = (name: string) => (name.includes("/") ? name : `${repo.owner}/${name}`);
  const reviewers = [...flags.reviewer, ...flags.teamReviewer.map(asTeam)];
  const [labels, assignees, review, milestone] = await allSettledOrThrow([
    resolveLabels(http, repo, flags.label),
    resolveUsers(http, repo, flags.assignee, login),
    resolveReviewers(reviewers, login, context),
    flags.milestone === undefined ? undefined : resolveMilestone(http, repo, flags.milestone),
  ]);
  const teams = review.team_reviewers.map(asTeam);
  return { labels, assignees, reviewers: [...review.reviewers, ...teams], milestone: milestone?.id };
}
