import { writeFileSync } from "node:fs";
import { join } from "node:path";
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
  readonly env?: Readonly<Record<string, string>>;
}

const start = (line: readonly string[], { as = "mara", on = sandbox, env = {} }: Options = {}): Promise<Terminal> =>
  onTerminal(line, {
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

describe(`on a terminal of 80 columns${missing}`, { skip: missing !== "" }, () => {
  it("no prompt of user create ends with a colon, and nothing is created after Ctrl-C", async () => {
    const creating = await start(["user", "create"], { as: "harbormaster" });
    await creating.until("Username");
    creating.type(`lena${keys.enter}`);
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
});
