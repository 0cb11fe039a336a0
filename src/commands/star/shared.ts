import { readTargets } from "../../app/input.ts";
import type { Arg } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import { fullName, parseRepo, type RepoName } from "../../repo/repo-name.ts";
import type { System } from "../../system/system.ts";

/** Repositories by name or URL; `-` is stdin. A URL also selects the server. */
export const repositories: Arg<readonly string[]> = {
  count: "many",
  description: "OWNER/NAME, HOST/OWNER/NAME or URL; - reads them from stdin, one per line",
  read: (typed) => typed,
  locate: (typed) => typed.find((target) => target !== "-" && parseRepo(target).host !== undefined),
  source: "repository",
};

/** The given repositories, without duplicates. Throws a usage error if they are on different hosts. */
export async function readRepositories(typed: readonly string[], system: System): Promise<RepoName[]> {
  const specs = (await readTargets(typed, system)).map(parseRepo);
  const hosts = new Set(specs.map((spec) => spec.host).filter((host) => host !== undefined));
  if (hosts.size > 1) throw new UsageError(`The repositories are on different servers: ${[...hosts].join(", ")}`);
  return [...new Map(specs.map((spec) => [fullName(spec).toLowerCase(), spec])).values()];
}
