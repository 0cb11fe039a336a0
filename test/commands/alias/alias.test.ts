import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expandAlias } from "../../../src/app/expand-alias.ts";
import { route } from "../../../src/command/route.ts";
import { aliases, table } from "../../../src/commands/index.ts";
import { splitWords } from "../../../src/text/words.ts";
import { completed } from "../../docs/shells.ts";
import { faultIn } from "../../support/command-lines.ts";
import { emptyFolder, tongs } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";

/** A directory in which several runs share the configuration. */
function home() {
  const cwd = emptyFolder();
  const run = (line: readonly string[], env: Readonly<Record<string, string>> = {}) => tongs(line, { cwd, env });
  return { cwd, run, file: join(cwd, ".tongs-test", "aliases.json") };
}

describe("tongs alias", () => {
  it("stores an alias, lists, changes and deletes it", async () => {
    const { run, file } = home();
    const set = await run(["alias", "set", "co", "pr checkout"]);
    expect([set.code, set.stdout, set.stderr]).toEqual([0, "", "✓ Added alias co: pr checkout\n"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await run(["alias", "set", "co", "pr view", "--json"])).json()).toEqual({
      name: "co",
      expansion: "pr view",
    });
    expect((await run(["alias", "list"])).stdout).toBe("co\tpr view\n");
    const deleted = await run(["alias", "delete", "co", "cd"]);
    expect(deleted.code).toBe(11);
    expect(deleted.stderr).toContain("Alias 'cd' not found");
    const inherited = await run(["alias", "delete", "toString"]);
    expect(inherited).toMatchObject({ code: 5, stderr: expect.stringContaining("Alias 'toString' not found") });
    expect((await run(["alias", "list", "--json"])).json()).toEqual([]);
  });

  it("runs the command that an alias stands for, with its arguments and flags", async () => {
    const sandbox = await onSandbox();
    const cwd = emptyFolder();
    const run = (line: readonly string[]) => sandbox.run(line, { cwd });
    await run(["alias", "set", "lb", "label list --jq"]);
    await run(["alias", "set", "titled", "pr view $2 -R $1 --jq .title"]);
    const direct = await run(["label", "list", "-R", "mara/harbor", "--jq", ".[].name"]);
    expect((await run(["-R", "mara/harbor", "lb", ".[].name"])).stdout).toBe(direct.stdout);
    const number = (
      await run(["pr", "list", "-R", "mara/harbor", "--state", "all", "--jq", ".[0].number"])
    ).stdout.trim();
    expect((await run(["titled", "mara/harbor", number])).stdout.trim()).not.toBe("");
    await run(["alias", "set", "ll", "label list"]);
    expect((await run(["ll", "--help"])).stdout).toContain("tongs label list");
    const missing = await run(["titled", "mara/harbor"]);
    expect([missing.code, missing.stderr]).toEqual([
      2,
      "✗ Missing argument $2 of alias 'titled'\n  It expands to: tongs pr view $2 -R $1 --jq .title\n",
    ]);
  });

  it("refuses names of commands, and expansions that are no command", async () => {
    const { run, file } = home();
    const refused = async (name: string, expansion: string) => {
      const { code, stderr } = await run(["alias", "set", name, expansion]);
      expect(code).toBe(2);
      return stderr;
    };
    for (const name of ["pr", "help", "login", "unstar", "version"])
      expect(await refused(name, "pr list")).toContain(`'${name}' is a command of tongs`);
    expect(await refused("../x", "pr list")).toContain("is not a valid alias name");
    expect(await refused("x", "prr list")).toContain("Did you mean: tongs pr?");
    expect(await refused("x", "")).toContain("The expansion is empty");
    expect(await refused("x", "! ")).toContain("The shell command after ! is empty");
    expect(await refused("x", "pr list --label 'a b")).toContain("unclosed '");
    expect(existsSync(file)).toBe(false);
  });

  it("never runs an alias in place of a command or of another alias, however it came into the file", async () => {
    const { run, file, cwd } = home();
    mkdirSync(join(cwd, ".tongs-test"), { mode: 0o700 });
    const stored = { version: "!touch ran", pr: "!touch ran", a: "b", b: "a" };
    writeFileSync(file, JSON.stringify(stored), { mode: 0o600 });
    expect((await run(["pr"])).stdout).toContain("Manage pull requests");
    expect((await run(["version"])).code).toBe(0);
    expect((await run(["a"])).code).toBe(2);
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });

  it("reports a damaged file, and changes nothing in it", async () => {
    const { run, file, cwd } = home();
    mkdirSync(join(cwd, ".tongs-test"), { mode: 0o700 });
    for (const content of ["[", '{"co":7}']) {
      writeFileSync(file, content, { mode: 0o600 });
      const { code, stderr } = await run(["alias", "set", "x", "pr list"]);
      expect([code, stderr]).toEqual([1, expect.stringContaining("aliases.json is not valid")]);
      expect(readFileSync(file, "utf8")).toBe(content);
      expect((await run(["nonsense"])).code).toBe(1);
      expect((await run(["pr", "--help"])).code).toBe(0);
    }
  });

  it("imports the spellings of gh and tea that lead to a command, and keeps what exists", async () => {
    const { run } = home();
    await run(["alias", "set", "pulls", "pr list"]);
    expect((await run(["alias", "import", "gh"])).code).toBe(0);
    expect((await run(["alias", "import", "tea"])).code).toBe(0);
    const all = (await run(["alias", "list", "--jsonl", "--all"])).stdout;
    expect(all).toContain('{"name":"co","expansion":"pr checkout"}');
    expect(all).toContain('{"name":"pulls","expansion":"pr list"}');
    expect(all).toContain('{"name":"issues","expansion":"issue"}');
    for (const line of all.trim().split("\n")) {
      const { name } = JSON.parse(line) as { readonly name: string };
      expect((await run([name, "--help"])).code).toBe(0);
    }
  });

  it("stores nothing with --dry-run", async () => {
    const { run, file } = home();
    await run(["alias", "set", "co", "pr checkout", "--dry-run"]);
    await run(["alias", "import", "gh", "--dry-run"]);
    expect(existsSync(file)).toBe(false);
  });

  it("completes aliases and their arguments", async () => {
    const { run, cwd } = home();
    await run(["alias", "set", "labels", "label list"]);
    const env = { TONGS_CONFIG_DIR: join(cwd, ".tongs-test") };
    expect(await completed(["labe"], env)).toBe("label\tManage labels\nlabels\tlabel list\n:4\n");
    expect(await completed(["labels", "--or"], env)).toContain("--org");
    expect(await completed(["alias", "delete", ""], env)).toBe("labels\tlabel list\n:4\n");
  });
});

describe("spellings of gh that tongs knows by itself", () => {
  it.each([
    ["pr co 12", "pr checkout", ["12"]],
    ["pr approve 12", "pr review add", ["--approve", "12"]],
    ["pr update-branch 12", "pr update", ["12"]],
    ["label clone mara/harbor", "label import", ["--from", "mara/harbor"]],
    ["search prs tide", "search issue", ["--type", "pulls", "tide"]],
    ["search repos tide", "search repo", ["tide"]],
  ])("tongs %s is %s", async (typed, words, rest) => {
    const found = await route(typed.split(" "), table, aliases);
    expect(found).toMatchObject({ to: "command", words: words.split(" "), rest });
    expect(await faultIn(typed.split(" "))).toBeUndefined();
  });

  it("lead to a command, and none of them is one itself", async () => {
    for (const [typed, line] of Object.entries(aliases.commands)) {
      expect((await route(line.split(" "), table, aliases)).to, typed).toBe("command");
      expect((await route(typed.split(" "), table, { commands: {}, verbs: {} })).to, typed).toBe("unknown");
    }
  });
});

describe("the words of an expansion", () => {
  it("are those of a shell, and arguments stay whole", () => {
    expect(splitWords(`a 'b c' "d \\"e" f\\ g '' h"i"`, "It")).toEqual(["a", "b c", 'd "e', "f g", "", "hi"]);
    const hostile = "x y'; touch ran; $2";
    expect(expandAlias("n", "pr list --search 'in $1' $2", [hostile, "$1", "more"])).toEqual([
      ...["pr", "list", "--search", `in ${hostile}`],
      ...["$1", "more"],
    ]);
  });
});

describe("shell aliases and programs named tongs-NAME", () => {
  const program = (folder: string, name: string, lines: string) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), `#!/bin/sh\n${lines}\n`);
    chmodSync(join(folder, name), 0o755);
  };

  it("run with their arguments, and their exit code is that of tongs", async () => {
    const { run, cwd } = home();
    await run(["alias", "set", "note", `!printf '%s|' "$@" > said; exit 7`]);
    expect((await run(["note", "a b", "$(touch ran)"])).code).toBe(7);
    expect(readFileSync(join(cwd, "said"), "utf8")).toBe("a b|$(touch ran)|");
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });

  it.each(["a program", "an alias"])(
    "get the server and the repository in the environment, and no token (%s)",
    async (what) => {
      const { run, cwd } = home();
      const lines = `env > said; printf '%s\\n' "$@" >> said; exit 3`;
      if (what === "an alias") await run(["alias", "set", "show", `!${lines}`]);
      else program(join(cwd, "bin"), "tongs-show", lines);
      const env = { TONGS_HOST: "https://git.example.org", TONGS_TOKEN: "obviously-false" };
      const ran = await run(["-R", "mara/harbor", "show", "--flag", "x y"], {
        ...env,
        PATH: `${cwd}/bin:/usr/bin:/bin`,
      });
      expect(ran.code).toBe(3);
      const said = readFileSync(join(cwd, "said"), "utf8").split("\n");
      expect(said).toEqual(expect.arrayContaining(["TONGS_HOST=https://git.example.org", "TONGS_REPO=mara/harbor"]));
      expect(said.slice(-3)).toEqual(["--flag", "x y", ""]);
      // A flag before the name is none of the arguments.
      expect(said).not.toContain("mara/harbor");
      expect(said.join("\n")).not.toContain("obviously-false");
    },
  );

  it.each(["-Rmara/atlas", "--repo=mara/atlas"])("get the repository that %s selects", async (flag) => {
    const { run, cwd } = home();
    const bin = join(cwd, "bin");
    program(bin, "tongs-show", "env > said");
    await run([flag, "show"], { PATH: `${bin}:/usr/bin:/bin`, TONGS_HOST: "https://git.example.org" });
    expect(readFileSync(join(cwd, "said"), "utf8").split("\n")).toContain("TONGS_REPO=mara/atlas");
  });

  it.each([
    [["--profile", "nosuch"], 2, "Profile 'nosuch' not found"],
    [["--host", "http://git.example.net"], 2, "uses plain http"],
    [["-R", "git.example.net/mara/atlas", "--host=git.example.org"], 2, "The repository is on git.example.net"],
    [["--repo", "atlas"], 2, "'atlas' is not a valid repository"],
    [["--dry-run"], 2, "Flag '--dry-run' has no effect before 'show'"],
    [["-R", "mara/atlas", "--help"], 2, "Flag '--help' has no effect before 'show'"],
    [["--json=name"], 2, "Flag '--json' has no effect before 'show'"],
  ])("are not started with %j, which they would not follow", async (flags, code, words) => {
    const { run, cwd } = home();
    program(join(cwd, "bin"), "tongs-show", "touch ran");
    await run(["alias", "set", "note", "!touch ran"]);
    const env = { PATH: `${join(cwd, "bin")}:/usr/bin:/bin`, TONGS_HOST: "https://git.example.org" };
    const ran = await run([...flags, "show"], env);
    expect(ran).toMatchObject({ code, stderr: expect.stringContaining(words) });
    expect((await run([...flags, "note"], env)).code).toBe(code);
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });

  it("are not looked for in the current directory, and never replace a command", async () => {
    const { run, cwd } = home();
    program(cwd, "tongs-show", "touch ran");
    program(join(cwd, "bin"), "tongs-pr", "touch ran");
    for (const path of [".", "", "relative"])
      expect((await run(["show"], { PATH: `${path}:/usr/bin` })).stderr).toContain("Unknown command 'show'");
    expect((await run(["pr"], { PATH: join(cwd, "bin") })).stdout).toContain("Manage pull requests");
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });

  it("that cannot be started are an error", async () => {
    const { run, cwd } = home();
    program(join(cwd, "bin"), "tongs-show", "");
    writeFileSync(join(cwd, "bin", "tongs-show"), "#!/no/such/interpreter\n");
    const ran = await run(["show"], { PATH: join(cwd, "bin") });
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("Could not start")]);
  });
});
