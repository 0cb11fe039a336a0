import { text, toggle } from "../command/flags.ts";
import { Failure, UsageError } from "../failure/failure.ts";
import type { Level, LevelName } from "../forge/level.ts";
import { call } from "../forge/operation.ts";
import type { Needed } from "../forge/support.ts";
import { currentUserGet } from "../forge/users.ts";
import { pointsTo, type Remote } from "../git/remotes.ts";
import type { Http } from "../http/client.ts";
import { DeniedError } from "../http/errors.ts";
import { isOnServer } from "../profiles/choose.ts";
import { fullName, parseRepo, type RepoName } from "../repo/repo-name.ts";
import type { BaseContext, RepositoryContext, ServerContext } from "./context.ts";

const logins = new WeakMap<Http, Promise<string>>();

/**
 * The login of the signed-in user (GET /user, once in a command): that of the profile can have been renamed. It is only taken
 * for a token that may not read the user.
 */
export function currentUser({ server: { user }, http }: ServerContext): Promise<string> {
  const asked =
    logins.get(http) ??
    call(http, currentUserGet, {}).then(
      ({ login }) => login,
      (error: unknown) => {
        if (user === undefined || !(error instanceof DeniedError)) throw error;
        return user;
      },
    );
  logins.set(http, asked);
  return asked;
}

/** The flags of commands that work for a repository, an organization, a user or the server. */
export const levelFlags = {
  org: text("for an organization, instead of the repository", {
    placeholder: "ORG",
    source: "organization",
    insteadOfRepository: true,
  }),
  user: toggle("for your account, instead of the repository"),
  admin: toggle("for the whole server, instead of the repository"),
};

/** The level flags of a command that sends an operation which not all releases have at each level. */
export function levelFlagsOf(operation: Needed): typeof levelFlags {
  const at = (level: LevelName) => ({ needs: [{ ...operation, levels: [level] }] });
  return {
    org: { ...levelFlags.org, ...at("organization") },
    user: { ...levelFlags.user, ...at("user") },
    admin: { ...levelFlags.admin, ...at("server") },
  };
}

/** At most one of the level flags can be given. */
export const levelExclusive = [["org", "user", "admin"]] as const;

/** The level that `--org`, `--user` or `--admin` selects; undefined is the repository. */
export function selectedLevel(flags: {
  readonly org?: unknown;
  readonly user?: unknown;
  readonly admin?: unknown;
}): Exclude<Level, { readonly of: "repository" }> | undefined {
  if (typeof flags.org === "string") return { of: "organization", org: flags.org };
  if (flags.user === true) return { of: "user" };
  return flags.admin === true ? { of: "server" } : undefined;
}

/** The level that `--org`, `--user` or `--admin` selects, or else the current repository. */
export async function levelOf(
  flags: { readonly org: string | undefined; readonly user: boolean; readonly admin: boolean },
  { locate }: Pick<BaseContext, "locate">,
): Promise<Level> {
  return selectedLevel(flags) ?? { of: "repository", repo: await locate() };
}

/** The flags that select a level. */
export function levelWords(level: Level): string[] {
  if (level.of === "repository") return ["-R", fullName(level.repo)];
  if (level.of === "organization") return ["--org", level.org];
  return [level.of === "user" ? "--user" : "--admin"];
}

/** A level in a sentence: `mara/harbor`, `organization tidewater`, `your account`, `the server`. */
export function ownerName(owner: Level): string {
  if (owner.of === "repository") return fullName(owner.repo);
  if (owner.of === "organization") return `organization ${owner.org}`;
  return owner.of === "user" ? "your account" : "the server";
}

/**
 * The repository that a target names, as `OWNER/NAME` or a URL. Throws a usage error if it is on another server than the
 * selected one.
 */
export function repositoryOf(
  place: string,
  { profiles, server }: Pick<BaseContext & ServerContext, "profiles" | "server">,
): RepoName {
  const { owner, name, host } = parseRepo(place);
  if (host !== undefined && !isOnServer(profiles.read(), server, host)) {
    throw new UsageError(`${place} is on another server than ${server.base.host}`, "Run a command for each server.");
  }
  return { owner, name };
}

/** The git remotes on the selected server, best first. Another server can have repositories of the same names. */
export async function remotesOnServer({
  git,
  profiles,
  server,
}: Pick<BaseContext & ServerContext, "git" | "profiles" | "server">): Promise<Remote[]> {
  const config = profiles.read();
  return (await git.remotes()).filter(({ host }) => isOnServer(config, server, host));
}

/** The git remote of a repository on the selected server, if there is one here. */
export async function remoteOf(
  repo: RepoName,
  context: Parameters<typeof remotesOnServer>[0],
): Promise<Remote | undefined> {
  return (await remotesOnServer(context)).find((remote) => pointsTo(remote, repo));
}

/** The git remote of the repository. Throws a usage error, which begins with `start`, if there is none here. */
export async function requireRemote(
  context: Parameters<typeof remotesOnServer>[0] & Pick<RepositoryContext, "repo">,
  start = "No git remote here is",
): Promise<Remote> {
  const remote = await remoteOf(context.repo, context);
  if (remote !== undefined) return remote;
  const where = fullName(context.repo);
  throw new UsageError(`${start} ${where}`, `Clone it first: tongs repo clone ${where}`);
}

/**
 * The current folder from the top of the repository, ending in a slash, where a clone decided which repository it is; else
 * `""`. Paths are typed from there, as for git.
 */
export async function currentFolder(
  context: RepositoryContext & Pick<BaseContext, "git" | "profiles" | "isRepoGiven">,
): Promise<string> {
  const { git, repo, isRepoGiven } = context;
  if (isRepoGiven || (await remoteOf(repo, context)) === undefined) return "";
  const { code, stdout } = await git.attempt(["rev-parse", "--show-prefix"]);
  return code === 0 ? stdout.replace(/\n$/, "") : "";
}

/**
 * Explains the 403 of something that exists already (docs/server-differences.md, "Branches and tags"). `name` begins a
 * sentence.
 */
export function explainExisting(error: unknown, name: string): unknown {
  if (!(error instanceof DeniedError) || !/already exist/i.test(error.serverMessage)) return error;
  return new Failure("exists", `${name} already exists`, { status: error.status, cause: error });
}
