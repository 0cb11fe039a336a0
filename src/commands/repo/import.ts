import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { type Change, runPlan } from "../../app/plan.ts";
import { optional } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import { repoMigrate } from "../../forge/repo-settings.ts";
import { bars } from "../../output/bars.ts";
import { addressText } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";
import { uncompared } from "./import/compare.ts";
import { importFlags, settingsOf } from "./import/flags.ts";
import { reposHere, requireOwnerRights } from "./import/here.ts";
import { noteLeft } from "./import/notes.ts";
import { countText, type Item, type Outcome, outcome, outcomeColumns, outcomeRow, planImport } from "./import/plan.ts";
import type { ImportSettings } from "./import/settings.ts";
import { readSource, type Source } from "./import/source.ts";
import { fromSource, sourceToken } from "./import/token.ts";
import { type ImportJob, UnknownCopy, workOn } from "./import/work.ts";

/** `tongs repo import`: POST /repos/migrate for each repository of an owner elsewhere that is not here yet. */
export const importRepos = defineCommand({
  summary: "Import all repositories of an owner on another server",
  details:
    "SOURCE is the address of a user, organization or group, such as https://github.com/acme. The server copies the " +
    "repositories itself, so it must be able to reach the source. Visibility, description and archived state are kept; mirrors " +
    "are not archived, because servers archive none. A token for the source is read from TONGS_SOURCE_TOKEN or " +
    "--auth-token-file, and the server gets it; a list must be of one server then. On Gitea and Forgejo it needs the scopes " +
    "read:user, read:repository, read:organization and read:issue. Reviews from these two that request changes or only comment are copied as pending: " +
    "only administrators see them, and their authors if they have an account here.\n\n" +
    "When run again, it imports only what is new: a repository that was imported before is known by its original_url, and stays " +
    "as it is. Differences from the source are reported: visibility, description, archived state, and the numbers of open " +
    "issues, open pull requests and releases. A name that another repository has is a conflict: it is reported and left alone. " +
    "So is a repository that was renamed or transferred at the source, which takes one request each to find out. One that is " +
    "gone from the source is reported, and archived with --prune, never deleted; this goes as far as the filters, and needs a " +
    "token that sees all of the owner's repositories. Forgejo does not report a transfer to an owner that the token cannot see, " +
    "so that counts as gone. --plan shows all of this.\n\n" +
    "After an interruption, run the same command again. A copy is complete if the server said so in this run. If the answer was " +
    "lost, or the copy was begun less than --wait ago, the server may still be copying, so tongs " +
    "waits until the copy has as many branches, tags, issues, pull requests, reviews, comments, labels, milestones and releases " +
    "as the source, in all states, within what was requested. " +
    "A copy from GitHub or GitLab with any of --all-items but wikis and LFS files cannot be compared. A copy " +
    "that is not complete after --wait is reported as unknown, with the command that deletes it: tongs itself deletes no repository.",
  on: "server",
  fieldsOf: repoMigrate,
  effect: "destroy",
  prompts: "before it archives repositories",
  asTool: "none",
  lists: ["repository", "repositories"],
  args: { source: optional("address of the owner: https://github.com/acme") },
  flags: importFlags,
  output: list(outcome),
  exits: {
    refused: "all names are taken by other repositories",
    partly: "some repositories could not be imported, or are not known to be complete",
  },
  examples: [
    ["Show what would be imported", "tongs repo import https://github.com/acme --repo-owner tidewater --plan"],
    [
      "Import all of an organization, with issues and releases",
      "tongs repo import https://github.com/acme --repo-owner tidewater --all-items --auth-token-file token",
    ],
    [
      "Keep mirrors of a GitLab group, without its archived projects",
      "tongs repo import https://gitlab.com/acme/tools --mirror --no-archived",
    ],
    ["Import repositories of a list", "tongs repo import --list addresses.txt --private"],
    ["Archive what is not at the source any more", "tongs repo import https://github.com/acme --prune --yes"],
  ],
  async run(context) {
    const { flags: given, http, options, out, server, system } = context;
    if (options.limit !== undefined)
      throw new UsageError("--limit cannot be used here", "Select repositories with --include and --exclude.");
    const settings = await settingsOf(context.args.source, given, context);
    if (given.prune && settings.source === undefined)
      throw new UsageError("--prune needs the address of an owner, not --list");
    const token = await sourceToken(given.authTokenFile, system);
    const source = await fromSource(readSource(settings, token, context));
    const here = await reposHere(settings.to, context);
    const wait = (given.wait ?? 600) * 1000;
    const isYoung = (created = "") => system.now().getTime() - Date.parse(created) < wait;
    const plan = await fromSource(planImport(source, here, { settings, prune: given.prune, http, isYoung }));
    if (plan.some(({ row }) => row.action === "import")) await requireOwnerRights(settings.to, context);
    await fromSource(requireItems(plan, settings, source));
    const rows = plan.map(({ row }) => row);
    noteUncompared(rows, settings, out);
    if (!given.plan) noteLeft(plan, { prune: given.prune, signedIn: source.signedIn }, context);
    const { add: bar } = await bars({ system, out, quiet: options.quiet });
    const running = new Set<string>();
    const job: ImportJob = { settings, source, token, wait, running, refused: {}, bar };
    const archived = rows.filter(({ action }) => action === "archive");
    const some = archived.length === 1 ? "1 repository" : `${archived.length} repositories`;
    try {
      return await runPlan(
        changesOf(plan, job, context),
        {
          asks: archived.length === 0 ? undefined : `Archive ${some} on ${addressText(server.base)}`,
          lines: archived.map(({ repository }) => `Not at the source any more: ${repository}`),
          isPlan: given.plan,
          rows,
          columns: outcomeColumns,
          rowOf: outcomeRow,
          nothing: `Nothing to import: ${countText(rows) || "the source has no such repositories"}`,
          jobs: given.jobs ?? 4,
        },
        context,
      );
    } finally {
      if (system.signal.aborted && running.size > 0)
        out.note(`The server may continue to copy ${[...running].join(", ")}`);
    }
  },
});

/** What is to be done, the copies to wait for last, so that nothing else waits for them. */
function changesOf(plan: readonly Item[], job: ImportJob, context: BaseContext & ServerContext): Change<Outcome>[] {
  const of = (...actions: string[]) => plan.filter(({ row }) => actions.includes(row.action));
  return [...of("import", "archive", "conflict", "unknown"), ...of("wait")].map((item) => {
    const { row } = item;
    return {
      place: row.source,
      line: row.source,
      row,
      stopped: row.action === "conflict" ? row.reason : undefined,
      async make() {
        if (row.action === "unknown") throw new UnknownCopy(row.repository, row.reason ?? "", context);
        return workOn(item, job, context);
      },
    };
  });
}

/** Throws if the token for the source may not read issues: the server would fail in the middle of the migration. */
async function requireItems(plan: readonly Item[], { items, mirror }: ImportSettings, source: Source): Promise<void> {
  const ofIssues = ["issues", "pull_requests", "labels", "milestones"].filter((item) => items.includes(item));
  const next = plan.find(({ row, wanted }) => row.action === "import" && wanted !== undefined);
  if (mirror || ofIssues.length === 0 || next?.wanted === undefined) return;
  await source.requireIssues(next.wanted.address);
}

/** Says what of earlier copies is not compared, as nothing but the lists of repositories is read. */
function noteUncompared(rows: readonly Outcome[], settings: ImportSettings, out: BaseContext["out"]): void {
  const parts = uncompared(settings);
  if (parts.length > 0 && rows.some(({ action }) => action === "unchanged"))
    out.note(`Not compared, of what was imported before: ${parts.join(", ")}.`);
}
