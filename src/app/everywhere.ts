import { toggle } from "../command/flags.ts";
import type { ExitName } from "../failure/exit-codes.ts";
import { type Failure, UsageError } from "../failure/failure.ts";
import { collect } from "../forge/listings.ts";
import type { Listing } from "../http/pages.ts";
import { asFailure, reportTarget } from "../output/report-failure.ts";
import { type Column, column } from "../output/table.ts";
import { serverOf } from "../profiles/choose.ts";
import { addressText, type Server } from "../profiles/server.ts";
import { optional, string } from "../shape/shape.ts";
import type { BaseContext, ServerContext } from "./context.ts";

/** The flags of lists that can go beyond the current repository. */
export const everywhereFlags = {
  allRepos: toggle("include all repositories you can see"),
  everywhere: toggle("query the servers of all profiles"),
};

/** The key that --everywhere adds to a record. */
export const serverField = { server: optional(string) };

/** The keys that --everywhere adds to a record that belongs to an account. */
export const accountFields = { ...serverField, profile: optional(string) };

type Row<T> = T & OnServer;

interface OnServer {
  readonly server: string;
  readonly profile?: string | undefined;
}

const serverColumn = column<OnServer>("SERVER", "server", { flexible: true });
const profileColumn = column<OnServer>("PROFILE", "profile");

interface Everywhere<T> {
  /** The list of one server. */
  readonly list: (context: ServerContext) => Listing<T> | Promise<Listing<T>>;
  /** The time that the rows of all servers are sorted by, newest first. */
  readonly time: (item: T) => string | null | undefined;
  readonly columns: readonly Column<T>[];
  /** Whether what is listed is the account's own: which profile sees it is said, too. */
  readonly ofAccounts?: boolean;
  /** The columns of CSV, if they are not those of the table. */
  readonly csvFields?: readonly string[];
}

/** A server to ask: a profile, or the selected server. */
export interface Target {
  readonly label: string;
  readonly server: () => Server;
}

/**
 * The servers of all profiles, or only the selected one if --profile, --host, TONGS_PROFILE or TONGS_HOST selects it, or
 * there are no profiles. `because`: what asks them.
 */
export async function targetsOf(context: BaseContext, because: string): Promise<readonly Target[]> {
  const { profiles, choose } = context;
  const config = profiles.read();
  const names = Object.keys(config.profiles);
  if (!isOneSelected(context) && names.length > 0) {
    return names.map((name) => ({ label: name, server: () => serverOf(profiles, config, name, because) }));
  }
  const server = await choose();
  return [{ label: server.profile ?? addressText(server.base), server: () => server }];
}

/** Whether a flag or the environment selects a single server. */
export function isOneSelected({ options, system: { env } }: BaseContext): boolean {
  const { profile, host } = options;
  return profile !== undefined || host !== undefined || Boolean(env["TONGS_PROFILE"] || env["TONGS_HOST"]);
}

/**
 * Lists something of every profile at once: a column for the server, newest first. A server that does not answer is named
 * and left out. Returns `partly` if some failed, or the exit name of the first failure if all failed.
 */
export async function listEverywhere<T extends object>(
  { list, time, columns, csvFields, ofAccounts = false }: Everywhere<T>,
  context: BaseContext,
): Promise<ExitName | undefined> {
  const { out, options, system } = context;
  if (options.profile !== undefined || options.host !== undefined) {
    throw new UsageError("Cannot use --profile or --host with --everywhere");
  }
  const targets = await targetsOf(context, "--everywhere");
  const selecting = ["TONGS_PROFILE", "TONGS_HOST"].filter((name) => system.env[name]);
  if (selecting.length > 0 && Object.keys(context.profiles.read().profiles).length > 0) {
    const names = selecting.join(" and ");
    throw new UsageError(`Cannot use --everywhere while ${names} selects one server`, `Unset ${names} first.`);
  }
  const most = options.all ? Number.POSITIVE_INFINITY : (options.limit ?? 30) + 1;

  const ask = async ({
    server: open,
  }: Target): Promise<{ readonly rows: readonly Row<T>[]; readonly failure?: Failure }> => {
    try {
      const connected = await context.connectTo(open());
      const server = addressText(connected.server.base);
      const listing = await list(connected);
      const items = await collect(listing, most);
      const { profile } = connected.server;
      return { rows: items.map((item) => (ofAccounts ? { ...item, server, profile } : { ...item, server })) };
    } catch (error) {
      if (system.signal.aborted) throw error;
      return { rows: [], failure: asFailure(error) };
    }
  };
  const answers = await Promise.all(targets.map(ask));
  const rows = withoutRepeats(answers.flatMap((answer) => answer.rows));
  const at = (row: T) => Date.parse(time(row) ?? "") || 0;
  const sorted = [...rows].sort((one, other) => at(other) - at(one));
  const shown = [serverColumn, ...(ofAccounts ? [profileColumn] : []), ...columns];
  const failed = answers.flatMap(({ failure }, index) =>
    failure ? [{ failure, name: targets[index]?.label ?? "" }] : [],
  );
  if (failed.length === 0 || targets.length > 1)
    await out.list(listingOf(sorted), shown, csvFields && { csvFields: ["server", ...csvFields] });
  for (const { failure, name } of failed) reportTarget(name, failure, { out, system });
  const [first] = failed;
  return failed.length === targets.length ? first?.failure.exit : first && "partly";
}

/** Rows, each once: several profiles, for several accounts, can be on one server. */
function withoutRepeats<T extends { readonly server: string }>(rows: readonly T[]): T[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    if (!("id" in row)) return true;
    const key = `${row.server} ${row.id}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Items that were read already, of a list whose total is unknown. */
export function listingOf<T>(items: readonly T[]): Listing<T> {
  return {
    async *take(limit) {
      yield* items.slice(0, limit);
    },
    total: undefined,
  };
}
