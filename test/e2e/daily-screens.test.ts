import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestSandbox, testSandbox } from "../sandbox/with-sandbox.ts";
import { emptyFolder } from "./built.ts";
import { lastScreen, screenOf } from "./last-screen.ts";
import { keys, missing, onTerminal, type Terminal } from "./terminal.ts";

const harbor = "/repos/mara/harbor";
let sandbox: TestSandbox;
/** The number of an issue with a long text. */
let issue: string;
/** Its jobs take some seconds. */
let slow: TestSandbox;
beforeAll(async () => {
  sandbox = await testSandbox();
  const lines = Array.from({ length: 60 }, (_, day) => `- day ${day}`).join("\n");
  const made = await sandbox.ask("POST", `${harbor}/issues`, "mara", { title: "Log of the season", body: lines });
  issue = String((made.body as { readonly number: number }).number);
  slow = await testSandbox({ delays: { jobStep: 3000 } });
});
afterAll(() => Promise.all([sandbox.close(), slow.close()]));

interface Options {
  readonly as?: string;
  readonly on?: TestSandbox;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const start = (
  line: readonly string[],
  { as = "mara", on = sandbox, cwd, env = {} }: Options = {},
): Promise<Terminal> =>
  onTerminal(line, {
    ...(cwd === undefined ? {} : { cwd }),
    env: {
      TONGS_HOST: on.url,
      TONGS_TOKEN: on.token(as),
      GIT_CONFIG_GLOBAL: "/dev/null",
      NO_COLOR: "1",
      TONGS_REPO: "mara/harbor",
      TONGS_PAGER: "cat",
      ...env,
    },
  });
const git = async (cwd: string, ...args: string[]) =>
  (await promisify(execFile)("git", args, { cwd })).stdout.trimEnd();

/** A program that writes the address that it is given to a file. */
function browser(): { readonly program: string; readonly opened: () => string } {
  const program = join(emptyFolder(), "browser");
  writeFileSync(program, `#!/bin/sh\nprintf %s "$1" > ${program}.opened\n`, { mode: 0o755 });
  return { program, opened: () => readFileSync(`${program}.opened`, "utf8") };
}

describe(`on a terminal of 80 columns${missing}`, { skip: missing !== "" }, () => {
  it("user create refuses a taken name when it is typed; no prompt ends with a colon", async () => {
    const creating = await start(["user", "create"], { as: "harbormaster" });
    await creating.until("Username");
    creating.type(`mara${keys.enter}`);
    await creating.until("The name mara is already taken");
    expect(creating.read()).not.toContain("Email address");
    creating.type(`${"\u007f".repeat(4)}lena${keys.enter}`);
    await creating.until("Email address");
    creating.type(`lena@example.org${keys.enter}`);
    await creating.until("assword");
    expect(screenOf(creating.written())).not.toMatch(/^\?[^\n]*:\s*$/m);
    creating.type(keys.interrupt);
    expect(await creating.ended).toBe(3);
    expect((await sandbox.ask("GET", "/users/lena", "mara")).status).toBe(404);
  });

  it("an editor that ends with an error, as vi after :cq, cancels the command", async () => {
    const editor = join(emptyFolder(), "editor");
    writeFileSync(editor, `#!/bin/sh\necho Moored > "$1"\nexit 1\n`, { mode: 0o755 });
    const commenting = await start(["issue", "comment", issue], { env: { TONGS_EDITOR: editor } });
    expect(await commenting.ended).toBe(3);
    expect(commenting.read()).toContain("Cancelled; nothing was done");
    expect((await sandbox.ask("GET", `${harbor}/issues/${issue}/comments`, "mara")).body).toEqual([]);
  });

  it("user delete of someone who owns things says which flag takes them along, and does not ask", async () => {
    const deleting = await start(["user", "delete", "mara"], { as: "harbormaster" });
    expect(await deleting.ended).toBe(13);
    expect(deleting.read()).toContain("--purge");
    expect(deleting.read()).not.toMatch(/[?] .*mara/);
    expect((await sandbox.ask("GET", "/users/mara", "jonas")).status).toBe(200);
  });

  it("an unknown field of --json is named with the known ones", async () => {
    for (const flag of [["--json=bogus"], ["--json", "number,bogus"]]) {
      const listing = await start(["pr", "list", ...flag]);
      expect(await listing.ended).toBe(2);
      expect(listing.read()).toContain("bogus");
      expect(listing.read()).toContain("number");
    }
    const viewing = await start(["pr", "view", "--json", "bogus"]);
    expect(await viewing.ended).toBe(5);
    expect(viewing.read().replace(/\s+/g, " ")).toContain("'bogus' is not a field of --json");
  });

  it("repo fork offers to clone the fork", async () => {
    const cwd = emptyFolder();
    const forking = await start(["repo", "fork", "mara/harbor"], { as: "jonas", cwd });
    await forking.until("Clone the fork?");
    forking.type(`y${keys.enter}`);
    expect(await forking.ended).toBe(0);
    expect(await git(join(cwd, "harbor"), "remote", "get-url", "origin")).toBe(`${sandbox.url}/jonas/harbor.git`);
    expect(await git(join(cwd, "harbor"), "remote", "get-url", "upstream")).toBe(`${sandbox.url}/mara/harbor.git`);
  });

  it("repo set-default offers the remotes, and later commands use the chosen one", async () => {
    const cwd = emptyFolder();
    await git(cwd, "init", "-q");
    await git(cwd, "remote", "add", "origin", `${sandbox.url}/mara/harbor.git`);
    await git(cwd, "remote", "add", "fork", `${sandbox.url}/priya/harbor.git`);
    const choosing = await start(["repo", "set-default"], { cwd, env: { TONGS_REPO: "" } });
    await choosing.until("Which repository should be the default?");
    choosing.type("priya");
    await choosing.until("❯ priya/harbor");
    choosing.type(keys.enter);
    expect(await choosing.ended).toBe(0);
    const viewing = await start(["repo", "view"], { cwd, env: { TONGS_REPO: "" } });
    expect(await viewing.ended).toBe(0);
    expect(viewing.read()).toMatch(/^priya\/harbor$/m);
  });

  it("pr view says why a pull request cannot be merged", async () => {
    const viewing = await start(["pr", "view", "6"]);
    expect(await viewing.ended).toBe(0);
    expect(viewing.read()).toMatch(/^mergeable +✗ no.*draft/m);
  });

  it("pr lock and unlock say what they did", async () => {
    const locking = await start(["pr", "lock", "5", "--reason", "Spam"]);
    expect(await locking.ended).toBe(0);
    expect((await lastScreen(locking)).replace(/\s+/g, " ")).toContain("✓ Locked pull request mara/harbor#5 ");
    expect((await sandbox.ask("GET", `${harbor}/issues/5`, "mara")).body).toMatchObject({ is_locked: true });
    const unlocking = await start(["pr", "unlock", "5"]);
    expect(await unlocking.ended).toBe(0);
    expect((await sandbox.ask("GET", `${harbor}/issues/5`, "mara")).body).toMatchObject({ is_locked: false });
  });

  it("a long text is shown in the pager, and a short one is not", async () => {
    const pager = join(emptyFolder(), "pager");
    writeFileSync(pager, "#!/bin/sh\necho PAGER BEGINS\ncat\necho PAGER ENDS\n", { mode: 0o755 });
    const env = { TONGS_PAGER: pager };
    const long = await start(["issue", "view", issue], { env });
    expect(await long.ended).toBe(0);
    expect(long.read()).toMatch(/PAGER BEGINS\n[\s\S]*• day 59\n[\s\S]*PAGER ENDS\n/);
    const short = await start(["pr", "view", "4"], { env });
    expect(await short.ended).toBe(0);
    expect(short.read()).not.toContain("PAGER");
  });

  it("a list longer than the screen is shown in the pager, below its heading, and a shorter one is not", async () => {
    const names = Array.from({ length: 40 }, (_, number) => `berth-${number}`);
    for (const name of names) await sandbox.ask("POST", `${harbor}/labels`, "mara", { name, color: "#aaccee" });
    const pager = join(emptyFolder(), "pager");
    writeFileSync(pager, "#!/bin/sh\necho PAGER BEGINS\ncat\necho PAGER ENDS\n", { mode: 0o755 });
    const env = { TONGS_PAGER: pager };
    const long = await start(["label", "list", "--all"], { env });
    expect(await long.ended).toBe(0);
    expect(long.read()).toMatch(
      /PAGER BEGINS\nShowing \d+ of \d+ labels in mara\/harbor\n[\s\S]*berth-39[\s\S]*PAGER ENDS\n/,
    );
    const short = await start(["label", "list", "--limit", "5"], { env });
    expect(await short.ended).toBe(0);
    expect(short.read()).not.toContain("PAGER");
    expect(short.read()).toContain("Showing 5 of ");
    const dumb = await start(["label", "list", "--all"], { env: { ...env, TERM: "dumb" } });
    expect(await dumb.ended).toBe(0);
    expect(dumb.read()).not.toContain("PAGER");
    const records = await start(["label", "list", "--all", "--json", "name"], { env });
    expect(await records.ended).toBe(0);
    expect(records.read()).not.toContain("PAGER");
  });

  it("workflow view --web opens the runs of the workflow", async () => {
    const { program, opened } = browser();
    const viewing = await start(["workflow", "view", "CI", "--web"], { env: { BROWSER: program } });
    expect(await viewing.ended).toBe(0);
    expect(opened()).toBe(`${sandbox.url}/mara/harbor/actions?workflow=ci.yml`);
  });

  it("workflow run prompts for the inputs, run watch moves each second, and --wait ends both", async () => {
    const running = await start(["workflow", "run", "ci.yml", "--watch", "--wait", "1"], { on: slow });
    await running.until("depth");
    running.type(keys.enter);
    await running.until("storm");
    running.type(keys.enter);
    expect(await running.ended).toBe(8);
    expect(running.read()).toContain("The run did not complete within 1 s.");
    const watching = await start(["run", "watch", "latest", "--interval", "60"], { on: slow });
    await watching.until("jobs finished");
    const frames = () => new Set(watching.read().match(/[⠀-⣿](?= run #)/g)).size;
    while (frames() < 3) await new Promise((resolve) => setTimeout(resolve, 50));
    watching.type(keys.interrupt);
    expect(await watching.ended).toBe(130);
  });

  it("config set changes the browser for the next command, and nothing is left half done", async () => {
    const cwd = emptyFolder();
    const { program, opened } = browser();
    const setting = await start(["config", "set", "browser", program], { cwd });
    expect(await setting.ended).toBe(0);
    const listing = await start(["milestone", "list", "--web"], { cwd });
    expect(await listing.ended).toBe(0);
    expect(opened()).toBe(`${sandbox.url}/mara/harbor/milestones`);
    expect(existsSync(join(cwd, "config", "config.json"))).toBe(true);
  });
});
