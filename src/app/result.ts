import type { Arg, Args } from "../command/args.ts";
import { kebab } from "../command/flags.ts";
import type { Scope } from "../command/spec.ts";
import { each, type ResultNames } from "../output/output.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import { list, optional, record, type Shape, string, words } from "../shape/shape.ts";

/** What is said where there was nothing to change, with the record if there is one. */
export class Unchanged {
  constructor(
    readonly message: string,
    readonly record?: unknown,
  ) {}
}

/**
 * Sends a write that servers refuse if there is nothing to change. Only what can be this refusal (`refused`) is looked into: `isDone`
 * reads whether it was.
 */
export async function unlessDone<T>(
  write: Promise<T>,
  refused: new (...args: never[]) => Error,
  isDone: () => Promise<boolean>,
  unchanged: Unchanged,
): Promise<T | Unchanged> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof refused) || !(await isDone())) throw error;
    return unchanged;
  }
}

/** The declaration of a command that is used here. */
interface Declared {
  readonly args: Args;
  readonly on: Scope;
}

/**
 * The record that JSON output has of a write that is answered with nothing: the repository, the arguments that were given,
 * and what became of them. A list of them if the command takes several targets.
 */
export function resultShape({ args, on }: Declared, result: string): Shape<unknown> {
  const given = Object.entries(args).map(([key, arg]) => [
    nameOf(key),
    arg.count === "optional" ? optional(string) : string,
  ]);
  const repository = on === "repository" ? { repository: string } : {};
  const one = record({ ...Object.fromEntries(given), ...repository, result: words(result, "unchanged") });
  return Object.values(args).some(isSeveral) ? list(one) : one;
}

/**
 * The names that such a record has, as they were given: what is read to more than a text or a number, as it was typed. The
 * several targets of a command are named one by one.
 */
export function resultNames(
  { args }: Declared,
  given: Readonly<Record<string, unknown>>,
  typed: Readonly<Record<string, string>>,
  repo: RepoName | undefined,
): ResultNames {
  const repository = repo === undefined ? {} : { repository: fullName(repo) };
  const names = Object.entries(args).flatMap(([key, arg]) => {
    if (isSeveral(arg)) return [[nameOf(key), each]];
    const name = typeof given[key] === "object" ? typed[key] : given[key];
    return name === undefined ? [] : [[nameOf(key), String(name)]];
  });
  return { ...repository, ...Object.fromEntries(names) };
}

const isSeveral = ({ count }: Arg<unknown>) => count === "many" || count === "any";

/** The argument REPO names a repository. */
const nameOf = (key: string) => (key === "repo" ? "repository" : kebab(key).replaceAll("-", "_"));
