import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { aroundZsh, completionFolder, insideZsh, installed, promises, shell } from "./shells.ts";

let folder = "";
beforeAll(async () => {
  folder = await completionFolder();
});

const skipped = (program: string) => (installed(program) ? "" : ` (skipped: ${program} is not installed here)`);

describe(`the completion of bash${skipped("bash")}`, () => {
  // bash splits words at =, like readline.
  const offered = (typed: string) => {
    const words = typed.split(" ").flatMap((word) => word.split(/(=)/).filter((part, at) => part !== "" || at === 0));
    const list = words.map((word) => `'${word}'`).join(" ");
    const script = `source tongs.bash; COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _tongs; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return shell("bash", ["--norc", "-c", script], folder)
      .split("\n")
      .filter((word) => word !== "");
  };

  it.skipIf(!installed("bash")).each(promises)("offers for '%s' %j", (typed, words) => {
    expect(offered(typed).sort()).toEqual([...words].sort());
  });

  it.skipIf(!installed("bash"))("completes values and fields after an equals sign", () => {
    expect(offered("tongs crate list --state=c")).toEqual(["closed"]);
    expect(offered("tongs crate list --json=id,na")).toEqual(["id,name"]);
  });

  it.skipIf(!installed("bash"))("completes paths with spaces, and only directories for a directory", () => {
    expect(offered("tongs load quay")).toEqual(expect.arrayContaining(["quay one.txt", "quay-two.txt"]));
    expect(offered("tongs hoist add --from qua")).toEqual(["quarter"]);
  });

  it.skipIf(!installed("bash"))("offers the flags of the command and the global flags", () => {
    expect(offered("tongs crate list --")).toEqual(expect.arrayContaining(["--label", "--json", "--help"]));
    expect(offered("tongs crate paint -- -")).toEqual([]);
  });
});

describe(`the completion of fish${skipped("fish")}`, () => {
  const offered = (typed: string) =>
    shell("fish", ["--no-config", "-c", "source tongs.fish; complete -C $argv[1]", "--", typed], folder)
      .split("\n")
      .map((line) => line.split("\t")[0] ?? "")
      .filter((word) => word !== "");

  it.skipIf(!installed("fish")).each(promises)("offers for '%s' %j", (typed, words) => {
    expect(offered(typed).sort()).toEqual([...words].sort());
  });

  it.skipIf(!installed("fish"))("completes values and fields after an equals sign", () => {
    expect(offered("tongs crate list --state=c")).toEqual(["--state=closed"]);
    expect(offered("tongs crate list --json=id,na")).toEqual(["--json=id,name"]);
  });

  it.skipIf(!installed("fish"))("describes each word", () => {
    const listed = shell(
      "fish",
      ["--no-config", "-c", "source tongs.fish; complete -C 'tongs crate list --dra'"],
      folder,
    );
    expect(listed).toContain("--draft\tdrafts: or not");
  });
});

describe(`the completion of zsh${skipped("zsh")}`, () => {
  /** Types each text into the line editor of a real zsh, completes it and returns the offered words. */
  const offered = (typed: readonly string[]) => {
    writeFileSync(join(folder, "inner.zsh"), insideZsh);
    return shell("zsh", ["-f", "-c", aroundZsh, "zsh", ...typed], folder)
      .split("\n")
      .slice(0, -1)
      .map((line) => line.split("|").filter((word) => word !== ""));
  };

  it.skipIf(!installed("zsh"))("offers the promised words in its line editor", () => {
    // zsh completes only the last part of a comma-separated list.
    const expected = promises.map(([typed, words]) => [typed, words.map((word) => word.replace(/^.*,/, "")).sort()]);
    const came = offered(promises.map(([typed]) => typed));
    expect(promises.map(([typed], at) => [typed, came[at]?.sort()])).toEqual(expected);
  });

  it.skipIf(!installed("zsh"))("completes values, fields and paths after an equals sign", () => {
    const typed = ["tongs crate list --state=c", "tongs crate list --json=id,na", "tongs hoist x/y --from=qua"];
    expect(offered(typed)).toEqual([["closed"], ["name"], ["quarter"]]);
  });
});

describe("the completion of PowerShell (no PowerShell here: its text is checked)", () => {
  const script = () => readFileSync(join(folder, "tongs.ps1"), "utf8");

  it("balances its brackets and closes its strings", () => {
    const bare = script()
      .replace(/^\s*#.*$/gm, "")
      .replace(/'(?:[^']|'')*'|"(?:[^"`]|`.)*"/g, "");
    expect(bare).not.toMatch(/['"]/);
    const open: string[] = [];
    const closes: Record<string, string> = { ")": "(", "]": "[", "}": "{" };
    for (const [bracket] of bare.matchAll(/[()[\]{}]/g)) {
      if (closes[bracket] === undefined) open.push(bracket);
      else expect(open.pop()).toBe(closes[bracket]);
    }
    expect(open).toEqual([]);
  });

  it("quotes what PowerShell would read as code", () => {
    expect(script()).toContain('"--from`twhere ``they`` cost `$5"');
  });

  it("has every step, value, field and short flag", () => {
    expect(script()).toContain("$Steps['crate ls'] = 'crate list'");
    expect(script()).toContain("$Steps[' lower'] = 'hoist remove'");
    expect(script()).toContain("$DefaultVerbs['hoist'] = 'hoist add'");
    expect(script()).toContain("$Values['crate list --state'] = @('open', 'closed', 'lost')");
    expect(script()).toContain("$Fields['crate side list'] = @('id', 'name', 'notes')");
    expect(script()).not.toContain("'no such'");
  });
});
