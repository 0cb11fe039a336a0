import type { Arg } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";

/** How a run was named. Ids count over the whole server, numbers per repository. */
export type RunSelector =
  | { readonly by: "id"; readonly id: number }
  | { readonly by: "number"; readonly number: number }
  /** Its page: servers end it with the id or, older ones and Forgejo, with the number. */
  | { readonly by: "url"; readonly shown: number; readonly typed: string }
  | { readonly by: "branch"; readonly branch: string }
  | { readonly by: "latest" }
  | { readonly by: "current" };

const description = "an id, #NUMBER, its URL, a branch (its newest run) or latest";

/** An argument that selects a run; left out, the newest of the current branch, else the newest. */
export const runSelector: Arg<RunSelector> = {
  count: "optional",
  description: `${description}; left out, the current branch's newest`,
  read: (typed) => (typed[0] === undefined ? { by: "current" } : parseRun(typed[0])),
  locate: (typed) => (typed[0] !== undefined && isUrl(typed[0]) ? typed[0] : undefined),
};

/** The same where it must be given. */
export const requiredRun: Arg<RunSelector> = { ...runSelector, count: "one", description };

/** One run or several, as they were typed; `parseRun` reads them. */
export const manyRuns: Arg<readonly string[]> = {
  count: "many",
  description: `${description}; - reads them from stdin, one a line`,
  read: (typed) => typed,
  locate: (typed) => typed.find(isUrl),
};

function isUrl(typed: string): boolean {
  return /^https?:\/\//i.test(typed);
}

/** Reads `31`, `#7`, a run's URL (or that of one of its jobs), `latest`, or a branch. */
export function parseRun(typed: string): RunSelector {
  if (/^[1-9]\d*$/.test(typed)) return { by: "id", id: safeNumber(typed) };
  const number = /^#([1-9]\d*)$/.exec(typed)?.[1];
  if (number !== undefined) return { by: "number", number: safeNumber(number) };
  if (isUrl(typed)) {
    const shown = /^https?:\/\/[^?#]*\/actions\/runs\/(\d+)([/?#]|$)/i.exec(typed)?.[1];
    if (shown !== undefined) return { by: "url", shown: safeNumber(shown), typed };
    throw new UsageError(
      `'${typed}' is not the address of a run`,
      "It looks like https://HOST/OWNER/NAME/actions/runs/12.",
    );
  }
  if (typed === "latest") return { by: "latest" };
  if (typed === "" || /[\s~^:?*[\\#]|\.\./.test(typed)) throw new UsageError(`'${typed}' names no run and no branch`);
  return { by: "branch", branch: typed };
}

function safeNumber(digits: string): number {
  const value = Number(digits);
  if (!Number.isSafeInteger(value)) throw new UsageError(`'${digits}' is no run: the number is too large`);
  return value;
}
