import { UsageError } from "../failure/failure.ts";
import { requireOnServer } from "../profiles/choose.ts";
import { fullName, isPattern, parseRepo } from "../repo/repo-name.ts";
import type { BaseContext } from "./context.ts";
import { readTargets } from "./input.ts";

/** The first of several repositories that names a server, as a URL does: it also selects the server. */
export function firstWithHost(typed: readonly string[]): string | undefined {
  return typed.find((target) => target !== "-" && parseRepo(target).host !== undefined);
}

/** The names of the given repositories, without duplicates. Throws a usage error for a pattern, and if one is not on the selected server. */
export async function readRepositories(
  typed: readonly string[],
  { choose, profiles, system }: Pick<BaseContext, "choose" | "profiles" | "system">,
): Promise<string[]> {
  const specs = (await readTargets(typed, system)).map(parseRepo);
  const pattern = specs.map(fullName).find(isPattern);
  if (pattern !== undefined)
    throw new UsageError(`'${pattern}' is a pattern, not a repository`, `To select what it matches: -R '${pattern}'`);
  // The server was selected before stdin was read.
  const [server, config] = [await choose(), profiles.read()];
  for (const { host } of specs) if (host !== undefined) requireOnServer(config, server, host);
  return [...new Map(specs.map(fullName).map((name) => [name.toLowerCase(), name])).values()];
}
