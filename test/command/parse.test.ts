import { describe, expect, it } from "vitest";
import { any, optional } from "../../src/command/args.ts";
import { choice, integer, names, text, texts, toggle, yesNo } from "../../src/command/flags.ts";
import { parseCommand } from "../../src/command/parse.ts";
import type { CommandSpec } from "../../src/command/spec.ts";

const command: CommandSpec = {
  summary: "Load crates",
  effect: "read",
  on: "nothing",
  examples: [],
  args: { crates: any("the crates") },
  flags: {
    style: choice(["merge", "rebase"], "how", { aliases: [{ name: "quick", short: "Q", value: "rebase" }] }),
    title: text("title", { short: "t" }),
    labels: texts("labels", { short: "l", aliases: [{ name: "tag" }] }),
    force: toggle("force", { short: "f" }),
    admin: yesNo("admin"),
    matchHead: text("head"),
    count: integer("count"),
  },
};

/** The given flags, global flags included, and the arguments. */
function parsed(...typed: string[]): unknown {
  const { flags, options, args } = parseCommand(command, ["load"], typed);
  const all = Object.entries({ ...options, ...flags });
  const unset = (value: unknown) => value === undefined || value === false || (Array.isArray(value) && !value.length);
  return { ...Object.fromEntries(all.filter(([, value]) => !unset(value))), args: args["crates"] };
}

it("a value that one flag adds and another one removes is refused", () => {
  const flags = { add: names("add"), remove: names("remove", { opposite: "add" }) };
  const read = (...typed: string[]) => parseCommand({ ...command, flags }, ["load"], typed).flags;
  expect(() => read("--add", "tides,Charts", "--remove", "charts")).toThrow("'charts' is in both --add and --remove");
  expect(read("--add", "tides", "--remove", "charts")).toEqual({ add: ["tides"], remove: ["charts"] });
});

describe("flags and arguments", () => {
  it.each([
    [["12", "--style", "rebase", "-f"], { style: "rebase", force: true, args: ["12"] }],
    [["--title=x=y", "--match-head", "abc"], { title: "x=y", matchHead: "abc", args: [] }],
    [["-tx", "-l", "a,b", "--labels=c"], { title: "x", labels: ["a,b", "c"], args: [] }],
    [["-t", "one", "--title", "two"], { title: "two", args: [] }],
    [["-fyq", "7"], { force: true, yes: true, quiet: true, args: ["7"] }],
    [["--admin"], { admin: true, args: [] }],
    [["--no-admin", "--no-input"], { noInput: true, args: [], admin: undefined }],
    [["--", "--force", "-t"], { args: ["--force", "-t"] }],
    [["-", "", "a=b"], { args: ["-", "", "a=b"] }],
    [["--title", "--force"], { title: "--force", args: [] }],
    [["-R", "mara/harbor", "--limit", "5", "--count=0"], { repo: "mara/harbor", limit: 5, count: 0, args: [] }],
  ])("of %j are %j", (typed, expected) => {
    expect(parsed(...typed)).toEqual(expected);
  });

  it("of other tools' spellings are those of the flag", () => {
    expect(parsed("--quick", "--tag", "a", "--tag=b")).toEqual({
      style: "rebase",
      labels: ["a", "b"],
      args: [],
    });
    expect(() => parsed("--style", "merge", "--quick")).toThrow("Specify only one of --style or --quick");
    expect(() => parsed("--tag", "a", "-l", "b")).toThrow("Specify only one of --tag or --labels");
    expect(() => parsed("--quick=yes")).toThrow("Flag '--quick' does not take a value");
  });

  it("of a negated flag are off", () => {
    expect(parseCommand(command, ["load"], ["--admin", "--no-admin"]).flags).toMatchObject({ admin: false });
  });

  it.each([
    [["--hepl"], "Unknown flag '--hepl'"],
    [["--matchHead", "x"], "Unknown flag '--matchHead'"],
    [["-x"], "Unknown flag '-x'"],
    [["--title"], "Flag '--title' requires a value"],
    [["--no-force"], "Unknown flag '--no-force'"],
    [["--no-admin=1"], "Flag '--no-admin' does not take a value"],
    [["--force=yes"], "Flag '--force' does not take a value"],
    [["--count", "some"], "Invalid value 'some' for --count: must be a whole number of at least 0"],
    [["--style", "fast"], "Invalid value 'fast' for --style: must be one of merge, rebase"],
    [["--all", "--limit", "3"], "Specify only one of --limit or --all"],
  ])("of %j are a usage error", (typed, message) => {
    expect(() => parsed(...typed)).toThrow(message);
  });
});

describe("an argument after --", () => {
  const dashed: CommandSpec = {
    ...command,
    args: { crate: optional("the crate"), path: any("the paths", { afterDashes: true }) },
  };
  it("takes only what follows --, and others nothing of it", () => {
    const read = (...typed: string[]) => parseCommand(dashed, ["load"], typed).args;
    expect(read()).toEqual({ crate: undefined, path: [] });
    expect(read("7", "-f")).toEqual({ crate: "7", path: [] });
    expect(read("--", "7")).toEqual({ crate: undefined, path: ["7"] });
    expect(read("7", "--", "-f", "--", "x")).toEqual({ crate: "7", path: ["-f", "--", "x"] });
    expect(() => read("7", "8")).toThrow("Unexpected argument '8'");
  });
});
