import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { examplesOfNouns, preparations, stageOf } from "./prepare.ts";
import { recorded, recordedOfForgejo } from "./recorded.ts";

const nouns = await examplesOfNouns();

describe("the examples of the help", () => {
  describe.each([...nouns])("of %s", (noun, examples) => {
    const stage = stageOf(noun);
    beforeAll(() => stage.open());
    afterAll(() => stage.close());

    it.each(examples.map((one) => [one.line, one] as const))("%s", async (line, example) => {
      const { code, stdout, stderr, prepared } = await stage.play(example);
      expect(code, `${line}\n${stdout}${stderr}`).toBe(prepared.code ?? 0);
    });
  });

  it("are all that is prepared for", () => {
    const examples = [...nouns.values()].flat();
    const words = examples.flatMap(({ name }) =>
      name.split(" ").map((_word, at, all) => all.slice(0, at + 1).join(" ")),
    );
    const known = new Set([...words, ...examples.map(({ line }) => line)]);
    const named = [...Object.keys(preparations), ...Object.values(recorded).flat(), ...recordedOfForgejo];
    expect(named.filter((one) => !known.has(one))).toEqual([]);
  });
});
