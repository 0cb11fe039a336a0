import { readTargets } from "../../app/input.ts";
import type { Arg } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import { fullName, parseRepo, type RepoName } from "../../repo/repo-name.ts";
import type { System } from "../../system/system.ts";

/** Repositories by name or URL, `-` for stdin. A URL also chooses the server. */
export const repositories: Arg<readonly string[]> = {
  count: "many",
  description: "OWNER/NAME, HOST/OWNER/NAME or a URL; - reads them from stdin, one a line",
  read: (typed) => typed,
  locate: (typed) => typed.find((target) => target !== "-" && parseRepo(target).host !== undefined),
};

/** The repositories that were named, each once. Those named with a host must all be on the same one. */
export async function readRepositories(typed: readonly string[], system: System): Promise<RepoName[]> {
  const specs = (await readTargets(typed, system)).map(parseRepo);
  const hosts = new Set(specs.map((spec) => spec.host).filter((host) => host !== undefined));
  if (hosts.size > 1) throw new UsageError(`These repositories are on different servers: ${[...hosts].join(", ")}`);
  return [...new Map(specs.map((spec) => [fullName(spec).toLowerCase(), spec])).values()];
}
