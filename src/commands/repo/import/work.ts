import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import type { BaseContext, ServerContext } from "../../../app/context.ts";
import type { Made } from "../../../app/plan.ts";
import { Failure, withHint } from "../../../failure/failure.ts";
import type { MigrateRepoOptions } from "../../../forge/generated/operations.ts";
import { call, find } from "../../../forge/operation.ts";
import { editRepo, repoMigrate } from "../../../forge/repo-settings.ts";
import { type Repository, repoGet } from "../../../forge/repos.ts";
import { HttpError } from "../../../http/errors.ts";
import { mayHaveActed } from "../../../http/no-answer-error.ts";
import type { Bar } from "../../../output/bars.ts";
import { asFailure } from "../../../output/report-failure.ts";
import { commandOn } from "../../../profiles/server.ts";
import { fullName, parseRepo, type RepoName } from "../../../repo/repo-name.ts";
import { quoted } from "../../../text/words.ts";
import { originOf } from "./at-source.ts";
import { compareWhole, uncomparable, whole } from "./compare.ts";
import { type Item, mirrorsStay, type Outcome } from "./plan.ts";
import type { ImportSettings } from "./settings.ts";
import type { Source, Wanted } from "./source.ts";

/** What an import works with. */
export interface ImportJob {
  readonly settings: ImportSettings;
  readonly source: Source;
  /** The token for the source, which the server gets. */
  readonly token: string | undefined;
  /** How long to wait for a copy whose answer was lost, in milliseconds. */
  readonly wait: number;
  /** The repositories that the server is copying. */
  readonly running: Set<string>;
  /** Why nothing more is sent: what the server said of every address of the source, or that it cannot be reached. */
  readonly refused: { why?: Failure };
  readonly bar: (name: string) => Bar;
}

type WorkContext = BaseContext & ServerContext;

const askMilliseconds = 3000;
/** An answer that takes longer than this is not waited for: the repository is looked at instead. */
const answerMilliseconds = 3_600_000;
/** How often a migration is sent whose answer was lost, if it turns out that nothing came of it. */
const attempts = 3;

/** Does what the plan says of a repository. */
export async function workOn(item: Item, job: ImportJob, context: WorkContext): Promise<Made<Outcome>> {
  const { row, wanted } = item;
  const target = parseRepo(row.repository);
  if (row.action === "archive") return archiveVanished(row, target, job, context);
  if (wanted === undefined) return { unchanged: true };
  const { why } = job.refused;
  if (why !== undefined) throw new Failure(why.code, `not tried: ${why.message}`);
  const bar = job.bar(row.repository);
  job.running.add(row.repository);
  try {
    bar.doing(row.action === "wait" ? "waiting" : "copying");
    const made = await (row.action === "wait" ? completed : migrate)(wanted, target, job, context);
    const isMirror = wanted.archived && job.settings.mirror;
    if (wanted.archived && !isMirror && made.archived !== true)
      await editRepo(context.http, target, { archived: true });
    const message = `Imported ${row.source} to ${made.full_name}`;
    return {
      message: isMirror ? `${message}; ${mirrorsStay}` : message,
      prints: made.html_url,
      row: {
        repository: made.full_name,
        action: "imported",
        private: made.private === true,
        archived: wanted.archived && !isMirror,
        ...(isMirror ? { reason: mirrorsStay } : {}),
      },
    };
  } catch (error) {
    const failure = asFailure(error);
    if (failure.code === "unreachable" || failure.code === "not_signed_in") job.refused.why ??= failure;
    if (!(error instanceof UnknownCopy)) throw error;
    return { failure: error, row: { action: "unknown", reason: error.message } };
  } finally {
    bar.end();
    // What the server may go on to copy after an interruption stays named.
    if (!context.system.signal.aborted) job.running.delete(row.repository);
  }
}

/** A copy of which it is not known that it is complete, with the command that deletes it. */
export class UnknownCopy extends Failure {
  constructor(repository: string, why: string, { server }: Pick<ServerContext, "server">) {
    const deletion = commandOn(server, `tongs repo delete ${quoted(repository)}`);
    const hint = `To import it again, delete it, and run the same command again: ${deletion}`;
    super("migration_unknown", `${repository} ${why}`, { hint });
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
 * Sends the migration, whose answer arrives when the copy is done. If that is lost, waits until the copy compares as complete;
 * sends it again only if there is no repository.
 */
async function migrate(wanted: Wanted, target: RepoName, job: ImportJob, context: WorkContext): Promise<Repository> {
  const { http, options, system } = context;
  const timeout = options.timeout === undefined ? answerMilliseconds : undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call(http, repoMigrate, {}, bodyOf(wanted, target, job), { timeout });
    } catch (error) {
      system.signal.throwIfAborted();
      const isTaken = error instanceof HttpError && error.exchange.status === 409;
      if (!mayHaveActed(error) && !isTaken) throw await explained(error, { wanted, target, job }, context);
      const found = await appears(target, isTaken ? 1 : attempts, context);
      if (found === undefined) {
        if (isTaken) throw withHint(error, filesLeft(target, context.server));
        if (attempt === attempts) throw error;
        continue;
      }
      if (originOf(found.original_url ?? "") !== originOf(wanted.address)) throw error;
      return await completed(wanted, target, job, context);
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
    const found = await find(http, repoGet, { repo: target });
    if (found !== undefined || look === looks) return found;
    await system.sleep(askMilliseconds);
  }
}

/** Waits until a copy compares as complete with the source. Throws an `UnknownCopy` if it takes too long. */
async function completed(
  wanted: Wanted,
  target: RepoName,
  { settings, source, wait }: ImportJob,
  context: WorkContext,
): Promise<Repository> {
  const { http, system } = context;
  for (let waited = 0; ; waited += askMilliseconds) {
    const found = await find(http, repoGet, { repo: target });
    if (found === undefined)
      throw new Failure("migration_failed", `The server deleted ${fullName(target)} again`, {
        hint: "To import it, run the same command again.",
      });
    const lack = await compareWhole(wanted, found, { settings, source }, http);
    if (lack === whole) return found;
    if (waited >= wait || lack === uncomparable)
      throw new UnknownCopy(fullName(target), `is not known to be complete: ${lack}`, context);
    await system.sleep(askMilliseconds);
  }
}

/** Explains why a migration was refused, or what is left of one that failed. */
async function explained(
  error: unknown,
  { wanted, target, job }: { readonly wanted: Wanted; readonly target: RepoName; readonly job: ImportJob },
  context: WorkContext,
): Promise<unknown> {
  if (!(error instanceof HttpError)) return error;
  const left = await find(context.http, repoGet, { repo: target }).catch(() => undefined);
  if (left !== undefined)
    return new UnknownCopy(fullName(target), `is not known to be complete: ${error.message}`, context);
  if (error.exchange.status !== 422 || !/(disallowed|blocked) hosts/i.test(error.message)) return error;
  if (!(await isPrivateAddress(wanted.address))) return error;
  const { host } = new URL(wanted.address);
  const setting = "ALLOW_LOCALNETWORKS = true, or ALLOWED_DOMAINS, under [migrations] in its app.ini";
  const why = withHint(error, `${host} is in a private network. A server refuses those unless it has ${setting}.`);
  // The others are not sent.
  job.refused.why ??= new Failure(error.code, `the server refuses addresses of ${host}`);
  return why;
}

async function archiveVanished(
  row: Outcome,
  target: RepoName,
  { source }: ImportJob,
  context: WorkContext,
): Promise<Made<Outcome>> {
  if ((await source.find(row.source)) !== undefined)
    throw new Failure("refused", `${row.source} is at the source again. Run the same command again`);
  const archived = await editRepo(context.http, target, { archived: true });
  return {
    message: `Archived ${archived.full_name}`,
    prints: archived.html_url,
    row: { action: "archived", archived: true },
  };
}

/** Networks that servers migrate nothing from unless they are told to. */
const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
] as const)
  privateNetworks.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["::1", 128],
  ["fc00::", 7],
  ["fe80::", 10],
] as const)
  privateNetworks.addSubnet(network, prefix, "ipv6");

/** Whether the host of an address is in a private network, or its name leads to one from here. */
async function isPrivateAddress(address: string): Promise<boolean> {
  const host = new URL(address).hostname.replace(/^\[|\]$/g, "");
  const found = isIP(host) > 0 ? [host] : (await lookup(host, { all: true }).catch(() => [])).map((one) => one.address);
  return found.some((one) => privateNetworks.check(one, isIP(one) === 6 ? "ipv6" : "ipv4"));
}
