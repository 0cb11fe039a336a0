import { describe, expect, it } from "vitest";
import { choice, integer, text, texts, toggle, yesNo } from "../../src/command/flags.ts";
import { globalFlags } from "../../src/command/global-flags.ts";
import { fullScan } from "../../src/command/parser.ts";
import { NotPlain, quickScan, type Scan } from "../../src/command/scan.ts";

const flags = {
  ...globalFlags,
  style: choice(["merge", "rebase"], "how"),
  title: text("title", { short: "t" }),
  labels: texts("labels", { short: "l" }),
  force: toggle("force", { short: "f" }),
  admin: yesNo("admin"),
  matchHead: text("head"),
  count: integer("count"),
};

/** Numbers that look random and are the same in every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

const words = [
  ...[
    "12",
    "main",
    "",
    "-",
    "--",
    "a=b",
    "feature/x",
    "#7",
    "--title",
    "-t",
    "-l",
    "--labels",
    "--labels=a,b",
    "--labels=",
  ],
  ...[
    "--title=x=y",
    "-tx",
    "-t=x",
    "--force",
    "-f",
    "-fy",
    "-yq",
    "--admin",
    "--no-admin",
    "--force=yes",
    "--no-force",
  ],
  ...[
    "--match-head",
    "abc",
    "--json=number,title",
    "--json=",
    "-R",
    "mara/harbor",
    "--limit",
    "5",
    "-5",
    "--all",
    "--debug",
  ],
  ...[
    "-h",
    "--help",
    "--hepl",
    "--",
    "-x",
    "--style",
    "rebase",
    "--matchHead",
    "--no-input",
    "--timeout=0",
    "--titl",
    "-",
  ],
];

function outcome(scan: Scan, line: readonly string[]): unknown {
  try {
    const { collected, args, help } = scan(flags, line, "x y");
    return { collected: Object.fromEntries(collected), args, help };
  } catch (error) {
    return error;
  }
}

describe("the quick scan", () => {
  it("reads every line as the parser does, or leaves it to the parser", () => {
    const random = numbers(7);
    const one = (most: number) => Math.floor(random.next().value * most);
    let plain = 0;
    for (let round = 0; round < 4000; round += 1) {
      const line = Array.from({ length: one(7) }, () => words[one(words.length)] ?? "");
      const quick = outcome(quickScan, line);
      if (quick instanceof NotPlain) continue;
      plain += 1;
      expect({ line, read: quick }).toEqual({ line, read: outcome(fullScan, line) });
    }
    expect(plain).toBeGreaterThan(500);
  });

  it.each([
    [["12", "--style", "rebase", "-f"]],
    [["--title=a b", "-t", "c", "--labels", "x", "--", "--force"]],
    [["-R", "mara/harbor", "--json=number", "--no-admin", "-"]],
    [["--title", "--force"]],
    [[]],
  ])("does the plain line %j itself", (line) => {
    expect(outcome(quickScan, line)).toEqual(outcome(fullScan, line));
  });

  it.each([["--hepl"], ["-x"], ["--title"], ["--force=yes"], ["-yq"], ["-tx"], ["-5"], ["--titl", "x"]])(
    "leaves %s to the parser",
    (...line) => {
      expect(outcome(quickScan, line)).toBeInstanceOf(NotPlain);
    },
  );
});
