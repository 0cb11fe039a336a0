import { describe, expect, it } from "vitest";
import { type Flag, kebab } from "../../src/command/flags.ts";
import { allCommands } from "../../src/command/write-help.ts";
import { table } from "../../src/commands/index.ts";
import { UsageError } from "../../src/failure/failure.ts";

/** What the user reads when a flag gets a value; undefined if it is accepted. */
function refusal(flag: Flag<unknown>, spelling: string, typed: string): string | undefined {
  try {
    flag.read([typed], spelling);
    return undefined;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.message;
  }
}

/** Values that a flag cannot accept, by what its declaration says. */
function badValues({ choices, type, placeholder, form }: Flag<unknown>): readonly string[] {
  if (form === "switch" || form === "yes-no") return [];
  if (choices !== undefined) return ["no-such-word"];
  if (type === "integer") return ["one", "1.5", "0x10", "-2", ""];
  if (type === "number") return ["one", "-1", ""];
  return placeholder === "TIME" || placeholder === "DATE" ? ["soon", "2026-02-30", ""] : [];
}

describe("every flag with words, numbers, dates or times", async () => {
  const flags = (await allCommands(table)).flatMap(({ words, command }) =>
    Object.entries(command.flags ?? {}).map(([key, flag]) => ({
      line: words.join(" "),
      spelling: `--${kebab(key)}`,
      flag,
    })),
  );

  it("refuses any other value, and names itself and the value", () => {
    // A new account's values are checked together.
    const isOther = (line: string, spelling: string) => line === "user create" && spelling === "--created-at";
    const checked = flags.filter((one) => badValues(one.flag).length > 0 && !isOther(one.line, one.spelling));
    expect(checked.length).toBeGreaterThan(100);
    const faults = checked.flatMap(({ line, spelling, flag }) =>
      badValues(flag).flatMap((typed) => {
        const message = refusal(flag, spelling, typed);
        const isClear = message?.includes(spelling) && message.includes(`'${typed}'`);
        return isClear ? [] : [`tongs ${line} ${spelling} '${typed}': ${message}`];
      }),
    );
    expect(faults).toEqual([]);
  });

  it("refuses an empty name of what exists and an empty list of words: servers take them for a default or no filter", () => {
    const isChecked = ({ form, source }: Flag<unknown>) =>
      (form === "value" && source !== undefined) || form === "values";
    // A part of a reading's name can be empty.
    const checked = flags.filter(({ flag, line }) => isChecked(flag) && !line.startsWith("metrics "));
    expect(checked.length).toBeGreaterThan(150);
    const accepted = checked.filter(({ flag, spelling }) => refusal(flag, spelling, "") === undefined);
    // A flag for the whole of a list empties it.
    expect([...new Set(accepted.map(({ line }) => line))].sort()).toEqual([
      ...["branch protection create", "branch protection edit", "repo edit"],
      ...["tag protection create", "tag protection edit"],
    ]);
    for (const { flag, spelling } of accepted) expect(flag.read([""], spelling), spelling).toEqual([]);
  });

  it("splits lists at commas outside of brackets, without empty items", () => {
    const lists = flags.filter(({ flag }) => flag.separated === true && flag.choices === undefined);
    expect(lists.length).toBeGreaterThan(50);
    for (const { line, flag, spelling } of lists) {
      const read = flag.read(
        [" ci/{a,b} ,lint,,", "test (linux, 20),:(,x", '"sand, gravel" , "5"" pipe",6" pipe', ","],
        spelling,
      );
      expect(read, `tongs ${line} ${spelling}`).toEqual([
        "ci/{a,b}",
        "lint",
        "test (linux, 20)",
        ":(",
        "x",
        "sand, gravel",
        '5" pipe',
        '6" pipe',
      ]);
      expect(flag.read([], spelling) ?? []).toEqual([]);
    }
  });
});
