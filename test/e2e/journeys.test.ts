import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestSandbox, testSandbox } from "../sandbox/with-sandbox.ts";
import { screen } from "../support/screen.ts";
import { emptyFolder } from "./built.ts";
import { keys, missing, onTerminal, type Terminal } from "./terminal.ts";

let sandbox: TestSandbox;
let home: string;
beforeAll(async () => {
  sandbox = await testSandbox();
  home = emptyFolder();
});
afterAll(() => sandbox.close());

const start = (argv: readonly string[], env: Record<string, string> = {}): Promise<Terminal> =>
  onTerminal(argv, { cwd: home, env: { TONGS_REPO: "mara/harbor", NO_COLOR: "1", PAGER: "cat", ...env } });

/** The last screen of a finished command, without what differs from run to run. */
async function lastScreen(terminal: Terminal): Promise<string> {
  await terminal.ended;
  const text = terminal
    .written()
    .replace(/\r[⠀-⣿] Waiting for the server/g, "")
    .replace(/\u001b\[\?\d+[hl]/g, "");
  return screen(text)
    .map((line) => line.trimEnd())
    .join("\n")
    .replaceAll(sandbox.url, "https://git.example.org")
    .replaceAll(new URL(sandbox.url).host, "git.example.org")
    .replaceAll(home, "HOME")
    .replaceAll(`${sandbox.token("mara")}\n`, "")
    .replace(/\b[0-9a-f]{10,40}\b/g, "COMMIT")
    .replace(/\d+ (second|minute|hour|day|month|year)s? ago|just now/g, "some time ago")
    .replace(/[⠀-⣿] /g, "");
}

const kept = (name: string) => join(import.meta.dirname, "screens", `${name}.txt`);

describe(`on a terminal of 80 columns${missing}`, { skip: missing !== "" }, () => {
  it("a newcomer signs in, looks at a pull request and merges it", { timeout: 120_000 }, async () => {
    const signing = await start(["auth", "login", "--host", sandbox.url, "--with-token", "--no-input"]);
    signing.type(`${sandbox.token("mara")}\n\u0004`);
    const screens = [`$ tongs auth login\n${await lastScreen(signing)}`];
    for (const argv of [
      ["pr", "list"],
      ["pr", "view", "4"],
      ["pr", "checks", "4"],
    ]) {
      screens.push(`$ tongs ${argv.join(" ")}\n${await lastScreen(await start(argv))}`);
    }
    const merging = await start(["pr", "merge", "4"]);
    await merging.until("What merge method");
    merging.type(keys.enter);
    await merging.until("Delete the branch");
    merging.type(`y${keys.enter}`);
    await merging.until("(Y/n)");
    merging.type(keys.enter);
    screens.push(`$ tongs pr merge 4\n${await lastScreen(merging)}`);
    expect(await merging.ended).toBe(0);
    const all = `${screens.join("\n\n")}\n`;
    expect(all).not.toContain(sandbox.token("mara"));
    for (const line of all.split("\n")) expect([...line].length, line).toBeLessThanOrEqual(80);
    await expect(all).toMatchFileSnapshot(kept("first-merge"));
  });

  it("an artifact is found and fetched", { timeout: 120_000 }, async () => {
    const env = { TONGS_HOST: sandbox.url, TONGS_TOKEN: sandbox.token("mara") };
    const screens: string[] = [];
    for (const argv of [
      ["artifact", "list"],
      ["artifact", "download", "1", "--dir", "report"],
    ]) {
      screens.push(`$ tongs ${argv.join(" ")}\n${await lastScreen(await start(argv, env))}`);
    }
    const all = `${screens.join("\n\n")}\n`;
    for (const line of all.split("\n")) expect([...line].length, line).toBeLessThanOrEqual(80);
    await expect(all).toMatchFileSnapshot(kept("artifact"));
  });

  it("a failing run is found, explained and run again", { timeout: 120_000 }, async () => {
    const env = { TONGS_HOST: sandbox.url, TONGS_TOKEN: sandbox.token("mara") };
    const screens: string[] = [];
    for (const argv of [
      ["run", "list", "--state", "failure"],
      ["run", "why", "#2"],
      ["run", "rerun", "#2"],
    ]) {
      screens.push(`$ tongs ${argv.join(" ")}\n${await lastScreen(await start(argv, env))}`);
    }
    const all = `${screens.join("\n\n")}\n`;
    for (const line of all.split("\n")) expect([...line].length, line).toBeLessThanOrEqual(80);
    await expect(all).toMatchFileSnapshot(kept("failing-run"));
  });
});
