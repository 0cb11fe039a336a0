import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { testSandbox } from "../sandbox/with-sandbox.ts";
import { emptyFolder } from "./built.ts";
import { lastScreen, settled } from "./last-screen.ts";
import { keys, missing, onTerminal, type Terminal } from "./terminal.ts";

const sandbox = await testSandbox();
let home: string;
beforeAll(async () => {
  home = emptyFolder();
});

/** The token is stored in a file, whether this machine has a keyring or not. */
const surroundings = { TONGS_REPO: "mara/harbor", NO_COLOR: "1", TONGS_PAGER: "cat", TONGS_CREDENTIAL_STORE: "file" };

const start = (argv: readonly string[], env: Record<string, string> = {}): Promise<Terminal> =>
  onTerminal(argv, { cwd: home, env: { ...surroundings, ...env } });

/** The last screen of a finished command, without what differs from run to run. */
async function shown(terminal: Terminal): Promise<string> {
  return settled((await lastScreen(terminal)).replace(`${sandbox.token("mara")}\n`, ""), {
    [sandbox.url]: "https://git.example.org",
    [new URL(sandbox.url).host]: "git.example.org",
    [home]: "HOME",
  });
}

/** Compares the screens of a journey with the kept ones. */
async function expectKept(name: string, screens: readonly string[]): Promise<void> {
  const all = `${screens.join("\n\n")}\n`;
  for (const { token } of sandbox.users) expect(all).not.toContain(token);
  for (const line of all.split("\n")) expect([...line].length, line).toBeLessThanOrEqual(80);
  await expect(all).toMatchFileSnapshot(kept(name));
}

const kept = (name: string) => join(import.meta.dirname, "screens", `${name}.txt`);

/** The first and the last lines of a long screen. */
function shortened(text: string): string {
  const lines = text.split("\n");
  return lines.length < 20 ? text : [...lines.slice(0, 5), "…", ...lines.slice(-3)].join("\n");
}

describe(`on a terminal of 80 columns${missing}`, { skip: missing !== "" }, () => {
  it("a newcomer signs in, looks at a pull request and merges it", async () => {
    const signing = await start(["auth", "login", "--host", sandbox.url, "--with-token", "--no-input"]);
    signing.type(`${sandbox.token("mara")}\n\u0004`);
    const screens = [`$ tongs auth login\n${await shown(signing)}`];
    for (const argv of [
      ["pr", "list"],
      ["pr", "view", "4"],
      ["pr", "checks", "4"],
    ]) {
      screens.push(`$ tongs ${argv.join(" ")}\n${await shown(await start(argv))}`);
    }
    const merging = await start(["pr", "merge", "4"]);
    await merging.until("What merge method");
    merging.type(keys.enter);
    await merging.until("Delete the branch");
    merging.type(`y${keys.enter}`);
    await merging.until("(Y/n)");
    merging.type(keys.enter);
    screens.push(`$ tongs pr merge 4\n${await shown(merging)}`);
    expect(await merging.ended).toBe(0);
    await expectKept("first-merge", screens);
  });

  it("an artifact is found and fetched", async () => {
    const env = { TONGS_HOST: sandbox.url, TONGS_TOKEN: sandbox.token("mara") };
    const screens: string[] = [];
    for (const argv of [
      ["artifact", "list"],
      ["artifact", "download", "1", "--dir", "report"],
    ]) {
      screens.push(`$ tongs ${argv.join(" ")}\n${await shown(await start(argv, env))}`);
    }
    await expectKept("artifact", screens);
  });

  it("a failing run is found, explained and run again", async () => {
    const env = { TONGS_HOST: sandbox.url, TONGS_TOKEN: sandbox.token("mara") };
    const screens: string[] = [];
    for (const argv of [
      ["run", "list", "--state", "failure"],
      ["run", "why", "#2"],
      ["run", "rerun", "#2", "--failed"],
      ["run", "watch", "#2"],
    ]) {
      // Which jobs have just changed depends on when they were looked at.
      const text = (await shown(await start(argv, env))).replace(/^→ /gm, "  ");
      screens.push(`$ tongs ${argv.join(" ")}\n${text}`);
    }
    await expectKept("failing-run", screens);
  });

  it("an administrator imports 300 accounts, is interrupted, and continues", async () => {
    let posts = 0;
    // After some accounts the server answers no more, until the import is interrupted.
    const delay = { delay: 600_000 };
    let isStuck = true;
    const site = await testSandbox({
      fault(method, path) {
        posts += method === "POST" && path.endsWith("/admin/users") ? 1 : 0;
        return method === "POST" && isStuck && posts > 120 ? delay : undefined;
      },
    });
    const cwd = emptyFolder();
    const rows = Array.from({ length: 300 }, (_, at) => `crew${at},crew${at}@example.org,Crew Member ${at}`);
    writeFileSync(join(cwd, "people.csv"), `username,email,full_name\n${rows.join("\n")}\n`);
    const env = { TONGS_HOST: site.url, TONGS_TOKEN: site.token("harbormaster"), NO_COLOR: "1", TONGS_PAGER: "cat" };
    const begin = (line: string) => onTerminal(line.split(" "), { cwd, env });
    const places = { [site.url]: "https://git.example.org", [cwd]: "HOME" };
    const screens: string[] = [];
    const keep = async (line: string, terminal: Terminal) => {
      const text = settled(await lastScreen(terminal), places);
      // How many are under way when it is interrupted, and which, differs.
      screens.push(
        `$ tongs ${line}\n${shortened(text)
          .replace(/\d+ created/g, "SOME created")
          .replace(/(not known:)[^.]*\.\s+/, "$1 LINES.\n")
          .replace(/^\d+(?= +crew299)/m, "NNN")}`,
      );
    };
    const line = "user import people.csv --generate-passwords passwords.csv";
    await keep(`${line} --plan`, await begin(`${line} --plan`));
    const first = await begin(line);
    while (posts < 128) await new Promise((resolve) => setTimeout(resolve, 20));
    first.type(keys.interrupt);
    expect(await first.ended).toBe(130);
    await keep(line, first);
    isStuck = false;
    const second = await begin(line);
    await keep(line, second);
    expect(await second.ended).toBe(0);
    await keep("user list --query crew299", await begin("user list --query crew299"));
    const users = await site.ask("GET", "/admin/users?limit=1", "harbormaster");
    expect(Number(users.headers.get("x-total-count"))).toBe(300 + site.users.length);
    const passwords = readFileSync(join(cwd, "passwords.csv"), "utf8").trim().split("\n").slice(1);
    expect(new Set(passwords.map((one) => one.split(",")[0])).size).toBe(300);
    expect(passwords).toHaveLength(300);
    const all = screens.join("\n");
    for (const one of passwords) expect(all).not.toContain(one.split(",")[1]);
    await expectKept("import", screens);
  });
});
