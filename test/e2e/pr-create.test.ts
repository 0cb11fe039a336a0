import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { testSandbox } from "../sandbox/with-sandbox.ts";
import { emptyFolder } from "./built.ts";
import { keys, missing, onTerminal } from "./terminal.ts";

const repo = "/repos/mara/harbor";
const sandbox = await testSandbox();

/** A clone of mara/harbor with a new branch that is not pushed. */
async function cloneWithBranch(branch: string): Promise<string> {
  const cwd = emptyFolder();
  const who = ["-c", "user.name=Mara", "-c", "user.email=mara@example.org"];
  const git = (...args: string[]) => promisify(execFile)("git", [...who, ...args], { cwd });
  await git("clone", "-q", `${sandbox.url}/mara/harbor.git`, ".");
  await git("switch", "-q", "-c", branch);
  writeFileSync(join(cwd, `${branch}.txt`), "red\n");
  await git("add", ".");
  await git("commit", "-q", "-m", "Paint the buoys");
  return cwd;
}

const create = (cwd: string, ...flags: string[]) =>
  onTerminal(["pr", "create", ...flags], {
    cwd,
    env: { TONGS_HOST: sandbox.url, TONGS_TOKEN: sandbox.token("mara"), GIT_CONFIG_GLOBAL: "/dev/null" },
  });
const isPushed = async (branch: string) =>
  (await sandbox.ask("GET", `${repo}/branches/${branch}`, "mara")).status === 200;

describe(`pr create on a terminal of 80 columns${missing}`, { skip: missing !== "" }, () => {
  it("asks for title, body, metadata and what's next, and pushes only after Submit", async () => {
    const cwd = await cloneWithBranch("paint");
    const creating = await create(cwd);
    await creating.until("Push paint to origin?");
    creating.type(keys.enter);
    await creating.until("Creating pull request for paint into main in mara/harbor");
    await creating.until("Title (Paint the buoys)");
    creating.type(keys.enter);
    await creating.until("Use the template or commit message");
    creating.type(keys.down + keys.enter);
    await creating.until("What's next?");
    creating.type(keys.down + keys.down + keys.enter);
    await creating.until("What would you like to add?");
    creating.type(`${keys.down}${keys.down} ${keys.enter}`);
    await creating.until("bug");
    creating.type(` ${keys.enter}`);
    await creating.until("Labels bug");
    expect(await isPushed("paint")).toBe(false);
    creating.type(keys.enter);
    expect(await creating.ended).toBe(0);
    expect(creating.read()).toMatch(/Created pull request mara\/harbor#\d+ \(paint into main\)/);
    expect(await isPushed("paint")).toBe(true);
  });

  it("pushes nothing after Ctrl-C at What's next", async () => {
    const cwd = await cloneWithBranch("varnish");
    const creating = await create(cwd, "--title", "Varnish");
    await creating.until("Push varnish to origin?");
    creating.type(keys.enter);
    await creating.until("Use the template or commit message");
    creating.type(keys.down + keys.enter);
    await creating.until("What's next?");
    creating.type(keys.interrupt);
    expect(await creating.ended).toBe(3);
    expect(creating.read()).toContain("Cancelled; nothing was done");
    expect(await isPushed("varnish")).toBe(false);
  });
});
