import { existsSync, rmSync } from "node:fs";
import { batch } from "../../app/batch.ts";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import {
  completeLines,
  type Entry,
  openJournalFile,
  refuseUnfinished,
  requireJournal,
  unwrittenJournalFile,
} from "../../app/rows/journal-file.ts";
import { optional } from "../../command/args.ts";
import type { ExitName } from "../../failure/exit-codes.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { repoMigrate } from "../../forge/repo-settings.ts";
import { DryRun } from "../../http/debug.ts";
import { bars } from "../../output/bars.ts";
import { asFailure } from "../../output/report-failure.ts";
import { flagOf } from "../../profiles/choose.ts";
import { addressText, commandOn, type Server } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";
import { followLinks, fullPath } from "../../system/files.ts";
import { lock } from "../../system/lock.ts";
import { quoted } from "../../text/words.ts";
import { uncompared } from "./import/compare.ts";
import { importFlags, resumed, settingsOf } from "./import/flags.ts";
import { reposHere, requireOwnerRights } from "./import/here.ts";
import { confirm, noteLeft, noteUnasked, noteUnfinished } from "./import/notes.ts";
import { type Begun, countText, type Item, type Outcome, outcome, outcomeColumns, planImport } from "./import/plan.ts";
import type { ImportSettings } from "./import/settings.ts";
import { readSource, type Source } from "./import/source.ts";
import { fromSource, passToken, sourceToken } from "./import/token.ts";
import { type ImportJob, isYoung, NotAtSource, type Refused, workOn } from "./import/work.ts";

const writer = {
  by: "tongs repo import",
  noun: "import",
  withoutIt:
    "what was left incomplete is then only found if it is empty, or has fewer open issues, open pull requests or releases than at the source",
} as const;

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
    "So is a repository that was renamed or transferred at the source, which takes one request each to find out; a note says if " +
    "other owners of its server have too many here for that. What is from a former name of the owner is known on Gitea and " +
    "Forgejo. One that is " +
    "gone from the source is reported, and archived with --prune, never deleted; this goes as far as the filters, and needs a " +
    "token that sees all of the owner's repositories. Forgejo does not report a transfer to an owner that the token cannot see, " +
    "so that counts as gone. --plan shows all of this.\n\n" +
    "What is under way is kept in a journal: after a crash or Ctrl-C, --resume finishes it with the same settings and as the " +
    "same user, and accepts no other settings. If the answer to a request was lost, the server may still be copying, so tongs " +
    "waits until the copy has as many branches, tags, issues, pull requests, reviews, comments, labels, milestones and releases " +
    "as the source, in all states, as far as they were asked for. It does not wait for what is missing if all that is copied " +
    "later is there. GitHub does not report the number of reviews, and GitLab " +
    "reports neither reviews nor comments, so a copy with pull requests, or with issues from GitLab, cannot be compared. A copy " +
    "that stays incomplete or cannot be compared is removed, after asking, and imported again, unless it has what the source does " +
    "not have, such as an edited issue, a page of the wiki, a webhook or a protection. With --list " +
    "and --service gitea, an address where nothing is visible is not sent or waited for: correct it, and run with --list again.",
  on: "server",
  fieldsOf: repoMigrate,
  effect: "destroy",
  prompts: "before it removes or archives repositories",
  asTool: "none",
  lists: ["repository", "repositories"],
  args: { source: optional("address of the owner: https://github.com/acme") },
  flags: importFlags,
  output: list(outcome),
  exits: {
    refused: "all names are taken by other repositories",
    pending: "the only repository is still incomplete, and the server may go on to copy it",
    partly: "some repositories could not be imported",
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
    const { flags: given, options, server, system } = context;
    const { path, isDefault } = journalPath(given.journal, context);
    const writes = !given.plan && !options.dryRun;
    const held = writes ? await lock(`repo import ${path}`) : undefined;
    if (writes && held === undefined) throw new Failure("in_use", `Another import is using ${path}`);
    try {
      if (options.limit !== undefined)
        throw new UsageError("--limit cannot be used here", "Select repositories with --include and --exclude.");
      const lines = (given.resume || given.plan) && existsSync(path) ? completeLines(path, writer) : [];
      if (given.resume) requireJournal(path, { host: addressText(server.base) });
      if (given.resume && lines.length === 0) throw new UsageError(`Journal ${path} is empty: start without --resume`);
      const settings = given.resume
        ? resumed(context.args.source, given, { header: lines[0], path, server })
        : await settingsOf(context.args.source, given, context);
      const continuing = continuingText(isDefault ? undefined : path, given.authTokenFile, context);
      const host = addressText(server.base);
      const about = { ...writer, host, flagOf: (other: string) => flagOf(context.profiles.read(), other) };
      if (writes && !given.resume) refuseUnfinished(path, about, continuing);
      if (given.prune && settings.source === undefined)
        throw new UsageError("--prune needs the address of an owner, not --list");
      const token = await sourceToken(given.authTokenFile, system);
      if (settings.signed_in === true && token === undefined)
        throw new UsageError("This import was started with a token for the source", passToken);
      if (given.resume) requireSudo(settings, options.sudo, continuing);
      const source = await fromSource(readSource(settings, token, context));
      const begun: Begun = isSameImport(lines[0], settings, server) ? begunIn(lines) : new Map();
      const here = await reposHere(settings.to, context);
      const inPlan = { settings, begun, prune: given.prune, http: context.http };
      const plan = await fromSource(planImport(source, here, inPlan));
      if (plan.some(({ row }) => row.action === "import")) await requireOwnerRights(settings.to, context);
      await fromSource(requireItems(plan, settings, source));
      noteUnasked(plan, here, source, context);
      if (given.plan) return await printPlan(plan, settings, context);
      noteLeft(plan, { prune: given.prune, signedIn: source.signedIn }, context);
      const wait = (given.wait ?? 600) * 1000;
      const usesVariable = token !== undefined && given.authTokenFile === undefined;
      const job = { settings, source, token, usesVariable, wait, continuing, running: new Set<string>() };
      return await apply(plan, job, { path, isDefault, resume: given.resume, jobs: given.jobs }, context);
    } finally {
      held?.release();
    }
  },
});

interface Apply {
  readonly path: string;
  readonly isDefault: boolean;
  readonly resume: boolean;
  readonly jobs: number | undefined;
}

/** Does what the plan says, and keeps in the journal what is under way. It is removed, or marked, when nothing is left to do. */
async function apply(
  plan: readonly Item[],
  job: Omit<ImportJob, "journal">,
  { path, isDefault, resume, jobs = 4 }: Apply,
  context: BaseContext & ServerContext,
): Promise<ExitName | undefined> {
  const { options, out, server, system } = context;
  if (!plan.some(isToDo) && !resume) return nothingToDo(plan, job.settings, context);
  await confirm(plan, job, context);
  const kept: ImportSettings = {
    ...job.settings,
    ...(job.token === undefined ? {} : { signed_in: true }),
    ...(options.sudo === undefined ? {} : { sudo: options.sudo }),
  };
  const about = { ...writer, hash: "", host: addressText(server.base), resume, kept, now: system.now };
  const journal = options.dryRun ? unwrittenJournalFile(path, about) : openJournalFile(path, about);
  let failed = 0;
  let done = 0;
  const left: Item[] = [];
  const refused: Refused = {};
  try {
    if (!plan.some(isToDo)) return await nothingToDo(plan, job.settings, context);
    const progress = await bars({ system, out, quiet: options.quiet });
    const inside = { ...context, bar: progress.add, refused };
    const work = async (item: Item) => {
      const isConflict = item.row.action === "conflict";
      if (refused.why !== undefined && isToDo(item) && !isConflict) {
        left.push(item);
        const reason = `was not tried: ${refused.why.message}`;
        return { message: undefined, record: { ...item.row, action: "failed", reason } };
      }
      try {
        const worked = await workOn(item, { ...job, journal }, inside);
        if (isToDo(item)) done += 1;
        return worked;
      } catch (error) {
        if (!isConflict && !(error instanceof NotAtSource)) failed += 1;
        if (error instanceof DryRun || system.signal.aborted) throw error;
        const failure = asFailure(error);
        if (failure.code === "unreachable" || failure.code === "not_signed_in") refused.why ??= failure;
        const record = isConflict ? item.row : { ...item.row, action: "failed", reason: failure.message };
        return { message: undefined, record, failure };
      }
    };
    const name = ({ row }: Item) => row.source;
    const targets = plan.filter((item) => out.records || isToDo(item));
    // What the server may still be copying is last, so that nothing else waits for it.
    const isWaiting = (item: Item) => isYoung(item, job, context);
    const ordered = [...targets.filter((item) => !isWaiting(item)), ...targets.filter(isWaiting)];
    const ended = await batch(ordered, work, context, { jobs, name });
    if (left.length > 0) out.note(`${left.length} of ${targets.length} were not tried.`);
    return left.length > 0 && done === 0 ? refused.why?.exit : ended;
  } finally {
    const isDone = failed === 0 && !system.signal.aborted;
    if (isDone) await journal.finish();
    journal.close();
    if (isDone && isDefault && !options.dryRun) rmSync(path, { force: true });
    if (!isDone && !options.dryRun) noteUnfinished(job, context);
  }
}

async function nothingToDo(plan: readonly Item[], settings: ImportSettings, { out }: BaseContext): Promise<undefined> {
  const { items } = settings;
  const rows = plan.map(({ row }) => row);
  const why = countText(rows) || "the source has no such repositories";
  const isKept = items.length > 0 && rows.some(({ action }) => action === "unchanged");
  const end = isKept ? "; what was imported before gets no further items" : "";
  noteUncompared(rows, settings, out);
  await out.done(`Nothing to import: ${why}${end}`, { record: rows, unchanged: true });
}

function journalPath(given: string | undefined, { system }: BaseContext) {
  const path = fullPath(given ?? "repo-import.journal", system);
  return { path: given === undefined ? path : followLinks(path), isDefault: given === undefined };
}

/** The command that continues. It names the file of the token; the variable is set, or not. */
function continuingText(path: string | undefined, tokenFile: string | undefined, { server }: ServerContext): string {
  const flag = (name: string, value: string | undefined) => (value === undefined ? "" : ` ${name} ${quoted(value)}`);
  const flags = `${flag("--journal", path)}${flag("--auth-token-file", tokenFile)}`;
  return commandOn(server, `tongs repo import --resume${flags}`);
}

/** Whether a journal is that of an import to the same owner: what it began is known then. */
function isSameImport(header: Entry | undefined, { to }: ImportSettings, server: Server): boolean {
  const kept = header?.["command"] as Partial<ImportSettings> | undefined;
  return header?.["host"] === addressText(server.base) && kept?.to === to;
}

/** The origins that an earlier run began, and did not end well. */
function begunIn(lines: readonly Readonly<Record<string, unknown>>[]): Begun {
  const begun = new Map<string, "no answer" | "failure">();
  for (const { begin, failed, end } of lines) {
    if (typeof begin === "string") begun.set(begin, "no answer");
    if (typeof failed === "string") begun.set(failed, "failure");
    if (typeof end === "string") begun.delete(end);
  }
  return begun;
}

/** Throws a usage error for another user than the one the import began as. */
function requireSudo({ sudo }: ImportSettings, given: string | undefined, continuing: string): void {
  if (sudo?.toLowerCase() === given?.toLowerCase()) return;
  const began = sudo === undefined ? "without --sudo" : `with --sudo ${sudo}`;
  const hint = given === undefined ? `Run: ${continuing} --sudo ${sudo}` : `Run it ${began}.`;
  throw new UsageError(`This import was started ${began}`, hint);
}

/** Throws if the token for the source may not read issues: the server would fail in the middle of the migration. */
async function requireItems(plan: readonly Item[], { items, mirror }: ImportSettings, source: Source): Promise<void> {
  const ofIssues = ["issues", "pull_requests", "labels", "milestones"].filter((item) => items.includes(item));
  const next = plan.find(({ row, wanted }) => ["import", "finish"].includes(row.action) && wanted !== undefined);
  if (mirror || ofIssues.length === 0 || next?.wanted === undefined) return;
  await source.requireIssues(next.wanted.address);
}

async function printPlan(
  plan: readonly Item[],
  settings: ImportSettings,
  { out }: BaseContext,
): Promise<ExitName | undefined> {
  const rows = plan.map(({ row }) => row);
  await out.list(rows, outcomeColumns, { unlimited: true });
  noteUncompared(rows, settings, out);
  out.note(`Plan: ${countText(rows) || "nothing to import"}; nothing was changed.`);
  return undefined;
}

/** Says what of earlier copies is not compared, as nothing but the lists of repositories is read. */
function noteUncompared(rows: readonly Outcome[], settings: ImportSettings, out: BaseContext["out"]): void {
  const parts = uncompared(settings);
  if (parts.length > 0 && rows.some(({ action }) => action === "unchanged"))
    out.note(`Not compared, of what was imported before: ${parts.join(", ")}.`);
}

function isToDo({ row }: Item): boolean {
  return ["import", "finish", "archive", "conflict"].includes(row.action);
}
