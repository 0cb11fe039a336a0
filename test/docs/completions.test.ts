import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve, type TestServer } from "../support/server.ts";
import { aroundZsh, type CompletionFolder, completionFolder, insideZsh, installed, promises } from "./shells.ts";

/** Names and titles that a shell would run, if it read them as code. */
const hostile = [
  "$(touch ran)",
  "`touch ran`",
  "a'; touch ran; '",
  'b"; touch ran; "',
  "c $HOME ~ * ? [a-z] {x,y} !!",
  "d & touch ran #",
  "~e",
  "f\\g",
  "‘h’; touch ran",
];

let server: TestServer;
let folder: CompletionFolder;
beforeAll(async () => {
  server = await serve(({ url }) => {
    if (url.includes("/labels")) return { body: hostile.map((name, id) => ({ id, name, color: "00aabb" })) };
    if (url.includes("/pulls"))
      return {
        body: [...hostile, "i\nj\u001b[31m\tk"].map((title, at) => ({ ...pull, id: at, number: at + 10, title })),
      };
    return { status: 404, body: { message: "not found" } };
  });
  folder = await completionFolder({
    TONGS_HOST: server.url,
    TONGS_TOKEN: "0",
    TONGS_REPO: "mara/harbor",
    TONGS_CONFIG_DIR: "/nowhere/config",
    XDG_CACHE_HOME: "/proc/none",
  });
});
afterAll(async () => {
  await folder.close();
});

const pull = {
  state: "open",
  user: { login: "mara" },
  merged: false,
  draft: false,
  html_url: "https://x.test/1",
  body: "",
  head: { ref: "a", sha: "1", label: "a", repo: null },
  base: { ref: "b", sha: "2", label: "b", repo: null },
  id: 1,
  url: "https://x.test/1",
  labels: [],
  assignees: [],
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  comments: 0,
  mergeable: true,
};

const skipped = (program: string) => (installed(program) ? "" : ` (skipped: ${program} is not installed here)`);
const ran = () => existsSync(join(folder.path, "ran"));

describe(`the completion of bash${skipped("bash")}`, () => {
  /** Completes a line as readline does: words are split at = and :. */
  const replies = async (typed: string, type = 9) => {
    const words: string[] = typed.match(/^\s*$|"[^"]*"?|'[^']*'?|[=:]+|(?:\\.|[^\s=:'"])+|(?<=\s)$/g) ?? [];
    if (/[=:]$/.test(typed) === false && typed.endsWith(" ") && words.at(-1) !== "") words.push("");
    const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
    const script = [
      "source ./tongs.bash",
      `COMP_WORDS=(${words.map(quoted).join(" ")})`,
      `COMP_CWORD=${words.length - 1} COMP_LINE=${quoted(typed)} COMP_POINT=${typed.length} COMP_TYPE=${type}`,
      `_tongs; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ];
    const out = await folder.shell("bash", ["--norc", "-c", script.join("\n")]);
    return out.split("\n").filter((word) => word !== "");
  };
  const bash = it.skipIf(!installed("bash"));

  bash.each(promises)("offers for '%s' %j", async (typed, words) => {
    expect((await replies(typed)).sort()).toEqual([...words].sort());
  });

  bash("completes values and fields after an equals sign", async () => {
    expect(await replies("tongs crate list --state=c")).toEqual(["closed"]);
    expect(await replies("tongs crate list --json=id,na")).toEqual(["id,name"]);
  });

  bash("completes paths with spaces, and only directories for a directory", async () => {
    expect(await replies("tongs load quay")).toEqual(expect.arrayContaining(["quay one.txt", "quay-two.txt"]));
    expect(await replies("tongs hoist add --from qua")).toEqual(["quarter"]);
  });

  bash("offers the flags of the command and the global flags", async () => {
    expect(await replies("tongs crate list --")).toEqual(expect.arrayContaining(["--label", "--json", "--help"]));
    expect(await replies("tongs crate paint -- -")).toEqual([]);
  });

  bash.each(["", "'", '"'])("inserts names that look like code as text, also after %j", async (quote) => {
    const words = await replies(`tongs label delete ${quote}`);
    // Readline keeps the opening quote, and closes it after the only word.
    const line = words.map((word) => quote + word + quote).join(" ");
    const script = `printf '%s\\n' ${line}`;
    expect((await folder.shell("bash", ["--norc", "-c", script])).split("\n").slice(0, -1)).toEqual(hostile);
    expect(ran()).toBe(false);
  });

  bash("completes what was typed of a name with its quotes", async () => {
    expect(await replies("tongs label delete 'a")).toEqual(["a'\\''; touch ran; '\\''"]);
    expect(await replies("tongs label delete \\$")).toEqual(["\\$\\(touch\\ ran\\)"]);
    expect(ran()).toBe(false);
  });

  bash("shows titles when it lists several words, and inserts only numbers", async () => {
    expect(await replies("tongs pr checkout 1")).toEqual(Array.from({ length: 10 }, (_, at) => `${at + 10}`));
    const listed = await replies("tongs pr checkout 1", 63);
    expect(listed[0]).toBe("10  ($(touch ran))");
    expect(listed.at(-1)).toBe("19  (i j␛[31m k)");
    expect(await replies("tongs pr checkout 19", 63)).toEqual(["19"]);
    expect(ran()).toBe(false);
  });
});

describe(`the completion of fish${skipped("fish")}`, () => {
  const complete = (typed: string) =>
    folder.shell("fish", ["--no-config", "-c", "source tongs.fish; complete -C $argv[1]", "--", typed]);
  const offered = async (typed: string) =>
    (await complete(typed))
      .split("\n")
      .map((line) => line.split("\t")[0] ?? "")
      .filter((word) => word !== "");
  const fish = it.skipIf(!installed("fish"));

  fish.each(promises)("offers for '%s' %j", async (typed, words) => {
    expect((await offered(typed)).sort()).toEqual([...words].sort());
  });

  fish("completes values and fields after an equals sign", async () => {
    expect(await offered("tongs crate list --state=c")).toEqual(["--state=closed"]);
    expect(await offered("tongs crate list --json=id,na")).toEqual(["--json=id,name"]);
  });

  fish("describes each word", async () => {
    expect(await complete("tongs crate list --dra")).toContain("--draft\tdrafts: or not");
  });

  fish("inserts names that look like code as text", async () => {
    // --escape quotes the words as they are inserted.
    const script = "source tongs.fish; complete --escape -C 'tongs label delete ' | string split -f1 \\t";
    const words = (await folder.shell("fish", ["--no-config", "-c", script])).split("\n").slice(0, -1);
    const back = await folder.shell("fish", ["--no-config", "-c", `printf '%s\\n' ${words.join(" ")}`]);
    expect(back.split("\n").slice(0, -1).sort()).toEqual([...hostile].sort());
    expect(ran()).toBe(false);
  });

  fish("shows titles beside the numbers", async () => {
    const listed = (await complete("tongs pr checkout ")).split("\n");
    expect(listed).toContain("10\t$(touch ran)");
    expect(listed).toContain("19\ti j␛[31m k");
    expect(ran()).toBe(false);
  });
});

describe(`the completion of zsh${skipped("zsh")}`, () => {
  /** Types each text into the line editor of a real zsh, completes it and returns the offered words. */
  const offered = async (typed: readonly string[]) => {
    writeFileSync(join(folder.path, "inner.zsh"), insideZsh);
    return (await folder.shell("zsh", ["-f", "-c", aroundZsh, "zsh", ...typed]))
      .split("\n")
      .slice(0, -1)
      .map((line) => line.split("|").filter((word) => word !== ""));
  };
  const zsh = (name: string, test: () => Promise<void>) => it.skipIf(!installed("zsh"))(name, test);

  zsh("offers the promised words in its line editor", async () => {
    const expected = promises.map(([typed, words]) => [typed, [...words].sort()]);
    const came = await offered(promises.map(([typed]) => typed));
    expect(promises.map(([typed], at) => [typed, came[at]?.sort()])).toEqual(expected);
  });

  zsh("completes values, fields and paths after an equals sign", async () => {
    const typed = ["tongs crate list --state=c", "tongs crate list --json=id,na", "tongs hoist x/y --from=qua"];
    expect(await offered(typed)).toEqual([["--state=closed"], ["--json=id,name"], ["quarter"]]);
  });

  zsh("offers names and titles that look like code as text", async () => {
    const [labels, pulls] = await offered(["tongs label delete ", "tongs pr checkout "]);
    // compadd reports the words as it inserts them.
    const back = await folder.shell("zsh", ["-f", "-c", `print -rl -- ${labels?.join(" ")}`]);
    expect(back.split("\n").slice(0, -1)).toEqual(hostile);
    expect(pulls?.slice(0, 2)).toEqual(["10", "11"]);
    expect(ran()).toBe(false);
  });
});

describe(`the completion of PowerShell${skipped("pwsh")}`, () => {
  const pwsh = it.skipIf(!installed("pwsh"));
  /** Runs lines after the script was loaded. */
  const run = (...lines: string[]) =>
    folder.shell("pwsh", [
      "-NoLogo",
      "-NoProfile",
      "-NonInteractive",
      "-Command",
      [". ./tongs.ps1", ...lines].join("\n"),
    ]);
  const completing = (typed: string) =>
    `(TabExpansion2 -inputScript '${typed.replaceAll("'", "''")}' -cursorColumn ${typed.length}).CompletionMatches`;
  const linesOf = (text: string) => text.split(/\r?\n/).filter((line) => line !== "");

  pwsh.each(promises)("offers for '%s' %j", async (typed, words) => {
    const offered = linesOf(await run(`${completing(typed)} | ForEach-Object { $_.ListItemText }`));
    expect(offered.map((word) => word.replace(/^\.[\\/]/, "")).sort()).toEqual([...words].sort());
  });

  pwsh("inserts names that look like code as text", async () => {
    const inserted = "foreach ($Match in $Found) { Invoke-Expression ('Write-Output ' + $Match.CompletionText) }";
    const text = await run(`$Found = ${completing("tongs label delete ")}`, inserted);
    expect(linesOf(text)).toEqual(hostile);
    expect(ran()).toBe(false);
  });
});

describe("the text of the completion of PowerShell, which is seldom installed", () => {
  const script = () => readFileSync(join(folder.path, "tongs.ps1"), "utf8");

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

  it("puts every word that is not plain in single quotes, and doubles those in it", () => {
    const [, plain = ""] = /\$Word -notmatch '(\^\[.*?\$)'/.exec(script()) ?? [];
    expect(hostile.filter((name) => new RegExp(plain).test(name))).toEqual([]);
    expect(script()).toContain(`-replace "(['\\u2018\\u2019\\u201a\\u201b])", '$1$1'`);
    expect(script()).not.toMatch(/Invoke-Expression(?!\n)|\biex\b/);
  });
});

describe("the completion scripts", () => {
  it.each(["tongs.bash", "_tongs", "tongs.fish", "tongs.ps1"])("%s has no list of commands", (name) => {
    const text = readFileSync(join(folder.path, name), "utf8");
    expect(text.split("\n").length).toBeLessThan(110);
    expect(text).not.toMatch(/checkout|artifact/);
  });
});
