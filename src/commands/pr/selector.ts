import type { Arg } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";

/** How a pull request was named. */
export type PullSelector =
  | { readonly by: "number"; readonly number: number }
  | { readonly by: "branch"; readonly branch: string; readonly owner?: string }
  | { readonly by: "current" };

const description = "a number, its URL, a branch, OWNER:BRANCH; left out, the current branch's";

/** An argument that selects a pull request, or the current branch's when it is left out. */
export const pullSelector: Arg<PullSelector> = {
  count: "optional",
  description,
  read: (typed) => (typed[0] === undefined ? { by: "current" } : parsePull(typed[0])),
  locate: (typed) => (typed[0] !== undefined && isUrl(typed[0]) ? typed[0] : undefined),
};

/** The same where it must be given. */
export const requiredPull: Arg<PullSelector> = {
  ...pullSelector,
  count: "one",
  description: description.split(";")[0] ?? "",
};

function isUrl(typed: string): boolean {
  return /^https?:\/\//i.test(typed);
}

/** Reads `12`, `#12`, a pull request's URL, `OWNER:BRANCH` or `BRANCH`. */
export function parsePull(typed: string): PullSelector {
  const number = /^#?(\d+)$/.exec(typed)?.[1] ?? /^https?:\/\/[^?#]*\/pulls\/(\d+)([/?#]|$)/i.exec(typed)?.[1];
  if (number !== undefined) return { by: "number", number: Number(number) };
  if (isUrl(typed)) {
    throw new UsageError(
      `'${typed}' is not the address of a pull request`,
      "It looks like https://HOST/OWNER/NAME/pulls/12.",
    );
  }
  if (typed === "" || /[\s~^?*[\\]|\.\./.test(typed))
    throw new UsageError(`'${typed}' names no pull request and no branch`);
  const [, owner, branch] = /^([^:/]+):(.+)$/.exec(typed) ?? [];
  return owner !== undefined && branch !== undefined
    ? { by: "branch", owner, branch }
    : { by: "branch", branch: typed };
}
