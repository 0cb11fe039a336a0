import type { RepositoryContext } from "../../../app/context.ts";
import { currentUser, ownerName } from "../../../app/shared.ts";
import type { Level, SettingLevel } from "../../../forge/level.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { repoCheck } from "../../../forge/repos.ts";
import { type Runner, type RunnerFacts, readRunner, runnerList } from "../../../forge/runners.ts";
import { secretList } from "../../../forge/secrets.ts";
import { releaseOf } from "../../../forge/support.ts";
import { variableList } from "../../../forge/variables.ts";
import { DeniedError, NotFoundError, UnknownOperationError } from "../../../http/errors.ts";
import type { Listing } from "../../../http/pages.ts";
import { once } from "../../../system/concurrency.ts";
import type { Product } from "./servers.ts";

/** What the server has, of the repository, of its owner and of the server, each read when it is needed, and once. */
export interface Known {
  /** Undefined if the server says no version. */
  readonly product: Product | undefined;
  readonly runners: Supply<RunnerFacts & { readonly isDisabled: boolean }>;
  /** Names in upper case. */
  readonly secrets: Supply<string>;
  readonly variables: Supply<string>;
}

/** Reads level after level until there is enough. `unread`: why the rest could not be read, if there is a rest. */
export type Supply<T> = (
  isEnough: (found: readonly T[]) => boolean,
) => Promise<{ readonly found: readonly T[]; readonly unread: string | undefined }>;

/** What the server of a repository has. Throws for a credential that it does not take, and for a repository that is not there. */
export async function knownOn(context: RepositoryContext): Promise<Known> {
  const { http, repo } = context;
  const key = () => "";
  const version = await http.version();
  const product = version === undefined ? undefined : releaseOf(version)?.product;
  const repository = async () => ({ of: "repository", repo }) as const;
  const owner = once(key, () => ownerOf(context));
  const upper = ({ name }: { readonly name: string }) => name.toUpperCase();
  /** What lists have, one after the other. Who may not read one may not read those after it, and a sentence says why. */
  const supply = <L extends Level, R, T>(
    what: string,
    levels: readonly (() => Promise<NoInfer<L> | string | undefined>)[],
    list: (level: L) => Listing<R>,
    make: (record: R) => T,
  ): Supply<T> => {
    const read = async (level: L) => {
      try {
        return await collect(list(level));
      } catch (error) {
        if (error instanceof UnknownOperationError) return `this server has no list of ${what}`;
        if (error instanceof DeniedError && error.status !== 401)
          return `the ${what} of ${ownerName(level)} cannot be read (${error.message})`;
        // What is no organization is a user, whose own lists only the user can read.
        const isThere = level.of !== "repository" || (await call(http, repoCheck, { repo }));
        if (!(error instanceof NotFoundError) || !isThere) throw error;
        return level.of === "repository" ? error.message : `the ${what} of ${repo.owner} cannot be read`;
      }
    };
    const reads = levels.map((level) =>
      once(key, async () => {
        const one = await level();
        return typeof one === "object" ? read(one) : (one ?? []);
      }),
    );
    return async (isEnough) => {
      const found: T[] = [];
      for (const next of reads) {
        const records = await next();
        if (typeof records === "string") return { found, unread: records };
        found.push(...records.map(make));
        if (isEnough(found)) break;
      }
      return { found, unread: undefined };
    };
  };
  // On Forgejo, the list of a repository has all that it can use; on Gitea, that of the server those of other repositories, too.
  const onGitea = async (level: () => Promise<Level>) => (product === "forgejo" ? undefined : level());
  const ofRunners = [repository, () => onGitea(owner), () => onGitea(async () => ({ of: "server" }))];
  const organization = async () => {
    const level = await owner();
    return level.of === "user" ? `no server lists the secrets of a user (${repo.owner})` : level;
  };
  type Own = Exclude<SettingLevel, { readonly of: "user" }>;
  const listRunners = (level: Level) => call(http, runnerList, { level, visible: true });
  const facts = (one: Runner) => ({ ...readRunner(one), isDisabled: one.disabled === true });
  return {
    product,
    runners: supply("runners", ofRunners, listRunners, facts),
    secrets: supply("secrets", [repository, organization], (level: Own) => call(http, secretList, { level }), upper),
    variables: supply(
      "variables",
      [repository, owner],
      (level: SettingLevel) => call(http, variableList, { level }),
      upper,
    ),
  };
}

/** The level of the owner: the caller, or what may be an organization, which is found out by reading its lists. */
async function ownerOf(context: RepositoryContext) {
  const { owner } = context.repo;
  const login = await currentUser(context).catch((error: unknown) => {
    if (error instanceof DeniedError && error.status !== 401) return undefined;
    throw error;
  });
  const isOwn = login?.toLowerCase() === owner.toLowerCase();
  return isOwn ? ({ of: "user" } as const) : ({ of: "organization", org: owner } as const);
}
