import type { RepositoryContext } from "../../../app/context.ts";
import { currentUser, ownerName } from "../../../app/shared.ts";
import type { Level } from "../../../forge/level.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { repoCheck } from "../../../forge/repos.ts";
import { type RunnerFacts, readRunner, runnerList } from "../../../forge/runners.ts";
import { secretList } from "../../../forge/secrets.ts";
import { releaseOf } from "../../../forge/support.ts";
import { variableList } from "../../../forge/variables.ts";
import { DeniedError, NotFoundError, UnknownOperationError } from "../../../http/errors.ts";
import type { Listing } from "../../../http/pages.ts";
import type { Product } from "./servers.ts";

/** What the server has, of the repository, of its owner and of the server, each read when it is needed, and once. */
export interface Known {
  /** Undefined without a server, or if it says no version. */
  readonly product: () => Promise<Product | undefined>;
  readonly runners: Supply<RunnerFacts & { readonly isDisabled: boolean }>;
  /** Names in upper case. */
  readonly secrets: Supply<string>;
  readonly variables: Supply<string>;
}

/** What was read until there was enough, and why the rest could not be read, if there is a rest. */
interface Read<T> {
  readonly found: readonly T[];
  readonly unread: string | undefined;
}

/** Reads level after level until there is enough. */
export type Supply<T> = (isEnough: (found: readonly T[]) => boolean) => Promise<Read<T>>;

/** A level of a supply: what it has, or why that cannot be read. */
type LevelRead<T> = readonly T[] | string;

/** What the server of a repository has. */
export function knownOn(context: RepositoryContext): Known {
  const { http, repo, server } = context;
  const repository: Level = { of: "repository", repo };
  let asked: Promise<Product | undefined> | undefined;
  const product = () => {
    asked ??= http.version().then((version) => (version === undefined ? undefined : releaseOf(version)?.product));
    return asked;
  };
  let owner: Promise<Level> | undefined;
  const ownerLevel = () => {
    owner ??= ownerOf(context);
    return owner;
  };
  const get = async <T>(what: string, level: Level, listing: () => Listing<T>): Promise<LevelRead<T>> => {
    try {
      return await collect(listing());
    } catch (error) {
      const where = ownerName(level);
      await throwIfNothingCanBeRead(error, context, level);
      if (error instanceof DeniedError) return `the ${what} of ${where} cannot be read (${error.message})`;
      if (error instanceof UnknownOperationError) return `this server has no list of ${what}`;
      if (error instanceof NotFoundError) {
        // What is no organization is a user, whose own lists only the user can read.
        return level.of === "repository" ? error.message : `the ${what} of ${repo.owner} cannot be read`;
      }
      throw error;
    }
  };
  const runnersOf = async (level: Level) => {
    const all = await get("runners", level, () => call(http, runnerList, { level, visible: true }));
    return typeof all === "string"
      ? all
      : all.map((one) => ({ ...readRunner(one), isDisabled: one.disabled === true }));
  };
  const namesOf = async (what: string, level: Level, listing: () => Listing<{ readonly name: string }>) => {
    const all = await get(what, level, listing);
    return typeof all === "string" ? all : all.map(({ name }) => name.toUpperCase());
  };
  return {
    product,
    runners: supply([
      () => runnersOf(repository),
      // On Forgejo, the list of a repository has all that it can use.
      async () => ((await product()) === "forgejo" ? [] : runnersOf(await ownerLevel())),
      // Gitea lists those of other repositories there, too, and does not tell which these are.
      async () => ((await product()) === "forgejo" ? [] : runnersOf({ of: "server" })),
    ]),
    secrets: supply([
      () => namesOf("secrets", repository, () => call(http, secretList, { level: { of: "repository", repo } })),
      async () => {
        const level = await ownerLevel();
        if (level.of !== "organization") return `no server lists the secrets of a user (${server.user ?? repo.owner})`;
        return namesOf("secrets", level, () => call(http, secretList, { level }));
      },
    ]),
    variables: supply([
      () => namesOf("variables", repository, () => call(http, variableList, { level: { of: "repository", repo } })),
      async () => {
        const level = await ownerLevel();
        if (level.of !== "organization" && level.of !== "user") return [];
        return namesOf("variables", level, () => call(http, variableList, { level }));
      },
    ]),
  };
}

/** Throws the error of a credential that the server does not take, and of a repository that is not there. */
async function throwIfNothingCanBeRead(
  error: unknown,
  { http, repo }: Pick<RepositoryContext, "http" | "repo">,
  level?: Level,
): Promise<void> {
  if (error instanceof DeniedError && error.status === 401) throw error;
  const isMissing = error instanceof NotFoundError && level?.of === "repository";
  if (isMissing && !(await call(http, repoCheck, { repo }))) throw error;
}

/** The level of the owner: the caller, or what may be an organization, which is found out by reading its lists. */
async function ownerOf(context: RepositoryContext): Promise<Level> {
  const { owner } = context.repo;
  const login = await currentUser(context).catch((error: unknown) => {
    if (error instanceof DeniedError && error.status !== 401) return undefined;
    throw error;
  });
  return login?.toLowerCase() === owner.toLowerCase() ? { of: "user" } : { of: "organization", org: owner };
}

/** A supply of levels. Who may not read one may not read those after it. */
function supply<T>(levels: readonly (() => Promise<LevelRead<T>>)[]): Supply<T> {
  const reads: Promise<LevelRead<T>>[] = [];
  return async (isEnough) => {
    let found: readonly T[] = [];
    for (const [at, level] of levels.entries()) {
      reads[at] ??= level();
      const read = await reads[at];
      if (typeof read === "string") return { found, unread: read };
      found = [...found, ...read];
      if (isEnough(found)) break;
    }
    return { found, unread: undefined };
  };
}
