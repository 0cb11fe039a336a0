import type { RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { givenText } from "../../app/input.ts";
import { currentUser } from "../../app/shared.ts";
import { dueDate } from "../../command/due-date.ts";
import { names, text, toggle, yesNo } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { createPull, type Missing } from "../../forge/create-pull.ts";
import { labelsNamed, milestoneNamed, peopleNamed, teamsNamed } from "../../forge/names.ts";
import { pullRequest } from "../../forge/pulls.ts";
import { accountLabel } from "../../profiles/server.ts";
import { keepingText } from "../../prompts/keep-text.ts";
import { allSettledOrThrow } from "../../system/concurrency.ts";
import { chooseHead } from "./create-head.ts";
import { explainCreate } from "./create-refusals.ts";
import { pullText, requireText } from "./create-text.ts";
import { asDraft } from "./draft-title.ts";
import { refuseAuthor } from "./edit-plan.ts";
import { pushHead, requirePushed } from "./push-head.ts";
import { pullName } from "./subject.ts";

/** `tongs pr create`: POST a pull request, after resolving names and, with `--push`, pushing its head. */
export const create = defineCommand({
  summary: "Open a pull request",
  details:
    "The head is the branch checked out here, the base the repository's default branch. Without a text the " +
    "repository's template is taken. On a terminal you are asked for what is missing.",
  on: "repository",
  effect: "write",
  flags: {
    title: text("the title", { short: "t" }),
    body: text("the text", { short: "b" }),
    bodyFile: text("read the text from a file, or stdin (-)", { placeholder: "FILE", short: "F" }),
    fill: toggle("take title and text from the commits", { short: "f" }),
    base: text("merge into this branch", { placeholder: "BRANCH", short: "B" }),
    head: text("the branch to merge, OWNER:BRANCH for a fork's", { placeholder: "BRANCH", short: "H" }),
    push: toggle("push the head first"),
    draft: toggle("open it as a draft (WIP: before the title)", { short: "d" }),
    label: names("labels", { short: "l" }),
    assignee: names("assign users (@me: yourself)", { short: "a" }),
    reviewer: names("ask users for a review", { short: "r" }),
    teamReviewer: names("ask teams of the organization for a review"),
    milestone: text("milestone, by title or number", { placeholder: "NAME", short: "m" }),
    due: dueDate("due on this day (2026-12-24)"),
    maintainerEdit: yesNo("let maintainers push to the head branch (default: as the repository is set)"),
  },
  exclusive: [["body", "bodyFile"]],
  output: pullRequest,
  exits: { refused: "there is one already, or the head is not pushed or has nothing new" },
  examples: [
    ["From the commits of this branch, pushed along", "tongs pr create --fill --push"],
    [
      "With everything said",
      'tongs pr create --title "Add the buoys" --body-file notes.md --label docs --reviewer jonas',
    ],
    ["From a fork", "tongs pr create -R mara/harbor --head priya:ferry --fill"],
  ],
  async run(context) {
    const { flags, forge, repo, server, out, system, prompt } = context;
    const body = await givenText(system, { text: flags.body, file: flags.bodyFile, flag: "--body-file" });
    const given = { title: flags.title, body, fill: flags.fill };
    requireText(given, prompt.able);
    const base = flags.base ?? (await forge.repos.get(repo)).default_branch;
    const head = await chooseHead(context, flags.head, base);
    const wish = await resolveNames(context, flags);
    if (!flags.push) await requirePushed(context, head);

    const written = await pullText(context, given, head, base);
    const lost = written.written || flags.bodyFile === "-";
    const typed = lost ? { text: written.body, flag: "--body-file" } : undefined;
    const { pull, missing } = await keepingText(typed, out, async () => {
      if (flags.push) await pushHead(context, head);
      const title = flags.draft ? asDraft(written.title) : written.title;
      const wanted = { head: head.spelled, base, title, body: written.body, ...wish };
      const option = { ...wanted, due_date: flags.due, allow_maintainer_edit: flags.maintainerEdit };
      return createPull(forge, repo, option).catch(async (error: unknown) => {
        throw await explainCreate(context, { head, base }, error);
      });
    });
    const name = pullName(context, pull.number);
    await out.done(`Opened ${name} (${head.spelled} into ${base}) ${accountLabel(server)}`, {
      prints: pull.html_url,
      record: pull,
    });
    if (missing[0] !== undefined) throw incomplete(name, missing, missing[0].failure);
  },
});

interface NamesAsked {
  readonly label: readonly string[];
  readonly assignee: readonly string[];
  readonly reviewer: readonly string[];
  readonly teamReviewer: readonly string[];
  readonly milestone: string | undefined;
}

/** What the API wants for the names that were typed. Only what was asked for is looked up. */
async function resolveNames(context: RepositoryContext, asked: NamesAsked) {
  const { forge, repo } = context;
  const who = () => currentUser(context);
  const [labels, assignees, reviewers, teams, milestone] = await allSettledOrThrow([
    labelsNamed(forge, repo, asked.label),
    peopleNamed(forge, repo, asked.assignee, who),
    peopleNamed(forge, repo, asked.reviewer, who),
    teamsNamed(forge, repo.owner, asked.teamReviewer),
    asked.milestone === undefined ? undefined : milestoneNamed(forge, repo, asked.milestone),
  ]);
  if (reviewers.length > 0) refuseAuthor(reviewers, await who());
  const some = <T>(list: readonly T[]) => (list.length === 0 ? undefined : list);
  return {
    labels: some(labels.map(({ id }) => id)),
    assignees: some(assignees),
    reviewers: some(reviewers),
    team_reviewers: some(teams),
    milestone: milestone?.id,
  };
}

/** The failure for a pull request that is there, but not quite as it was asked for. */
function incomplete(name: string, missing: readonly Missing[], first: Failure): Failure {
  const what = missing.map((part) => part.what).join(", and ");
  const reasons = missing.map(({ failure }) => failure.message).join("\n");
  const { exit, status, method, path } = first;
  const hint = `${reasons}\nDo not create it again; mend it with: tongs pr edit ${name.replace(/^.*#/, "")}`;
  return new Failure("incomplete", exit, `${name} exists, but ${what}`, { hint, status, method, path, cause: first });
}
