import { Failure } from "../failure/failure.ts";
import type { Choice, Prompter, Question } from "../prompts/prompter.ts";

/** How the items of a list are shown for choosing. */
export interface PickOptions<T> extends Question {
  /** What the items are, for the error of an empty list: `labels in mara/harbor`. */
  readonly what: string;
  /** The text of an item, which typing is compared with. */
  readonly name: (item: T) => string;
  /** A further text, shown below the list for the item under the cursor. */
  readonly describe?: (item: T) => string | undefined;
}

/**
 * Prompts for one item of a list that the server sent (a pull request, a branch, a user): typing filters the list by all
 * typed words, in any order and case. Throws a usage error naming `flag` where prompts are not possible, `Cancelled` on
 * Ctrl-C, and a failure (exit code 5) if the list is empty.
 *
 *     const pull = await pickOne(prompt, await collect(call(http, pullList, { repo, state: "open" })), {
 *       message: "Pull request", flag: "PR", what: "open pull requests in mara/harbor",
 *       name: ({ number, title }) => `#${number} ${title}`,
 *     });
 */
export async function pickOne<T>(prompt: Prompter, items: readonly T[], options: PickOptions<T>): Promise<T> {
  requireItems(items, options.what);
  const choices = items.map((item) => choiceOf(item, options));
  return prompt.search({
    message: options.message,
    flag: options.flag,
    find: (typed) => choices.filter(({ name }) => hasWords(name, typed)),
  });
}

/**
 * Prompts for any number of items of a list that the server sent (labels, reviewers): Space selects, Enter ends. Returns
 * them in the order of the list. `isChosen` tells which are selected at the start. Throws as `pickOne` does.
 */
export async function pickMany<T>(
  prompt: Prompter,
  items: readonly T[],
  options: PickOptions<T> & { readonly isChosen?: (item: T) => boolean },
): Promise<readonly T[]> {
  requireItems(items, options.what);
  const choices = items.map((item) => ({
    ...choiceOf(item, options),
    checked: options.isChosen?.(item) === true,
  }));
  return prompt.selectMany({ message: options.message, flag: options.flag, choices });
}

function choiceOf<T>(item: T, { name, describe }: PickOptions<T>): Choice<T> {
  const description = describe?.(item);
  return { name: name(item), value: item, ...(description ? { description } : {}) };
}

function requireItems(items: readonly unknown[], what: string): void {
  if (items.length === 0) throw new Failure("nothing_to_choose", `There are no ${what}`);
}

/** Whether a text contains all typed words. */
function hasWords(text: string, typed: string): boolean {
  const lower = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
