import type { BaseContext } from "../../app/context.ts";
import { requirePresentName } from "../../app/present-name.ts";
import { readRepositories } from "../../app/repositories.ts";
import type { Arg } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { type Repository, repoGet } from "../../forge/repos.ts";
import type { Http } from "../../http/client.ts";
import { column } from "../../output/table.ts";
import { fullName, parseRepo, type RepoName } from "../../repo/repo-name.ts";

/** An optional repository; by default the current one. */
export const repoArgument: Arg<string | undefined> = {
  count: "optional",
  description: "OWNER/NAME, HOST/OWNER/NAME or URL (default: the current repository)",
  read: (typed) => typed[0],
  locate: (typed) => typed[0],
  source: "repository",
};

/** Any number of repositories; by default the current one. A URL also selects the server. */
export const reposArgument: Arg<readonly string[]> = {
  count: "any",
  description: "OWNER/NAME, HOST/OWNER/NAME or URL (default: the current repository); - reads them from stdin",
  read: (typed) => typed,
  locate: (typed) => typed.find((target) => target !== "-" && parseRepo(target).host !== undefined),
};

/** The given repositories, or the current one. */
export async function reposOrCurrent(
  typed: readonly string[],
  context: Pick<BaseContext, "choose" | "locate" | "profiles" | "system">,
): Promise<RepoName[]> {
  return typed.length === 0 ? [await context.locate()] : readRepositories(typed, context);
}

/**
 * The record of a repository under its current name. Servers redirect from the old name of a renamed repository, even for
 * writes; throws a usage error then, with the command line to run instead.
 */
export async function currentRepo(http: Http, repo: RepoName, command: (name: string) => string): Promise<Repository> {
  const found = await call(http, repoGet, { repo });
  requirePresentName(fullName(repo), found.full_name, (name) => `To use the new name, run: ${command(name)}`);
  return found;
}

/**
 * Throws a usage error for a password in an address, which others on this machine could read. `flags` are those to pass it
 * with. A token can also be the username: print addresses with `maskText`.
 */
export function refusePassword(address: string, flags: string): void {
  if (!URL.canParse(address) || new URL(address).password === "") return;
  throw new UsageError("The URL contains a password", `Pass it with ${flags}.`);
}

/** Splits `OWNER/NAME` of a new repository; a name alone has no owner. Throws a usage error. */
export function ownerAndName(typed: string): { readonly owner: string | undefined; readonly name: string } {
  const parts = typed.split("/");
  const name = parts.pop() ?? "";
  const owner = parts.pop();
  if (name === "" || owner === "" || parts.length > 0) {
    throw new UsageError(`'${typed}' is not a valid repository name`);
  }
  return { owner, name };
}

/** The columns of a list of repositories. */
export const repositoryColumns = [
  column<Repository>("NAME", "full_name", { style: "strong" }),
  column<Repository>("DESCRIPTION", "description", { flexible: true }),
  column<Repository>("VISIBILITY", "private", visibility),
  column<Repository>("STARS", "stars_count"),
  column<Repository>("UPDATED", "updated_at", { as: "time", rank: "optional" }),
];

function visibility(repo: Repository): string {
  const kind = repo.private ? "private" : repo.internal ? "internal" : "public";
  const marks = [repo.archived ? "archived" : "", repo.fork ? "fork" : "", repo.mirror ? "mirror" : ""];
  return [kind, ...marks.filter((mark) => mark !== "")].join(", ");
}

/** Visibility and other properties of a repository: `private, fork`. */
export function repoKind(repo: Repository): string {
  const words = [
    repo.private ? "private" : repo.internal ? "internal" : "public",
    ...(["fork", "mirror", "archived", "template", "empty"] as const).filter((key) => repo[key]),
  ];
  return words.join(", ");
}
