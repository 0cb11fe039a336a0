import { describe, expect, it } from "vitest";
import { pickMany, pickOne } from "../../src/app/pick.ts";
import type { Choice, Prompter } from "../../src/prompts/prompter.ts";

interface Label {
  readonly id: number;
  readonly name: string;
}
const labels: readonly Label[] = [
  { id: 1, name: "Help wanted" },
  { id: 2, name: "bug" },
  { id: 3, name: "good first issue" },
];
const options = { message: "Label", flag: "--label", what: "labels in mara/harbor", name: ({ name }: Label) => name };

/** A prompter that shows what a search for `typed` finds, and takes the first. */
function searching(typed: string) {
  const found: string[] = [];
  const take = <T>(choices: readonly Choice<T>[]): T => {
    found.push(...choices.map(({ name }) => name));
    const [first] = choices;
    if (first === undefined) throw new Error("nothing found");
    return first.value;
  };
  const prompt: Pick<Prompter, "search" | "selectMany"> = {
    search: async ({ find }) => take(find(typed)),
    selectMany: async ({ choices }) => {
      found.push(...choices.map(({ name, checked }) => `${checked ? "x" : "-"} ${name}`));
      return choices.filter(({ checked }) => checked).map(({ value }) => value);
    },
  };
  return { prompt: prompt as Prompter, found };
}

describe("pickOne", () => {
  it.each([
    ["", ["Help wanted", "bug", "good first issue"]],
    ["BUG", ["bug"]],
    ["issue first", ["good first issue"]],
    ["(?=", []],
  ])("filters by all typed words, in any order and case: '%s'", async (typed, names) => {
    const { prompt, found } = searching(typed);
    await pickOne(prompt, labels, options).catch((error: unknown) => expect(error).toBeInstanceOf(Error));
    expect(found).toEqual(names);
  });

  it("fails with exit code 5 if there is nothing to choose", async () => {
    await expect(pickOne(searching("").prompt, [], options)).rejects.toMatchObject({
      exit: "notFound",
      message: "There are no labels in mara/harbor",
    });
  });
});

describe("pickMany", () => {
  it("selects at the start what is chosen already", async () => {
    const { prompt, found } = searching("");
    const chosen = await pickMany(prompt, labels, { ...options, isChosen: ({ id }) => id === 2 });
    expect(found).toEqual(["- Help wanted", "x bug", "- good first issue"]);
    expect(chosen).toEqual([labels[1]]);
  });
});
