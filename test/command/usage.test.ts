import { describe, expect, it } from "vitest";
import { tongs } from "../support/tongs.ts";

/** The error of a mistyped command line: exit code 2, nothing on stdout, a message and a hint. */
async function said(...argv: string[]): Promise<string> {
  const ran = await tongs(argv);
  expect(ran).toMatchObject({ code: 2, stdout: "" });
  expect(ran.stderr.split("\n").length).toBeGreaterThanOrEqual(3);
  return ran.stderr;
}

describe("a usage error", () => {
  it("suggests the nearest command", async () => {
    expect(await said("pr", "lsit")).toContain("Did you mean: tongs pr list?");
    expect(await said("shema")).toContain("Did you mean: tongs schema?");
    expect(await said("frobnicate")).toContain("Run 'tongs --help' for usage.");
  });

  it("suggests the noun for a verb without one", async () => {
    expect(await said("view", "12")).toContain("tongs pr view");
  });

  it("suggests the nearest flag, with and without a command", async () => {
    expect(await said("pr", "list", "--stat", "open")).toContain("--state");
    expect(await said("--dry-rum")).toContain("Did you mean: --dry-run?");
  });

  it("says which flag does not take a value", async () => {
    expect(await said("pr", "merge", "--squash=1", "3")).toContain("Flag '--squash' does not take a value");
  });

  it("does not repeat the value of a mistyped flag, which may be a secret", async () => {
    const text = await said("auth", "login", "--tokn=not-a-real-token");
    expect(text).toContain("'--tokn'");
    expect(text).not.toContain("not-a-real-token");
  });

  it("lists the verbs if only flags are given", async () => {
    expect(await said("pr", "--yes")).toContain("Missing verb after 'tongs pr'");
    expect(await said("-R", "mara/harbor", "pr")).toMatch(/Available: .*list.*view/);
    expect(await said("--quiet")).toContain("Missing command after 'tongs'");
  });

  it("lists the fields only for a possible typo in --json", async () => {
    expect(await said("pr", "view", "12", "13")).toContain("Run 'tongs pr view --help' for usage.");
    const ran = await tongs(["pr", "list", "--json", "nope"]);
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Available fields for --json: number, user, title"),
    });
  });

  it("is JSON if the command line asks for JSON", async () => {
    const ran = await tongs(["pr", "lsit", "--json"]);
    expect(JSON.parse(ran.stderr)).toEqual({
      error: { code: "usage", message: "Unknown command 'lsit' for 'tongs pr'", hint: "Did you mean: tongs pr list?" },
    });
  });
});

describe("tongs version", () => {
  it("prints one line, as --version does, and a record with --json", async () => {
    const line = (await tongs(["--version"])).stdout;
    expect(line).toMatch(/^tongs \S+\n$/);
    expect((await tongs(["version"])).stdout).toBe(line);
    expect((await tongs(["version", "--quiet"])).stdout).toBe(line);
    expect((await tongs(["version", "--json"])).json()).toEqual({ version: line.slice(6, -1) });
  });
});

describe("tongs completion", () => {
  it("prints the script of the package", async () => {
    for (const [shell, part] of [
      ["bash", "complete -F _tongs"],
      ["zsh", "#compdef tongs"],
      ["fish", "complete -c tongs"],
      ["powershell", "Register-ArgumentCompleter"],
    ])
      expect((await tongs(["completion", shell ?? ""])).stdout).toContain(part);
  });

  it("supports four shells", async () => {
    expect(await said("completion", "tcsh")).toContain(
      "Invalid value 'tcsh' for SHELL: must be one of bash, zsh, fish, powershell",
    );
    expect(await said("completion")).toContain("Missing argument SHELL");
  });

  it("says what a missing argument is", async () => {
    expect(await said("completion")).toContain("Missing argument SHELL (");
    expect(await said("issue", "view")).toMatch(/Missing argument ISSUE \([^:]*: number, .*\)\n/);
  });
});
