import type { Arg } from "../command/args.ts";
import { requireOnServer } from "../profiles/choose.ts";
import { fullName, parseRepo, type RepoName } from "../repo/repo-name.ts";
import type { BaseContext } from "./context.ts";
import { readTargets } from "./input.ts";

/** Repositories by name or URL; `-` is stdin. A URL also selects the server. */
export const repositories: Arg<readonly string[]> = {
  count: "many",
  description: "OWNER/NAME, HOST/OWNER/NAME or URL; - reads them from stdin, one per line",
  read: (typed) => typed,
  locate: (typed) => typed.find((target) => target !== "-" && parseRepo(target).host !== undefined),
  source: "repository",
};

/** The given repositories, without duplicates. Throws a usage error if one is not on the selected server. */
export async function readRepositories(
  typed: readonly string[],
  { choose, profiles, system }: Pick<BaseContext, "choose" | "profiles" | "system">,
): Promise<RepoName[]> {
  const specs = (await readTargets(typed, system)).map(parseRepo);
  // The server was selected before stdin was read.
  const [server, config] = [await choose(), profiles.read()];
  for (const { host } of specs) if (host !== undefined) requireOnServer(config, server, host);
  return [...new Map(specs.map((spec) => [fullName(spec).toLowerCase(), spec])).values()];
}
