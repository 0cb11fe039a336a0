import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allCommands } from "../../src/command/write-help.ts";
import { table } from "../../src/commands/index.ts";
import { type Cassette, cassette } from "../support/cassette.ts";
import { isRecorded, type ReadLine, readLines } from "../support/read-lines.ts";
import { emptyFolder } from "../support/tongs.ts";
import { type OnSandbox, onSandbox } from "./on-sandbox.ts";

/** Not auth login, whose --web signs in. */
const commands = (await allCommands(table)).filter(
  ({ command }) => command.flags["web"]?.description === "open the web page in the browser",
);

/** Arguments that other flags than --web do not allow with it, or that show more. */
const ownLines: Readonly<Record<string, readonly ReadLine[]>> = {
  "pr view": [["2"], ["fog-horn"]],
  "pr diff": [["2"]],
  "pr list": [[], ["--state", "merged", "--search", "fog horn"]],
  "issue list": [["--state", "all"]],
  "issue view": [["8"]],
  "run view": [["latest"], ["#2"]],
  "run jobs": [["latest"]],
  "run list": [[], ["--workflow", "CI"]],
  "repo view": [[], ["--branch", "fog-horn"], ["--id", "1"], ["jonas/notes"]],
  "repo list": [[], ["tidewater"]],
  "commit status list": [["main"]],
  "commit list": [[], ["fog-horn"], ["v1.0"]],
  "milestone list": [["--state", "closed"]],
  "file list": [["docs"], ["--ref", "v1.0"]],
  "label list": [[], ["--org", "tidewater"]],
  "runner list": [[], ["--org", "tidewater"], ["--user"]],
  "runner view": [["1"]],
  "variable list": [[], ["--org", "tidewater"]],
  "user view": [[], ["jonas"]],
  "user list": [["--query", "jo"]],
  "org list": [[], ["--visible"], ["jonas"]],
  "team list": [[], ["tidewater"]],
  "token list": [[]],
  "gpg-key list": [[], ["--user", "jonas"]],
  "ssh-key list": [[], ["--user", "jonas"]],
  "star list": [[], ["--user", "jonas"]],
  "search repo": [["harbor"], ["sailing", "--topic"]],
  "search issue": [["fog", "--type", "pulls"]],
  "search topic": [["sail"]],
  "search user": [["jo"]],
  "commit view": [["main"]],
  "issue template list": [[]],
  "issue template view": [["Bug report"]],
  "hook git list": [[]],
  "hook git view": [["pre-receive"]],
  "org block list": [["tidewater"]],
  "user block list": [[]],
  "user settings view": [[]],
  "operation view": [["repoGet"]],
  "comment view": [["2"]],
  "comment reaction list": [["2"]],
  "notification list": [[]],
  "issue time list": [["8"], []],
  "issue reaction list": [["8"]],
  "issue timeline": [["8"]],
  "issue attachment list": [["8"]],
  "repo activity": [[]],
  "repo license": [[]],
  "repo language": [[]],
  "repo watchers": [[]],
  "repo deploy-key list": [[]],
  "repo deploy-key view": [["4"]],
  "repo mirror list": [[]],
  "repo mirror view": [["remote_mirror_x"]],
  "pr thread list": [["2"]],
  "wiki list": [[]],
  "oauth-app list": [[]],
  "oauth-app view": [["10"]],
  "package list": [
    ["--owner", "tidewater"],
    ["generic/charts", "--owner", "mara"],
  ],
  "package view": [["npm/@tide/table@1.2.0", "--owner", "mara"]],
  "package files": [["generic/charts@1.0.0", "--owner", "mara"]],
};

describe("--web", () => {
  let sandbox: OnSandbox;
  const players: Cassette[] = [];
  const cwd = emptyFolder();
  const opened = join(cwd, "opened");
  const browser = join(cwd, "browser");

  beforeAll(async () => {
    sandbox = await onSandbox();
    const release = { tag_name: "v1.0", target_commitish: "main", name: "First season" };
    expect((await sandbox.ask("POST", "/repos/mara/harbor/releases", "mara", release)).status).toBe(201);
    writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > ${opened}\n`, { mode: 0o755 });
  });
  afterAll(async () => {
    for (const player of players) await player.close();
  });

  /** The address that a command opens, without that of the server. */
  async function pageOf(words: readonly string[], line: ReadLine): Promise<string> {
    rmSync(opened, { force: true });
    const env = { BROWSER: browser, TONGS_REPO: "mara/harbor" };
    let base = sandbox.url;
    let ran: { readonly code: number; readonly stdout: string; readonly stderr: string };
    if (isRecorded(line)) {
      const player = await cassette(line.cassette, undefined, { repeat: true });
      players.push(player);
      base = player.url;
      ran = await player.run([...words, ...line.line, "--web"], {
        cwd,
        env: { ...env, ...(line.repo === undefined ? {} : { TONGS_REPO: line.repo }) },
      });
    } else ran = await sandbox.run([...words, ...line, "--web"], { cwd, env, as: "mara" });
    expect(ran, [...words, line].join(" ")).toMatchObject({ code: 0 });
    expect(ran.stdout).toBe("");
    const address = readFileSync(opened, "utf8");
    expect(address.startsWith(base)).toBe(true);
    expect(ran.stderr).toContain(`Opening ${address} in your browser.`);
    return address.slice(base.length).replace(/[0-9a-f]{40}/, "COMMIT") || "/";
  }

  it("opens the page of what a command views or lists", async () => {
    const pages: string[] = [];
    for (const { words } of commands) {
      const name = words.join(" ");
      for (const line of ownLines[name] ?? readLines[name]?.slice(0, 1) ?? [[]]) {
        const typed = isRecorded(line) ? line.line : line;
        const shown = `tongs ${[...words, ...typed].join(" ")} --web`;
        pages.push(`${shown.padEnd(64)} ${await pageOf(words, line)}`);
      }
    }
    await expect(`${pages.join("\n")}\n`).toMatchFileSnapshot(join(import.meta.dirname, "web-pages.txt"));
  });

  it("is a flag of every view and list that has a page on all servers", async () => {
    const without = (await allCommands(table))
      .filter(({ words, command }) => /^(view|list|status)$/.test(words.at(-1) ?? "") && !("web" in command.flags))
      .filter(({ command }) => command.on === "repository" || command.on === "server")
      .map(({ words }) => words.join(" "));
    // The pages of administrators have another address on Forgejo.
    const ofAdmins = ["cron", "org", "unadopted", "email"].map((noun) => `admin ${noun} list`);
    const quotas = ["group list", "group view", "rule list", "rule view", "group user list"].map(
      (verb) => `quota ${verb}`,
    );
    const templates = ["gitignore", "license", "label"].flatMap((noun) => [
      `template ${noun} list`,
      `template ${noun} view`,
    ]);
    expect(without.sort()).toEqual(["user badge list", "user email list", ...ofAdmins, ...quotas, ...templates].sort());
  });

  it("cannot be used with flags that the page does not have, or with records", async () => {
    sandbox.requests();
    const before = sandbox.requests();
    const run = (...line: string[]) => sandbox.run(line, { cwd, env: { BROWSER: browser, TONGS_REPO: "mara/harbor" } });
    expect(await run("pr", "list", "--label", "bug", "--web")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("only one of --label or --web"),
    });
    expect(await run("pr", "list", "--web", "--json")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--web cannot be used with --json"),
    });
    expect((await run("hook", "list", "--web", "--admin")).code).toBe(2);
    expect(sandbox.requests()).toBe(before);
  });
});
