import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { testSandbox } from "../../sandbox/with-sandbox.ts";
import { droppingProxy } from "../../support/dropping-proxy.ts";
import { emptyFolder, type Ran, tongs } from "../../support/tongs.ts";
import { type GitFolder, gitFolder } from "./git-folder.ts";

const password = "not-a-secret";
const repo = "/repos/mara/harbor";
const sandbox = await testSandbox({ people: ["mara", "priya", "jonas"].map((name) => ({ name, password })) });
let count = 0;
let branch = "";
let here: GitFolder;

beforeAll(async () => {
  await sandbox.ask("POST", "/user/repos", "mara", { name: "harbor", auto_init: true, default_branch: "main" });
  for (const name of ["bug", "docs"]) {
    await sandbox.ask("POST", `${repo}/labels`, "mara", { name, color: "ff0000" });
  }
  await sandbox.ask("POST", `${repo}/milestones`, "mara", { title: "First season" });
  await sandbox.ask("PUT", `${repo}/collaborators/priya`, "mara", { permission: "write" });
});
beforeEach(async () => {
  count += 1;
  branch = `buoys-${count}`;
  const path = emptyFolder();
  here = gitFolder(path);
  await here.talk("clone", "-q", `${sandbox.url}/mara/harbor.git`, ".");
  here.git("switch", "-q", "-c", branch);
  here.commit("Add the buoys", `${branch}.txt`, "red\n");
});

const run = (line: readonly string[], world: Parameters<typeof tongs>[1] = {}, as = "mara"): Promise<Ran> =>
  tongs(["pr", "create", ...line], {
    cwd: here.path,
    ...world,
    env: {
      TONGS_HOST: sandbox.url,
      TONGS_TOKEN: sandbox.token(as),
      GIT_CONFIG_GLOBAL: "/dev/null",
      ...world.env,
    },
  });
const onTerminal = (answers: readonly (string | boolean)[], line: readonly string[] = [], as = "mara") =>
  run(line, { terminal: true, answers }, as);
const isPushed = async () => (await sandbox.ask("GET", `${repo}/branches/${branch}`, "mara")).status === 200;
const pulls = async () => {
  const { body } = await sandbox.ask("GET", `${repo}/pulls?state=open`, "mara");
  return (body as readonly Readonly<Record<string, unknown>>[]).filter(({ head }) => {
    return (head as { readonly ref: string }).ref === branch;
  });
};

const push = () => `Push ${branch} to origin?`;

describe("pr create on a terminal", () => {
  it("asks first and pushes last", async () => {
    const ran = await onTerminal([true, "Buoys", "Leave it empty", "Submit"]);
    expect(ran).toMatchObject({ code: 0, asked: [push(), "Title", "Body", "What's next?"] });
    expect(ran.stderr).toContain(`Creating pull request for ${branch} into main in mara/harbor\n`);
    expect(await pulls()).toMatchObject([{ title: "Buoys", draft: false }]);
  });

  it.each([[[]], [[true]], [[true, "Buoys"]], [[true, "Buoys", "Leave it empty"]]])(
    "pushes nothing if the prompts are left after %j",
    async (answers) => {
      const ran = await onTerminal(answers);
      expect(ran.code).toBe(3);
      expect(ran.stderr).toContain("Cancelled; nothing was done");
      expect(await isPushed()).toBe(false);
    },
  );

  it("pushes nothing and keeps the text after Cancel", async () => {
    const editor = "printf 'With oil.' >";
    const ran = await run([], {
      terminal: true,
      answers: [true, "Buoys", `Edit in ${editor}`, "Cancel"],
      env: { EDITOR: editor },
    });
    expect(ran.code).toBe(3);
    expect(await isPushed()).toBe(false);
    const file = /To use it, pass --recover (\S+)/.exec(ran.stderr)?.[1] ?? "";
    expect(readFileSync(file, "utf8")).toBe("Buoys\n\nWith oil.\n");
    const again = await run(["--recover", relative(here.path, file), "--push"]);
    expect(again).toMatchObject({ code: 0, asked: [] });
    expect(existsSync(file)).toBe(false);
    expect(await pulls()).toMatchObject([{ title: "Buoys", body: "With oil." }]);
  });

  it("creates a draft", async () => {
    await onTerminal([true, "Buoys", "Leave it empty", "Submit as draft"]);
    expect(await pulls()).toMatchObject([{ title: "WIP: Buoys" }]);
  });

  it("adds labels, reviewers, assignees and the milestone that were chosen from the server's lists", async () => {
    const chosen = ["Reviewers, Assignees, Labels, Milestone", "priya", "mara", "bug, docs", "First season"];
    const ran = await onTerminal([true, "Buoys", "Leave it empty", "Add metadata", ...chosen, "Submit"]);
    expect(ran.code).toBe(0);
    expect(ran.asked.slice(3)).toEqual([
      ...["What's next?", "What would you like to add?", "Reviewers", "Assignees", "Labels", "Milestone"],
      "What's next?",
    ]);
    expect(await pulls()).toMatchObject([
      {
        labels: [{ name: "bug" }, { name: "docs" }],
        milestone: { title: "First season" },
        assignees: [{ login: "mara" }],
        requested_reviewers: [{ login: "priya" }],
      },
    ]);
  });

  it("that fails names the file of the text", async () => {
    const proxy = await droppingProxy(sandbox.url, {
      drops: () => false,
      swallows: ({ method, url = "" }) => method === "POST" && url.endsWith("/pulls"),
    });
    const answers = [true, "Buoys", "Leave it empty", "Submit"];
    here.git("remote", "set-url", "origin", `${proxy.url}/mara/harbor.git`);
    const ran = await run([], { terminal: true, answers, env: { TONGS_HOST: proxy.url } });
    expect(ran.code).toBe(6);
    const lines = ran.stderr.replace(/\s+/g, " ");
    const saved = /pass (--recover \S+)/.exec(lines)?.[1] ?? "";
    here.git("remote", "set-url", "origin", `${sandbox.url}/mara/harbor.git`);
    expect(await run(saved.split(" "))).toMatchObject({ code: 0 });
    expect(await pulls()).toMatchObject([{ title: "Buoys" }]);
  });

  it("continues in the browser, after the push, with title and body", async () => {
    const browser = join(emptyFolder(), "browser");
    writeFileSync(browser, `#!/bin/sh\necho "$1" > ${browser}.opened\n`);
    chmodSync(browser, 0o755);
    const ran = await run([], {
      terminal: true,
      answers: [true, "Buoys & more", "Leave it empty", "Continue in browser"],
      env: { BROWSER: browser },
    });
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    const opened = readFileSync(`${browser}.opened`, "utf8").trim();
    expect(opened).toBe(`${sandbox.url}/mara/harbor/compare/main...${branch}?expand=1&title=Buoys+%26+more&body=`);
    expect(await isPushed()).toBe(true);
    expect(await pulls()).toEqual([]);
  });

  it("continues in the browser as a draft, and names what has to be set there", async () => {
    const browser = join(emptyFolder(), "browser");
    writeFileSync(browser, `#!/bin/sh\necho "$1" > ${browser}.opened\n`);
    chmodSync(browser, 0o755);
    const ran = await run(["--draft", "--due", "2026-12-24", "--maintainer-edit", "--label", "bug"], {
      terminal: true,
      answers: [true, "Buoys", "Leave it empty", "Continue in browser"],
      env: { BROWSER: browser },
    });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("Set in the browser: labels, due date, edits by maintainers\n");
    expect(readFileSync(`${browser}.opened`, "utf8")).toContain("&title=WIP%3A+Buoys&");
  });

  it("skips 'What's next?' with --fill, and with --title and --body", async () => {
    expect(await onTerminal([true], ["--fill"])).toMatchObject({ code: 0, asked: [push()] });
    here.git("switch", "-q", "-c", `${branch}-b`);
    here.commit("More", "more.txt", "more\n");
    const given = await onTerminal([true], ["--title", "T", "--body", ""]);
    expect(given).toMatchObject({ code: 0, asked: [`Push ${branch}-b to origin?`] });
  });

  it("writes title and body in the editor with --editor, which starts with the commits, and asks what is next", async () => {
    here.commit("Paint them\n\nGreen.", "paint.txt", "x\n");
    const editor = "sed -i -e '1s/.*/Two buoys/' -e '$s/$/ And red./'";
    const ran = await run(["--editor", "--fill-first"], {
      terminal: true,
      answers: [true, "Submit"],
      env: { EDITOR: editor },
    });
    expect(ran).toMatchObject({ code: 0, asked: [push(), "What's next?"] });
    expect(await pulls()).toMatchObject([{ title: "Two buoys And red.", body: "" }]);
  });

  it("keeps what was written in the editor if it has no title, or one that servers cut", async () => {
    const ran = await run(["--editor"], {
      terminal: true,
      answers: [true],
      env: { EDITOR: "printf '\n\nWith oil.' >" },
    });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("The title must not be empty") });
    const env = { EDITOR: `printf '${"b".repeat(256)}' >` };
    const long = await run(["--editor"], { terminal: true, answers: [true], env });
    expect(long).toMatchObject({ code: 2, stderr: expect.stringContaining("must have at most 255 characters") });
    const file = /To use it, pass --recover (\S+)/.exec(ran.stderr)?.[1] ?? "";
    expect(readFileSync(file, "utf8")).toBe("\n\nWith oil.\n");
    expect(await isPushed()).toBe(false);
  });

  it("opens the page with --web, without prompts for title and body", async () => {
    const browser = join(emptyFolder(), "browser");
    writeFileSync(browser, `#!/bin/sh\necho "$1" > ${browser}.opened\n`);
    chmodSync(browser, 0o755);
    const ran = await run(["--web", "--label", "bug"], { terminal: true, answers: [true], env: { BROWSER: browser } });
    expect(ran).toMatchObject({ code: 0, asked: [push()], stdout: "" });
    expect(ran.stderr).toContain("Set in the browser: labels\n");
    const opened = () => readFileSync(`${browser}.opened`, "utf8").trim();
    expect(opened()).toBe(`${sandbox.url}/mara/harbor/compare/main...${branch}?expand=1`);
    const dry = await run(["--web", "--fill", "--dry-run"]);
    expect(dry.stderr).toContain(`Dry run: would open ${opened()}&title=Add+the+buoys&body=\n`);
    expect(await run(["--web", "--title", "T"], { env: { BROWSER: browser } })).toMatchObject({ code: 0, stdout: "" });
    expect(opened()).toBe(`${sandbox.url}/mara/harbor/compare/main...${branch}?expand=1&title=T`);
    expect(await pulls()).toEqual([]);
  });

  it("saves title and body where the page is not known to take them from its address", async () => {
    const forgejo = await testSandbox({ people: [{ name: "mara", password }], release: parseRelease("forgejo") });
    await forgejo.ask("POST", "/user/repos", "mara", { name: "harbor", auto_init: true, default_branch: "main" });
    await forgejo.ask("POST", `${repo}/branches`, "mara", { new_branch_name: "quay" });
    const env = {
      TONGS_HOST: forgejo.url,
      TONGS_TOKEN: forgejo.token("mara"),
      TONGS_REPO: "mara/harbor",
      BROWSER: "true",
    };
    const line = ["--web", "--head", "quay", "--title", "Quay", "--body", "New."];
    const ran = await run(line, { cwd: emptyFolder(), env });
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(ran.stderr).toContain("The page may not take title and body from its address.");
    const file = /To use it, pass --recover (\S+)/.exec(ran.stderr)?.[1] ?? "";
    expect(readFileSync(file, "utf8")).toBe("Quay\n\nNew.\n");
  });

  it("says that a pull request exists before it asks for anything", async () => {
    expect((await onTerminal([true], ["--fill"])).code).toBe(0);
    const again = await onTerminal([]);
    expect(again).toMatchObject({ code: 9, asked: [] });
    expect(again.stderr).toContain(`A pull request from ${branch} into main already exists: mara/harbor#`);
    expect(again.stderr).toContain(`${sandbox.url}/mara/harbor/pulls/`);
  });

  it("offers a fork if pushing is not allowed, pushes there, and creates the pull request from it", async () => {
    const ran = await onTerminal([true, true], ["--fill"], "jonas");
    expect(ran.asked).toEqual([push(), `Fork mara/harbor and push ${branch} there?`]);
    expect(ran.code).toBe(0);
    expect(here.git("remote", "get-url", "fork")).toBe(`${sandbox.url}/jonas/harbor.git`);
    expect(await pulls()).toMatchObject([{ head: { label: branch, repo: { full_name: "jonas/harbor" } } }]);
    expect(here.git("config", `branch.${branch}.remote`)).toBe("fork");
    expect(readFileSync(join(here.path, ".git/config"), "utf8")).not.toContain(sandbox.token("jonas"));
  });
});

describe("pr create where the account may not push", () => {
  it("changes nothing if a fork is declined", async () => {
    const ran = await onTerminal([true, false], ["--fill"], "jonas");
    expect(ran.code).toBe(4);
    expect(here.git("for-each-ref", "refs/remotes/fork")).toBe("");
  });

  it("takes --agit or --push, and a topic with --agit only", async () => {
    for (const line of [
      ["--agit", "--push"],
      ["--agit", "--web"],
      ["--topic", "x"],
      ["--agit", "--topic", " "],
      ["--agit", "--topic", "a\nb"],
    ]) {
      expect((await run(["--fill", ...line], {}, "jonas")).code, line.join(" ")).toBe(2);
    }
    expect((await run(["--fill", "--agit", "--head", "absent"], {}, "jonas")).code).toBe(2);
  });
});

describe("pr create in a script", () => {
  it("uses the first of several commits with --fill-first", async () => {
    here.commit("Paint them\n\nGreen.", "paint.txt", "x\n");
    expect((await run(["--fill-first", "--push", "--body", "All."])).code).toBe(0);
    expect(await pulls()).toMatchObject([{ title: "Add the buoys", body: "All." }]);
  });

  it("cannot open the editor without a terminal, and takes one source of the text", async () => {
    for (const line of [["--editor"], ["--recover", "f", "--title", "T"], ["--fill", "--fill-first"], ["-e", "-w"]]) {
      expect((await run([...line, "--push"])).code, line.join(" ")).toBe(2);
    }
    expect(await isPushed()).toBe(false);
  });

  it("uses the template of that name, by its path or from the directories for templates", async () => {
    const add = (path: string, text: string) =>
      sandbox.ask("POST", `${repo}/contents/${path}`, "mara", {
        content: Buffer.from(text).toString("base64"),
        message: path,
        branch: "main",
      });
    await add(`.gitea/PULL_REQUEST_TEMPLATE/Hotfix-${count}.md`, "---\nname: x\n---\n## Why now\n");
    const named = await run(["--title", "T", "--template", `hotfix-${count}`, "--push"]);
    expect(named, named.stderr).toMatchObject({ code: 0 });
    expect(await pulls()).toMatchObject([{ body: "## Why now\n" }]);
    here.git("switch", "-q", "-c", `${branch}-2`);
    here.commit("More", "more.txt", "x\n");
    const missing = await run(["--title", "T", "--template", "absent", "--push"]);
    expect(missing.code).toBe(5);
    expect((await sandbox.ask("GET", `${repo}/branches/${branch}-2`, "mara")).status).toBe(404);
    expect(missing.stderr).toContain(`Available: .gitea/PULL_REQUEST_TEMPLATE/Hotfix-${count}.md`);
    const byPath = await run([
      "-t",
      "T",
      "-T",
      `.gitea/PULL_REQUEST_TEMPLATE/Hotfix-${count}.md`,
      "--push",
      "--json",
      "body",
    ]);
    expect(byPath.json()).toEqual({ body: "## Why now\n" });
  });

  it("pushes nothing if a pull request exists", async () => {
    expect((await run(["--fill", "--push"])).code).toBe(0);
    const before = here.git("rev-parse", "HEAD");
    here.commit("More", "more.txt", "more\n");
    const again = await run(["--fill", "--push"]);
    expect(again.code).toBe(9);
    expect(again.stderr).toMatch(/already exists: mara\/harbor#\d+\n {2}http.*\/mara\/harbor\/pulls\/\d+\n/);
    const { body } = await sandbox.ask("GET", `${repo}/branches/${branch}`, "mara");
    expect(body).toMatchObject({ commit: { id: before } });
  });

  it("fills from the commits of a branch to push, onto a base that the clone does not have", async () => {
    const base = `dev-${count}`;
    const file = { content: "eA==", message: "On the base", branch: "main", new_branch: base };
    expect((await sandbox.ask("POST", `${repo}/contents/${base}.txt`, "mara", file)).status).toBe(201);
    const refs = here.git("for-each-ref");
    const failed = await run(["--fill", "--push", "--base", "absent"]);
    expect([failed.code, failed.stderr]).toEqual([
      5,
      expect.stringContaining("Branch absent not found in mara/harbor"),
    ]);
    expect(here.git("for-each-ref")).toBe(refs);
    const ran = await run(["--fill", "--push", "--base", base]);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(await pulls()).toMatchObject([{ title: "Add the buoys", base: { ref: base } }]);
  });

  it("prints what a hook that stops the push says on stdout", async () => {
    const hook = join(here.path, ".git", "hooks", "pre-push");
    writeFileSync(hook, "#!/bin/sh\necho buoys.txt: 1 test failed\nexit 1\n");
    chmodSync(hook, 0o755);
    const ran = await run(["--fill", "--push"]);
    expect([ran.code, ran.stdout]).toEqual([1, ""]);
    expect(ran.stderr).toContain("buoys.txt: 1 test failed\n");
    expect(await isPushed()).toBe(false);
  });

  it("ends with 4 and names repo fork if pushing is not allowed", async () => {
    const ran = await run(["--fill", "--push"], {}, "jonas");
    expect(ran.code).toBe(4);
    expect(ran.stderr).toContain("as jonas: permission denied");
    expect(ran.stderr).toContain("tongs repo fork --remote");
    expect(ran.stderr).not.toContain("--profile");
    expect(await pulls()).toEqual([]);
  });
});
