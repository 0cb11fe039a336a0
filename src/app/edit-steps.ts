import { Failure, withHint } from "../failure/failure.ts";
import { fieldWords } from "../forge/ignored-edits.ts";

/** One request of an edit, and what it changes in words: `title`, `due date`, `label bug`. */
export interface EditStep {
  readonly what: readonly string[];
  readonly run: () => Promise<unknown>;
}

/** What an edit changed, in words, and the failure if the server ignored some fields. */
export interface Edited {
  readonly changed: readonly string[];
  readonly failure?: Failure;
}

/**
 * Sends the requests of an edit one after the other. The servers apply them without a transaction
 * (docs/server-differences.md, "Pull requests: editing"), so a failure, which `explain` explains, lists what was changed
 * before it.
 */
export async function runSteps(steps: readonly EditStep[], explain: (error: unknown) => unknown): Promise<Edited> {
  const changed: string[] = [];
  for (const { what, run } of steps) {
    try {
      await run();
    } catch (error) {
      if (error instanceof Failure && error.code === "ignored") {
        const ignored = (error.fields ?? []).map(({ name }) => fieldWords(name));
        return { changed: [...changed, ...what.filter((word) => !ignored.includes(word))], failure: error };
      }
      const explained = explain(error);
      if (!(explained instanceof Failure) || changed.length === 0) throw explained;
      throw withHint(explained, `Already changed: ${changed.join(", ")}`);
    }
    changed.push(...what);
  }
  return { changed };
}
