import { type Arg, many } from "../../command/args.ts";
import { exactNumber } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { isUrl, type RepoName } from "../../repo/repo-name.ts";
import { quoted } from "../../text/words.ts";
import type { BaseContext, ServerContext } from "../context.ts";
import { readTargets } from "../input.ts";
import { repositoryOf } from "../shared.ts";

/** How a run was selected. IDs are unique on the server, numbers in their repository. */
export type RunSelector =
  | { readonly by: "id"; readonly id: number }
  | { readonly by: "number"; readonly number: number }
  /** A URL is that of its repository, and ends with the ID or, on older servers and Forgejo, with the number. */
  | { readonly by: "url"; readonly segment: number; readonly repository: string }
  | { readonly by: "branch"; readonly branch: string }
  | { readonly by: "latest" }
  | { readonly by: "current" };

const description = "ID, #NUMBER, URL, branch (its newest run) or latest";

/** An argument that selects a run; by default the newest of the current branch, or else the newest. */
export const runSelector: Arg<RunSelector> = {
  count: "optional",
  description: `${description} (default: the newest run of the current branch)`,
  read: (typed) => (typed[0] === undefined ? { by: "current" } : parseRun(typed[0])),
  locate: (typed) => (typed[0] !== undefined && isUrl(typed[0]) ? typed[0] : undefined),
  source: "run",
};

/** An argument that selects a run and has no default. */
export const requiredRun: Arg<RunSelector> = { ...runSelector, count: "one", description };

/** One or more runs, as typed; `readRuns` reads them. The first repository selects the server. */
export const manyRuns = many(description, {
  dash: "lines",
  // If some runs are given without a repository, that of the others is not the current one for them.
  locate: (typed) => (typed.every(isUrl) ? typed[0] : undefined),
  source: "run",
});

/** A run of a command that takes several. */
export interface RunTarget {
  readonly typed: string;
  readonly repo: RepoName;
  readonly selector: RunSelector;
}

/** The selected runs, in order: a URL is of a run in its own repository. Throws a usage error for one of another server. */
export async function readRuns(
  typed: readonly string[],
  context: Pick<BaseContext, "system" | "locate" | "profiles"> & ServerContext,
): Promise<RunTarget[]> {
  const given = (await readTargets(typed, context.system, "run")).map((one) => ({
    typed: one,
    selector: parseRun(one),
  }));
  const targets: RunTarget[] = [];
  for (const { typed, selector } of given) {
    const repo = selector.by === "url" ? repositoryOf(selector.repository, context) : await context.locate();
    targets.push({ typed, repo, selector });
  }
  return targets;
}

/** A selected run as it is typed in a shell; undefined for that of the current branch. */
export function typedRun(run: RunSelector): string | undefined {
  switch (run.by) {
    case "id":
      return `${run.id}`;
    case "number":
      return `'#${run.number}'`;
    case "url":
      return `${run.repository}/actions/runs/${run.segment}`;
    case "branch":
      return quoted(run.branch);
    case "latest":
      return "latest";
    case "current":
      return undefined;
  }
}

/** Parses `31`, `#7`, the URL of a run or of one of its jobs, `latest`, or a branch. Throws a usage error otherwise. */
export function parseRun(typed: string): RunSelector {
  if (/^[1-9]\d*$/.test(typed)) return { by: "id", id: exactNumber(typed) };
  const number = /^#([1-9]\d*)$/.exec(typed)?.[1];
  if (number !== undefined) return { by: "number", number: exactNumber(number) };
  if (isUrl(typed)) {
    const [, repository, segment] = /^(https?:\/\/[^?#]*)\/actions\/runs\/(\d+)(?:[/?#]|$)/i.exec(typed) ?? [];
    if (repository !== undefined && segment !== undefined)
      return { by: "url", segment: exactNumber(segment), repository };
    throw new UsageError(
      `'${typed}' is not the URL of a run`,
      "A run has a URL such as https://HOST/OWNER/NAME/actions/runs/12.",
    );
  }
  if (typed === "latest") return { by: "latest" };
  if (typed === "" || /[\s~^:?*[\\#]|\.\./.test(typed)) throw new UsageError(`'${typed}' is not a run or a branch`);
  return { by: "branch", branch: typed };
}
