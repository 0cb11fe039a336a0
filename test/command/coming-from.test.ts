import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { topics } from "../../src/command/topics.ts";
import { type TestSandbox, testSandbox } from "../sandbox/with-sandbox.ts";
import { commandLines } from "../support/command-lines.ts";
import { emptyFolder, tongs } from "../support/tongs.ts";

/** The command lines of tongs beside those of gh and tea. */
const lines = (
  await Promise.all(
    ["coming-from-gh", "coming-from-tea"].map(async (name) => {
      const rows = ((await topics[name]?.blocks()) ?? []).flatMap((block) => (block.kind === "rows" ? block.rows : []));
      return rows.flatMap(([, ours]) => (ours.startsWith("tongs ") ? commandLines(ours) : []));
    }),
  )
).flat();

/** Why a line cannot succeed here: it prompts on a terminal, or the sandbox has no such thing. */
const expected: Readonly<Record<string, readonly [code: number, message: string]>> = {
  "auth login": [2, "required"],
  "auth login --host https://git.example.org": [2, "required"],
  "auth switch": [4, "No other account"],
  "pr create": [2, "--title"],
  "pr merge 12 --auto": [9, "main requires no checks"],
  "pr review 12": [2, "--approve, --request-changes or --comment is required"],
  "release create v1.1": [2, "--notes"],
  "release create v1.1 a.zip": [2, "--notes"],
  "release download v1.0": [5, "No assets"],
  "run watch 31": [12, "tongs run why"],
  "repo deploy-key list": [5, "does not support"],
  "issue time list": [5, "does not support"],
};

describe("every command of tongs beside one of gh or tea", () => {
  let sandbox: TestSandbox;
  let world: { readonly cwd: string; readonly env: Readonly<Record<string, string>> };

  beforeAll(async () => {
    sandbox = await testSandbox();
    const cwd = emptyFolder();
    world = { cwd, env: { TONGS_CONFIG_DIR: join(emptyFolder(), "config"), TONGS_JOURNAL: "off", BROWSER: "true" } };
    // The account, the issue, the pull request, the milestone and the release that the lines name.
    const login = ["auth", "login", "--host", sandbox.url, "--profile", "work", "--token-stdin"];
    const signedIn = await tongs(login, { ...world, stdin: sandbox.token("harbormaster") });
    expect(signedIn.code, signedIn.stderr).toBe(0);
    const add = async (path: string, body: unknown) => {
      const { status } = await sandbox.ask("POST", `/repos/mara/harbor/${path}`, "mara", body);
      expect(status, path).toBe(201);
    };
    for (const title of ["Eight", "Nine", "Ten", "Eleven"]) await add("issues", { title });
    await add("contents/lights.txt", { content: "MQ==", branch: "main", new_branch: "lights", message: "Lights" });
    await add("pulls", { title: "Twelve", head: "lights", base: "main" });
    await add("milestones", { title: "v1.2" });
    await add("releases", { tag_name: "v1.0", name: "1.0" });
    for (const [name, text] of [["a.zip", "a"] as const, ["key.pub", "ssh-ed25519 AAAA laptop"] as const])
      writeFileSync(join(cwd, name), text);
    const git = (...args: string[]) => promisify(execFile)("git", args, { cwd });
    await git("init", "-q", "-b", "boat");
    await git("remote", "add", "origin", `${sandbox.url}/mara/harbor.git`);
    await git("fetch", "-q");
    await git("reset", "-q", "--hard", "origin/main");
    const who = ["-c", "user.name=Mara", "-c", "user.email=mara@example.org"];
    await git(...who, "commit", "-q", "--allow-empty", "-m", "Boat");
  });

  it.each(lines.map((line) => ({ line, name: line.join(" ") })))("tongs $name runs", async ({ line, name }) => {
    // The sandbox has no run of this number.
    const typed = line.map((word) => (word === "31" ? "2" : word));
    const ran = await tongs([...typed, "--dry-run"], { ...world, stdin: "value" });
    const [code, message] = expected[name] ?? [0, ""];
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(message)]);
  });

  it("the exceptions are lines that exist", () => {
    const names = lines.map((line) => line.join(" "));
    expect(Object.keys(expected).filter((name) => !names.includes(name))).toEqual([]);
  });
});
