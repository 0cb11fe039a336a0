import { Failure, withHint } from "../failure/failure.ts";
import { trackWrites } from "../failure/ignored.ts";
import { fieldWords } from "../forge/edited-words.ts";

/** One request of an edit, and what it changes in words: `title`, `due date`, `label bug`. */
export interface EditStep {
  readonly what: readonly string[];
  /** Whether there is something to change (default: true). */
  readonly isWanted?: boolean;
  readonly run: () => Promise<unknown>;
}

/** What an edit changed, in words, and the failure if the server ignored some fields. */
export interface Edited {
  readonly changed: readonly string[];
  readonly failure?: Failure;
}

/**
 * Sends the requests of an edit of `name` one after the other. The servers apply them without a transaction
 * (docs/server-differences.md, "Pull requests: editing"), so a failure, which `explain` explains, lists what was changed
 * before it.
 */
export async function runSteps(
  steps: readonly EditStep[],
  name: string,
  explain: (error: unknown) => unknown,
): Promise<Edited> {
  const changed: string[] = [];
  for (const { what, run, isWanted = true } of steps) {
    if (!isWanted) continue;
    try {
      const { failure, unchanged } = await trackWrites(run, name);
      if (unchanged && failure === undefined) continue;
      const ignored = (failure?.fields ?? []).map((field) => fieldWords(field.name));
      changed.push(...what.filter((word) => !ignored.includes(word)));
      if (failure !== undefined) return { changed, failure };
    } catch (error) {
      const explained = explain(error);
      if (!(explained instanceof Failure) || changed.length === 0) throw explained;
      throw withHint(explained, `Already changed: ${changed.join(", ")}`);
    }
  }
  return { changed };
}
