import type { BatchItem } from "../../../app/batch.ts";
import type { BaseContext, ServerContext } from "../../../app/context.ts";
import type { JournalFile } from "../../../app/rows/journal-file.ts";
import { Failure, withHint } from "../../../failure/failure.ts";
import type { MigrateRepoOptions } from "../../../forge/generated/operations.ts";
import { call } from "../../../forge/operation.ts";
import { editRepo, repoMigrate } from "../../../forge/repo-settings.ts";
import { type Repository, repoDelete, repoGet } from "../../../forge/repos.ts";
import { HttpError, ifFound } from "../../../http/errors.ts";
import { mayHaveActed } from "../../../http/no-answer-error.ts";
import type { Bar } from "../../../output/bars.ts";
import { accountLabel, commandOn } from "../../../profiles/server.ts";
import { fullName, parseRepo, type RepoName } from "../../../repo/repo-name.ts";
import { quoted } from "../../../text/words.ts";
import { originOf } from "./at-source.ts";
import { compareWhole, countsOf } from "./compare.ts";
import { ownWork } from "./own-work.ts";
import { gone, type Item, isIncomplete, mirrorsStay, type Outcome } from "./plan.ts";
import { isPrivateAddress } from "./private-address.ts";
import type { ImportSettings } from "./settings.ts";
import type { Source, Wanted } from "./source.ts";

type WorkContext = BaseContext & ServerContext;

/** What an import works with. */
export interface ImportJob {
  readonly settings: ImportSettings;
  readonly source: Source;
  /** The token for the source, which the server gets. */
  readonly token: string | undefined;
  /** Whether that is from TONGS_SOURCE_TOKEN, which has to be set to continue. */
  readonly usesVariable: boolean;
  readonly journal: Pick<JournalFile, "add">;
  /** How long to wait for a copy whose answer was lost, in milliseconds. */
  readonly wait: number;
  readonly continuing: string;
  /** The repositories that the server is copying. */
  readonly running: Set<string>;
}

const askMilliseconds = 3000;
/** An answer that takes longer than this is not waited for: the repository is looked at instead. */
const answerMilliseconds = 3_600_000;
/** How often a migration is sent whose answer was lost, if it turns out that nothing came of it. */
const attempts = 3;

/** Why nothing more is sent: what the server said of every address of the source, or that it cannot be reached. */
export interface Refused {
  why?: Failure;
}

/** That nothing is at an address of the list: there is nothing to go on with. */
export class NotAtSource extends Failure {
  constructor({ address }: Wanted, source: Source, removed: string | undefined) {
    const hint = "Correct or remove its line, and run with --list again when the others are done.";
    const end = removed === undefined ? "" : `; ${removed} was removed`;
    super("not_found", `${address} ${gone(source)}${end}`, { hint });
  }
}

type JobContext = WorkContext & { readonly refused: Refused };

/** Does what the plan says of a repository. */
export async function workOn(
  item: Item,
  job: ImportJob,
  context: JobContext & { readonly bar: (name: string) => Bar },
): Promise<BatchItem> {
  const { server, refused } = context;
  const { row, wanted } = item;
  const target = parseRepo(row.repository);
  if (row.action === "conflict") throw new Failure("exists", row.reason ?? "");
  if (row.action === "archive") return archiveVanished(row, target, job, context);
  if (wanted === undefined || !["import", "finish"].includes(row.action))
    return { message: undefined, record: row, unchanged: true };
  if (refused.why !== undefined) throw refused.why;
  const bar = context.bar(row.repository);
  const origin = originOf(wanted.address);
  job.running.add(row.repository);
  try {
    bar.doing("waiting");
    if (item.isGone === true || (item.existing === undefined && (await job.source.isGone(wanted.address)))) {
      const left = item.existing?.full_name;
      if (left !== undefined) await removeIncomplete(wanted, target, job, context);
      throw new NotAtSource(wanted, job.source, left);
    }
    const { there, isWhole } = await settled(item, wanted, job, context);
    const whole = isWhole ? there : undefined;
    if (whole === undefined) {
      bar.doing("copying");
      if (there !== undefined) await removeIncomplete(wanted, target, job, context);
      await job.journal.add({ begin: origin });
    }
    const { made, byAnother } =
      whole === undefined ? await migrate(wanted, target, job, context) : { made: whole, byAnother: false };
    const isLeft = wanted.archived && job.settings.mirror;
    if (wanted.archived && !isLeft && made.archived !== true) await archive(target, context);
    const action = row.action === "finish" && whole !== undefined ? "finished" : "imported";
    await job.journal.add({ end: origin, action });
    const record: Outcome = {
      source: row.source,
      repository: made.full_name,
      action,
      private: made.private === true,
      archived: wanted.archived && !isLeft,
      ...(isLeft ? { reason: mirrorsStay } : {}),
    };
    if (byAnother) {
      const message = `${made.full_name} was imported from ${row.source} by another process`;
      const reason = "was imported by another process";
      return { message, unchanged: true, record: { ...record, action: "unchanged", reason } };
    }
    const did = action === "finished" ? "Finished" : "Imported";
    const message = `${did} ${row.source} to ${made.full_name} ${accountLabel(server)}`;
    return { message: isLeft ? `${message}; ${mirrorsStay}` : message, prints: made.html_url, record };
  } finally {
    bar.end();
    // What the server may go on to copy after an interruption stays named.
    if (!context.system.signal.aborted) job.running.delete(row.repository);
  }
}

/** The body of the migration. */
function bodyOf(wanted: Wanted, target: RepoName, { settings, source, token }: ImportJob): MigrateRepoOptions {
  const { items, mirror, mirror_interval } = settings;
  return {
    clone_addr: wanted.address,
    repo_name: target.name,
    repo_owner: target.owner,
    service: source.service as NonNullable<MigrateRepoOptions["service"]>,
    private: wanted.private,
    ...Object.fromEntries(items.filter((name) => !wanted.lacks.includes(name)).map((name) => [name, true])),
    ...(mirror ? { mirror } : {}),
    ...(wanted.description === "" ? {} : { description: wanted.description }),
    ...(mirror_interval === undefined ? {} : { mirror_interval }),
    ...(token === undefined ? {} : { auth_token: token }),
  };
}

/**
 * Sends the migration, whose answer arrives when the copy is done. If that is lost, waits for the copy; sends it again only if
 * there is no repository.
 */
async function migrate(
  wanted: Wanted,
  target: RepoName,
  job: ImportJob,
  context: JobContext,
): Promise<{ readonly made: Repository; readonly byAnother: boolean }> {
  const { http, options, system } = context;
  const timeout = options.timeout === undefined ? answerMilliseconds : undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const made = await call(http, repoMigrate, {}, bodyOf(wanted, target, job), { timeout });
      return { made, byAnother: false };
    } catch (error) {
      system.signal.throwIfAborted();
      const isTaken = error instanceof HttpError && error.exchange.status === 409;
      if (!mayHaveActed(error) && !isTaken) {
        // What the server answered is over: it is not waited for.
        await job.journal.add({ failed: originOf(wanted.address) });
        throw await explained(error, { wanted, target, job }, context);
      }
      const found = await appears(target, isTaken ? 1 : attempts, context);
      if (found === undefined) {
        if (isTaken) throw withHint(error, filesLeft(target, context.server));
        if (attempt === attempts) throw error;
        continue;
      }
      if (originOf(found.original_url ?? "") !== originOf(wanted.address)) throw error;
      // Refused the first time: another process was faster.
      return { made: await completed(wanted, target, job, context), byAnother: isTaken && attempt === 1 };
    }
  }
}

/** What is to be done where a name is taken, but by no repository: the server was ended while it deleted one. */
function filesLeft(target: RepoName, server: WorkContext["server"]): string {
  const name = quoted(fullName(target));
  const deletion = commandOn(server, `tongs admin unadopted delete ${name}`);
  return `Files of a repository that was deleted are left. An administrator of the server can delete them: ${deletion}`;
}

/** Looks for a repository some times, as the server creates it a moment after the request arrived. */
async function appears(
  target: RepoName,
  looks: number,
  { http, system }: WorkContext,
): Promise<Repository | undefined> {
  for (let look = 1; ; look += 1) {
    const found = await ifFound(call(http, repoGet, { repo: target }));
    if (found !== undefined || look === looks) return found;
    await system.sleep(askMilliseconds);
  }
}

/**
 * Waits until a repository has what is asked for. Throws a `migration_failed` failure if the server does not go on to copy it,
 * and a `migration_pending` one if it takes too long.
 */
async function completed(
  wanted: Wanted,
  target: RepoName,
  { settings, source, wait, continuing }: Pick<ImportJob, "settings" | "source" | "wait" | "continuing">,
  { http, system }: WorkContext,
): Promise<Repository> {
  for (let waited = 0; ; waited += askMilliseconds) {
    const found = await ifFound(call(http, repoGet, { repo: target }));
    if (found === undefined) throw new Failure("migration_failed", `The server deleted ${fullName(target)} again`);
    const { isWhole, isOver, missing } = await compareWhole(wanted, found, { settings, source }, countsOf(http, found));
    if (isWhole) return found;
    if (isOver === true)
      throw new Failure("migration_failed", `${fullName(target)} is incomplete: ${missing}`, {
        hint: `To remove it and import it again, run: ${continuing}`,
      });
    if (waited >= wait) {
      const hint = `The server may still be copying it. Later, run: ${continuing}`;
      throw new Failure("migration_pending", `${fullName(target)} is still incomplete after ${wait / 1000} s`, {
        hint,
      });
    }
    await system.sleep(askMilliseconds);
  }
}

/** Explains why a migration was refused, or what is left of one that failed. */
async function explained(
  error: unknown,
  { wanted, target, job }: { readonly wanted: Wanted; readonly target: RepoName; readonly job: ImportJob },
  { http, refused }: JobContext,
): Promise<unknown> {
  if (!(error instanceof HttpError)) return error;
  const left = await ifFound(call(http, repoGet, { repo: target })).catch(() => undefined);
  if (left !== undefined) {
    const hint = `${fullName(target)} is incomplete. To remove it and import it again, run: ${job.continuing}`;
    return withHint(error, hint);
  }
  if (error.exchange.status !== 422 || !(await isPrivateAddress(wanted.address))) return error;
  const { host } = new URL(wanted.address);
  const setting = "ALLOW_LOCALNETWORKS = true, or ALLOWED_DOMAINS, under [migrations] in its app.ini";
  const why = withHint(error, `${host} is in a private network. A server refuses those unless it has ${setting}.`);
  // The others are not sent, and say only that.
  const before = refused.why;
  refused.why = new Failure(error.code, `Not imported: the server refuses addresses of ${host}`);
  return before ?? why;
}

/** Whether something incomplete was created so lately that the server may still be copying it. */
export function isYoung(item: Item, { wait }: Pick<ImportJob, "wait">, context: Pick<BaseContext, "system">): boolean {
  return isIncomplete(item) && item.isOver !== true && item.isGone !== true && ageOf(item, context) < wait;
}

/** For how long something has been there, in milliseconds. */
function ageOf({ existing }: Item, { system }: Pick<BaseContext, "system">): number {
  return system.now().getTime() - Date.parse(existing?.created_at ?? "");
}

/** What is there of a repository, after the time in which the server may still be copying it. */
interface Settled {
  readonly there: Repository | undefined;
  readonly isWhole: boolean;
}

/** Waits for what the server may still be copying, as long as it is young. */
async function settled(item: Item, wanted: Wanted, job: ImportJob, context: WorkContext): Promise<Settled> {
  const { existing: there, isWhole = false } = item;
  if (!isYoung(item, job, context)) return { there, isWhole };
  const wait = Math.min(job.wait, job.wait - ageOf(item, context));
  try {
    return { there: await completed(wanted, parseRepo(item.row.repository), { ...job, wait }, context), isWhole: true };
  } catch (error) {
    // What the server deleted meanwhile is looked for again.
    if (error instanceof Failure && ["migration_failed", "migration_pending"].includes(error.code))
      return { there, isWhole: false };
    throw error;
  }
}

/** Deletes what is left of a migration. Throws if it was finished meanwhile, is another repository, or somebody works in it. */
async function removeIncomplete(
  wanted: Wanted,
  target: RepoName,
  { settings, source }: ImportJob,
  { http, server }: WorkContext,
): Promise<void> {
  const found = await ifFound(call(http, repoGet, { repo: target }));
  if (found === undefined) return;
  const isOther = originOf(found.original_url ?? "") !== originOf(wanted.address);
  const countHere = countsOf(http, found);
  if (isOther || (await compareWhole(wanted, found, { settings, source }, countHere)).isWhole)
    throw new Failure("refused", `${fullName(target)} is not incomplete any more. Run the same command again`);
  const work = await ownWork(wanted, found, settings, source, { http, user: server.user, countHere });
  if (work !== undefined) {
    const deletion = commandOn(server, `tongs repo delete ${quoted(fullName(target))}`);
    throw new Failure(
      "refused",
      `${fullName(target)} was not removed: it has content that the source does not have (${work})`,
      {
        hint: `To import it again without that, delete it: ${deletion}`,
      },
    );
  }
  await call(http, repoDelete, { repo: target });
}

/** Archives a repository; if the answer is lost, looks whether it was, and tries again. */
async function archive(target: RepoName, { http, system }: WorkContext): Promise<Repository> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await editRepo(http, target, { archived: true });
    } catch (error) {
      system.signal.throwIfAborted();
      if (!mayHaveActed(error) || attempt === attempts) throw error;
      const found = await call(http, repoGet, { repo: target });
      if (found.archived === true) return found;
    }
  }
}

async function archiveVanished(
  row: Outcome,
  target: RepoName,
  { source }: ImportJob,
  context: WorkContext,
): Promise<BatchItem> {
  if ((await source.find(row.source)) !== undefined)
    throw new Failure("refused", `${row.source} is at the source again. Run the same command again`);
  const archived = await archive(target, context);
  return {
    message: `Archived ${archived.full_name} ${accountLabel(context.server)}`,
    prints: archived.html_url,
    record: { ...row, action: "archived", archived: true },
  };
}
