import { describe, expect, it } from "vitest";
import { exitRows } from "../../src/command/help.ts";
import { allCommands, helpTexts } from "../../src/command/write-help.ts";
import { table } from "../../src/commands/index.ts";
import { tongs } from "../support/tongs.ts";

describe("help", () => {
  it("of a command shows usage, flags, fields, exit codes and examples, for every form of the command line", async () => {
    const ways = [
      ["pr", "list", "--help"],
      ["pr", "list", "-h"],
      ["help", "pr", "list"],
      ["pr", "help", "list"],
      ["--help", "pr", "list"],
      ["help", "pr", "ls"],
    ];
    for (const way of ways) {
      const ran = await tongs(way);
      expect(ran, way.join(" ")).toMatchObject({ code: 0, stderr: "" });
      for (const part of ["tongs pr list [flags]", "--state WORD", "number, ", "EXIT CODES", "# "])
        expect(ran.stdout, way.join(" ")).toContain(part);
    }
  });

  it("of every command lists its exit codes in numerical order", async () => {
    for (const { words, command } of await allCommands(table)) {
      const codes = exitRows(command).map(([code]) => Number(code));
      expect(codes, words.join(" ")).toEqual(codes.toSorted((one, other) => one - other));
    }
  });

  it("speaks of stdin only where the declaration says that it is read", async () => {
    const silent: string[] = [];
    for (const { words, command } of await allCommands(table))
      for (const [key, value] of Object.entries({ ...command.args, ...command.flags }))
        if (/ - |\bfrom stdin\b/.test(value.description) && value.dash === undefined && !("readsStdin" in value))
          silent.push(`${words.join(" ")} ${key}`);
    expect(silent).toEqual([]);
  });

  it("of a noun lists its verbs, for every form of the command line", async () => {
    for (const way of [["pr"], ["pr", "--help"], ["help", "pr"], ["pr", "help"], ["-h", "pr"]])
      expect(await tongs(way), way.join(" ")).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/VERBS\n {2}list/),
      });
  });

  it("of tongs lists nouns and global flags", async () => {
    for (const way of [[], ["--help"], ["help"], ["-h"]])
      expect(await tongs(way)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/NOUNS[\s\S]*GLOBAL FLAGS[\s\S]*--dry-run/),
      });
  });

  it("has topics: exit codes, environment variables and JSON", async () => {
    expect((await tongs(["help", "exit-codes"])).stdout).toMatch(/ 11 +a batch finished, some items failed/);
    const codes = (await tongs(["help", "exit-codes"])).stdout;
    expect(codes).toMatch(/ 4 +not signed in, or not allowed \(401, 403\)/);
    expect(codes).toMatch(/tongs metrics check has .*\n\n? +0 +OK\n +1 +WARNING\n +2 +CRITICAL\n +3 +UNKNOWN/);
    expect((await tongs(["metrics", "check", "--help"])).stdout).toMatch(/EXIT CODES\n +0 +OK\n(.*\n)* +3 +UNKNOWN/);
    expect(codes).toMatch(/EXIT CODE 9\n(.*\n)* +exists +something with this name/);
    expect((await tongs(["help", "environment"])).stdout).toContain("TONGS_TOKEN");
    expect((await tongs(["help", "json"])).stdout).toContain("--jq EXPR");
  });

  it("of mcp is the topic after help, and the noun after --help", async () => {
    expect((await tongs(["help", "mcp"])).stdout).toContain("--allow destroy");
    for (const line of [
      ["mcp", "--help"],
      ["mcp", "help"],
    ])
      expect((await tongs(line)).stdout).toMatch(/VERBS\n +serve/);
  });

  it("of an unknown topic is a usage error that suggests the nearest noun, verb or topic", async () => {
    const said = async (...typed: string[]) => {
      const ran = await tongs(["help", ...typed]);
      expect(ran).toMatchObject({ code: 2, stdout: "" });
      return ran.stderr;
    };
    expect((await tongs(["scripting"])).stderr).toContain("Did you mean: tongs help scripting");
    expect(await said("enviroment")).toContain("Did you mean: tongs help environment?");
    expect(await said("pr", "veiw")).toContain("Did you mean: tongs help pr view?");
    expect(await said("../json")).toContain("Unknown help topic '../json'");
    expect(await said("nonsense")).toContain("Available topics: scripting, profiles, security, ");
  });

  it("fits 80 columns at every level", async () => {
    const wide = Object.values(await helpTexts(table))
      .flatMap((text) => text.split("\n"))
      .filter((line) => line.length > 80 && !line.startsWith("  tongs "));
    expect(wide).toEqual([]);
  });

  it("has bold headings on a terminal, and none with NO_COLOR or in a pipe", async () => {
    expect((await tongs(["pr", "list", "--help"], { terminal: true })).stdout).toContain("\u001b[1mUSAGE\u001b[22m");
    expect((await tongs(["help", "json"], { terminal: true, env: { NO_COLOR: "1" } })).stdout).not.toContain("\u001b");
    expect((await tongs(["--help"])).stdout).not.toContain("\u001b");
  });
});
