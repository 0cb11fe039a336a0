import { existsSync, rmSync } from "node:fs";
import { batch } from "../../app/batch.ts";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { readSecretFile } from "../../app/input.ts";
import { completeLines, openJournalFile, refuseUnfinished, unwrittenJournalFile } from "../../app/rows/journal-file.ts";
import { optional } from "../../command/args.ts";
import type { ExitName } from "../../failure/exit-codes.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { repoMigrate } from "../../forge/repo-settings.ts";
import { repoDelete, userRepoList } from "../../forge/repos.ts";
import { repositorySettingsGet } from "../../forge/server.ts";
import { ifFound } from "../../http/errors.ts";
import { bars } from "../../output/bars.ts";
import { addressText } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";
import { fullPath } from "../../system/files.ts";
import { lock } from "../../system/lock.ts";
import { quoted } from "../../text/words.ts";
import { importFlags, resumed, settingsOf } from "./import/flags.ts";
import { type Begun, countText, type Item, isComplete, outcome, outcomeColumns, planImport } from "./import/plan.ts";
import type { ImportSettings } from "./import/settings.ts";
import { readSource } from "./import/source.ts";
import { type ImportJob, settle, workOn } from "./import/work.ts";

const writer = { by: "tongs repo import", noun: "import" } as const;

/** `tongs repo import`: POST /repos/migrate for each repository of an owner elsewhere that is not here yet. */
export const importRepos = defineCommand({
  summary: "Import all repositories of an owner on another server",
  details:
    "SOURCE is the address of a user, an organization or a group: https://github.com/acme. The server copies the " +
    "repositories itself, and needs to reach the source. Visibility, description and being archived are kept. The token " +
    "for the source, if it needs one, is that of TONGS_SOURCE_TOKEN or --auth-token-file; the server gets it.\n\nRun again, it " +
    "imports only what is new: a repository knows by its original_url where it is from. A name that is taken by another " +
    "repository is a conflict, which is named and left alone. What is not at the source any more is named, and archived with " +
    "--prune, never deleted. --plan shows all of it. What is under way is in a journal: after a crash or Ctrl-C, --resume " +
    "finishes what was begun. The server goes on to copy meanwhile, so that is waited for; what stays incomplete is removed, " +
    "after asking, and imported again.",
  on: "server",
  fieldsOf: repoMigrate,
  effect: "destroy",
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
      const lines = given.resume && existsSync(path) ? completeLines(path, writer) : [];
      if (given.resume && lines.length === 0) throw new UsageError(`Journal ${path} not found`);
      const settings = given.resume
        ? resumed(context.args.source, given, { header: lines[0], path, server })
        : await settingsOf(context.args.source, given, context);
      const continuing = continuingText(path, isDefault, context);
      if (writes && !given.resume) refuseUnfinished(path, writer, continuing);
      if (given.prune && settings.source === undefined)
        throw new UsageError("--prune needs the address of an owner, not --list");
      const token = await sourceToken(given.authTokenFile, system);
      const source = await readSource(settings, token, context);
      const plan = planImport(source, await reposHere(settings.to, context), {
        settings,
        begun: begunIn(lines),
        prune: given.prune,
      });
      if (given.plan) return await printPlan(plan, context);
      noteVanished(plan, context);
      const job = { settings, source, token, wait: (given.wait ?? 600) * 1000, continuing, running: new Set<string>() };
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
  if (!plan.some(isToDo) && !resume) return nothingToDo(plan, context);
  const settled = await settle(plan, job, context);
  await confirm(settled, job.settings, context);
  const about = { ...writer, hash: "", host: addressText(server.base), resume, kept: job.settings, now: system.now };
  const journal = options.dryRun ? unwrittenJournalFile(path, about) : openJournalFile(path, about);
  let failed = 0;
  try {
    if (!plan.some(isToDo)) return await nothingToDo(plan, context);
    const progress = await bars({ system, out, quiet: options.quiet });
    const inside = { ...context, bar: progress.add, refused: {} };
    const work = async (item: Item) => {
      try {
        return await workOn(item, { ...job, journal }, inside);
      } catch (error) {
        if (item.row.action !== "conflict") failed += 1;
        throw error;
      }
    };
    const name = ({ row }: Item) => row.source;
    return await batch(out.records ? settled : settled.filter(isToDo), work, context, { jobs, name });
  } finally {
    const isDone = failed === 0 && !system.signal.aborted;
    if (isDone) await journal.finish();
    journal.close();
    if (isDone && isDefault && !options.dryRun) rmSync(path, { force: true });
    if (!isDone && !options.dryRun) noteUnfinished(job, context);
  }
}

async function nothingToDo(plan: readonly Item[], { out }: BaseContext): Promise<undefined> {
  const rows = plan.map(({ row }) => row);
  const why = countText(rows) || "the source has no such repositories";
  await out.done(`Nothing to import: ${why}`, { record: rows, unchanged: true });
}

function journalPath(given: string | undefined, { system }: BaseContext) {
  return { path: fullPath(given ?? "repo-import.journal", system), isDefault: given === undefined };
}

function continuingText(path: string, isDefault: boolean, { options }: BaseContext): string {
  const flag = (name: string, value: string | undefined) => (value === undefined ? [] : [name, quoted(value)]);
  return [
    ...["tongs", "repo", "import", "--resume"],
    ...flag("--journal", isDefault ? undefined : path),
    ...flag("--profile", options.profile),
    ...flag("--host", options.host),
  ].join(" ");
}

/** The token for the source: of a file, or the environment. Throws a usage error if it is not one. */
async function sourceToken(file: string | undefined, system: BaseContext["system"]): Promise<string | undefined> {
  const token = (await readSecretFile("--auth-token-file", file, system)) ?? system.env["TONGS_SOURCE_TOKEN"];
  const trimmed = token?.trim();
  if (!trimmed) return undefined;
  if (!/^[\x21-\x7e]+$/.test(trimmed))
    throw new UsageError(
      `The token ${file === undefined ? "in TONGS_SOURCE_TOKEN" : "for the source"} has a character that no token has`,
    );
  return trimmed;
}

/** What the owner has on the server. Throws if there is no such owner, or the server migrates nothing. */
async function reposHere(owner: string, { http, server }: ServerContext) {
  const [settings, found] = await Promise.all([
    call(http, repositorySettingsGet, {}),
    ifFound(collect(call(http, userRepoList, { username: owner }))),
  ]);
  if (settings.migrations_disabled === true)
    throw new Failure("refused", `Migrations are turned off on ${addressText(server.base)}`, {
      hint: "Its administrator can set DISABLE_MIGRATIONS = false under [repository] in its app.ini.",
    });
  if (found !== undefined) return found;
  throw new Failure("not_found", `${addressText(server.base)} has no user or organization '${owner}'`, {
    hint: `To create an organization, run: tongs org create ${quoted(owner)}`,
  });
}

/** The origins that an earlier run began, and did not end well. */
function begunIn(lines: readonly Readonly<Record<string, unknown>>[]): Begun {
  const begun = new Set<string>();
  for (const { begin, end } of lines) {
    if (typeof begin === "string") begun.add(begin);
    if (typeof end === "string") begun.delete(end);
  }
  return begun;
}

async function printPlan(plan: readonly Item[], { out }: BaseContext): Promise<ExitName | undefined> {
  const rows = plan.map(({ row }) => row);
  await out.list(rows, outcomeColumns, { unlimited: true });
  out.note(`Plan: ${countText(rows) || "nothing to import"}; nothing was changed.`);
  return undefined;
}

function isToDo({ row }: Item): boolean {
  return row.action !== "unchanged" && row.action !== "vanished";
}

function noteUnfinished(
  { running, continuing }: Pick<ImportJob, "running" | "continuing">,
  { out, system }: BaseContext,
) {
  const isInterrupted = system.signal.aborted;
  if (isInterrupted && running.size > 0) out.note(`The server goes on to copy ${[...running].join(", ")}`);
  out.note(`${isInterrupted ? "Interrupted. To continue" : "To try again"}, run: ${continuing}`);
}

function noteVanished(plan: readonly Item[], { out }: BaseContext): void {
  const names = plan.flatMap(({ row }) => (row.action === "vanished" ? [row.repository] : []));
  if (names.length > 0) out.note(`Not at the source any more: ${names.join(", ")}. --prune archives them.`);
}

/** Asks before anything is removed, or archived. */
async function confirm(
  plan: readonly Item[],
  settings: ImportSettings,
  { prompt, out, server }: BaseContext & ServerContext,
) {
  const incomplete = plan.filter(
    ({ wanted, existing, row }) =>
      row.action === "finish" &&
      wanted !== undefined &&
      existing !== undefined &&
      !isComplete(wanted, existing, settings),
  );
  const archived = plan.filter(({ row }) => row.action === "archive");
  const names = (chosen: readonly Item[]) => chosen.map(({ row }) => row.repository).join(", ");
  const where = `on ${addressText(server.base)}`;
  const count = (chosen: readonly Item[]) => (chosen.length === 1 ? "1 repository" : `${chosen.length} repositories`);
  if (incomplete.length > 0) {
    out.note(`Incomplete: ${names(incomplete)}`);
    await prompt.confirmAction({ what: `Remove ${count(incomplete)} ${where} and import again`, sends: repoDelete });
  }
  if (archived.length > 0) {
    out.note(`Not at the source any more: ${names(archived)}`);
    await prompt.confirmAction({ what: `Archive ${count(archived)} ${where}`, sends: undefined });
  }
}
