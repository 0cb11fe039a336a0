import type { BaseContext } from "../../app/context.ts";
import { inServer } from "../../app/resource.ts";
import { firstWithHost, readRepositories } from "../../app/select-repositories.ts";
import { type Arg, any } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import { repository } from "../../forge/repos.ts";
import { fullName } from "../../repo/repo-name.ts";

/** An optional repository; by default the current one. */
export const repoArgument: Arg<string | undefined> = {
  count: "optional",
  description: "OWNER/NAME, HOST/OWNER/NAME or URL (default: the current repository)",
  read: (typed) => typed[0],
  locate: (typed) => typed[0],
  source: "repository",
};

/** Any number of repositories; by default the current one. A URL also selects the server. */
export const reposArgument = any(repoArgument.description, { locate: firstWithHost, dash: "lines" });

/** The names of the given repositories, or of the current one. */
export async function reposOrCurrent(
  typed: readonly string[],
  context: Pick<BaseContext, "choose" | "locate" | "profiles" | "system">,
): Promise<string[]> {
  return typed.length === 0 ? [fullName(await context.locate())] : readRepositories(typed, context);
}

/** What the resources of verbs for several repositories have alike, and such a verb. */
export const ofRepositories = {
  ...inServer,
  noun: ["repository", "repositories"],
  a: "a repository",
  record: repository,
  argument: { key: "repo", one: repoArgument.description, many: repoArgument.description },
  target: () => (full_name: string) => ({ full_name }),
  name: ({ full_name }: { readonly full_name: string }) => full_name,
} as const;
export const givenOrCurrent = { argument: reposArgument, targets: reposOrCurrent } as const;

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
