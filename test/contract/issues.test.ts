import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, type Ran, type World } from "../support/tongs.ts";
import { cloneOf } from "./checkout.ts";
import { openTarget, type Person } from "./support.ts";

const target = await openTarget();
let mara: Person;
let priya: Person;
let repo: string;
let notes: string;

beforeAll(async () => {
  mara = await target.person("mara");
  priya = await target.person("priya");
  [repo, notes] = [`${mara.login}/beacon`, `${mara.login}/notes`];
  for (const name of ["beacon", "notes"]) {
    await target.ask("POST", "/user/repos", { name, default_branch: "main" }, mara);
  }
  for (const name of ["bug", "lamp"]) {
    await target.ask("POST", `/repos/${repo}/labels`, { name, color: "f0c000" }, mara);
  }
  await target.ask("POST", `/repos/${repo}/milestones`, { title: "Spring" }, mara);
});

/** Runs a command on the repository, as its owner. */
const on = (line: readonly string[], world: World = {}, person = mara): Promise<Ran> =>
  person.tongs(line, { ...world, env: { TONGS_REPO: repo, ...world.env } });

/** Creates an issue with tongs, and returns its number. */
async function create(title: string, ...flags: string[]): Promise<number> {
  const ran = await on(["issue", "create", "--title", title, ...flags, "--json", "number"]);
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("Created issue")]);
  return (ran.json() as { readonly number: number }).number;
}

const numbers = (ran: Ran) => (ran.json() as { readonly number: number }[]).map(({ number }) => number);

describe("an issue", () => {
  it("is created, viewed, edited, commented on, closed, reopened and deleted", async () => {
    const flags = ["--body", "Since nine.", "--label", "bug", "--milestone", "Spring", "--assignee", "@me"];
    const number = await create("The lamp is dark", ...flags, "--due", "2030-03-04");
    const fields = "title,body,labels.name,milestone.title,assignees.login,due_date";
    const seen = await on(["issue", "view", `${number}`, "--json", fields]);
    expect(seen.json()).toMatchObject({
      title: "The lamp is dark",
      body: "Since nine.",
      labels: [{ name: "bug" }],
      milestone: { title: "Spring" },
      assignees: [{ login: mara.login }],
      due_date: expect.stringMatching(/^2030-03-0[45]/),
    });

    const texts = ["--title", "The lamp is lit", "--body", "Since ten."];
    const others = `--add-label lamp --remove-label bug --no-milestone --no-due --remove-assignee ${mara.login} --json`;
    const edited = await on(["issue", "edit", `#${number}`, ...texts, ...others.split(" ")]);
    expect(edited.json()).toMatchObject([
      { title: "The lamp is lit", body: "Since ten.", labels: [{ name: "lamp" }], milestone: null, due_date: null },
    ]);
    const again = await on(["issue", "edit", `${number}`, "--title", "The lamp is lit", "--add-label", "lamp"]);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("already up to date")]);

    const comment = await on(["issue", "comment", `${number}`, "--body", "Seen at nine."]);
    expect([comment.code, comment.stdout]).toEqual([0, expect.stringMatching(/issues\/\d+#issuecomment-\d+\n$/)]);
    const shown = await on(["issue", "view", `${number}`, "--comments"]);
    expect(shown.stdout).toContain("Seen at nine.");

    const closed = await on(["issue", "close", `${repo}#${number}`, "--comment", "Lit again."]);
    expect([closed.code, closed.stdout]).toEqual([0, ""]);
    expect((await on(["issue", "view", `${number}`, "--json", "state"])).json()).toEqual({ state: "closed" });
    expect((await on(["issue", "reopen", `${target.url}/${repo}/issues/${number}`])).code).toBe(0);
    expect((await on(["issue", "delete", `${number}`, "--yes"])).code).toBe(0);
    expect((await on(["issue", "view", `${number}`])).code).toBe(5);
  });

  it("is listed by every filter, in one repository and in all of an owner", async () => {
    const [one, two] = [await create("Mast", "--label", "bug", "--milestone", "Spring"), await create("Sail")];
    await target.ask("POST", `/repos/${notes}/issues`, { title: "Mast of the notes" }, mara);
    const list = async (...flags: string[]) => numbers(await on(["issue", "list", ...flags, "--json", "number"]));
    expect(await list()).toEqual(expect.arrayContaining([two, one]));
    expect(await list("--label", "bug")).toEqual([one]);
    expect(await list("--label", "bug,lamp")).toEqual([]);
    expect(await list("--milestone", "spring")).toEqual([one]);
    expect(await list("--author", "@me", "--sort", "oldest")).toEqual(expect.arrayContaining([one, two]));
    expect(await list("--author", priya.login)).toEqual([]);
    expect(await list("--since", "2090-01-01")).toEqual([]);
    expect(await list("--state", "closed")).toEqual([]);
    for (const [flag, value] of [
      ["--label", "no-such"],
      ["--milestone", "no-such"],
      ["--assignee", target.unique("nobody")],
    ] as const) {
      expect((await on(["issue", "list", flag, value])).code).toBe(13);
    }
    // The search index of a server is a moment behind.
    await expect
      .poll(async () => {
        const ran = await on(["issue", "list", "--owner", mara.login, "--json", "title,repository.full_name"]);
        return ran.json();
      })
      .toEqual(
        expect.arrayContaining([
          { title: "Mast of the notes", repository: { full_name: notes } },
          { title: "Mast", repository: { full_name: repo } },
        ]),
      );
    const mine = await on(`issue list --all-repos --author ${mara.login} --label BUG --json title`.split(" "));
    expect(mine.json()).toEqual([{ title: "Mast" }]);
    const status = await on(["issue", "status", "--json", "created.title"]);
    expect(status.json()).toMatchObject({ created: expect.arrayContaining([{ title: "Sail" }]) });
  });

  it("is locked for comments where the server can", async () => {
    const number = await create("Too heated");
    const ran = await on(["issue", "lock", `${number}`, "--reason", "Spam"]);
    if (!target.has("PUT", "/repos/{owner}/{repo}/issues/{index}/lock")) {
      expect([ran.code, ran.stderr]).toEqual([
        5,
        expect.stringContaining("Available since Gitea 1.24 and Forgejo 17.0."),
      ]);
      return;
    }
    expect(ran.code).toBe(0);
    const refused = await on(["issue", "comment", `${number}`, "--body", "x"], {}, priya);
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining("locked")]);
    expect((await on(["issue", "unlock", `${number}`, "--json", "is_locked"])).json()).toEqual([{ is_locked: false }]);
    expect((await on(["issue", "lock", `${number}`], {}, priya)).code).toBe(4);
  });

  it("is pinned at a position, up to the server's maximum", async ({ skip }) => {
    if (target.kind === "sandbox") skip("the sandbox pins no issues");
    const [one, two, three, four] = [await create("P1"), await create("P2"), await create("P3"), await create("P4")];
    const order = async () => numbers(await on(["issue", "pinned", "--json", "number"]));
    for (const number of [one, two, three]) expect((await on(["issue", "pin", `${number}`])).code).toBe(0);
    expect(await order()).toEqual([one, two, three]);
    expect((await on(["issue", "pin", `${three}`, "--position", "1"])).code).toBe(0);
    expect(await order()).toEqual([three, one, two]);
    const over = await on(["issue", "pin", `${four}`]);
    expect([over.code, over.stderr]).toEqual([9, expect.stringContaining("maximum number of pins")]);
    expect((await on(["issue", "pin", `${one}`, "--position", "9"])).code).toBe(13);
    expect((await on(["issue", "unpin", `${one}`, `${two}`, `${three}`])).code).toBe(0);
    expect(await order()).toEqual([]);
    expect((await on(["issue", "pin", `${one}`], {}, priya)).code).toBe(4);
  });

  it("blocks others and depends on others, also of another repository in any spelling", async ({ skip }) => {
    if (target.kind === "sandbox") skip("issues of the sandbox depend on no others");
    const [one, two] = [await create("Ferry"), await create("Pier")];
    const timbers = await target.ask("POST", `/repos/${notes}/issues`, { title: "Timbers" }, mara);
    const { number: other } = timbers as { readonly number: number };
    const foreign = `${notes.toUpperCase()}#${other}`;
    const added = await on(["issue", "dependency", "add", `${one}`, `${two}`, foreign]);
    expect([added.code, added.stderr]).toEqual([0, expect.stringContaining("now depends on")]);
    const list = await on(["issue", "dependency", "list", `${one}`, "--json", "number,repository.full_name"]);
    expect(list.json()).toEqual(
      expect.arrayContaining([
        { number: two, repository: { full_name: repo } },
        { number: other, repository: { full_name: notes } },
      ]),
    );
    expect(numbers(await on(["issue", "block", "list", `${two}`, "--json", "number"]))).toEqual([one]);
    const twice = await on(["issue", "dependency", "add", `${one}`, `${two}`]);
    expect([twice.code, twice.stderr]).toEqual([0, expect.stringMatching(/^[^✓]*already depends on [^✓]*$/)]);
    const itself = await on(["issue", "block", "add", `${one}`, `${repo.toUpperCase()}#${one}`]);
    expect([itself.code, itself.stderr]).toEqual([2, expect.stringContaining("cannot block itself")]);
    const circle = await on(["issue", "block", "add", `${one}`, `${two}`]);
    expect([circle.code, circle.stderr]).toEqual([9, expect.stringContaining("depends on it")]);
    const refused = await on(["issue", "close", `${one}`]);
    expect([refused.code, refused.stderr]).toEqual([9, expect.stringContaining("open dependencies")]);
    const denied = await on(["issue", "dependency", "add", `${two}`, `${one}`], {}, priya);
    expect([denied.code, denied.stderr]).toEqual([4, expect.stringContaining("write access")]);
    const removed = await on(["issue", "dependency", "remove", `${one}`, `${two}`, foreign, "999"]);
    expect([removed.code, removed.stderr]).toEqual([11, expect.stringContaining("Issue #999 not found")]);
    const again = await on(["issue", "dependency", "remove", `${one}`, `${two}`]);
    expect([again.code, again.stderr]).toEqual([0, expect.stringMatching(/^[^✓]*does not depend on [^✓]*$/)]);
    expect((await on(["issue", "close", `${one}`, `${two}`])).code).toBe(0);
  });
});

describe("comments", () => {
  it("are listed, viewed, edited and deleted", async () => {
    const number = await create("Comments");
    const made = await on(["issue", "comment", `${number}`, "--body", "One", "--json", "id,html_url"]);
    const { id, html_url } = made.json() as { readonly id: number; readonly html_url: string };
    await on(["issue", "comment", `${number}`, "--body-file", "-"], { stdin: "Two\n" });
    const all = await on(["api", "/repos/{owner}/{repo}/issues/comments", "--jq", ".[].body"]);
    expect(all.code, all.stderr).toBe(0);
    expect(all.stdout.split("\n")).toEqual(expect.arrayContaining(["One", "Two"]));
    const list = await on(["comment", "list", `${number}`]);
    expect(list.stdout.split("\n").map((line) => line.split("\t")[2])).toEqual(["One", "Two", undefined]);
    expect((await on(["comment", "edit", html_url, "--body", "Uno"])).code).toBe(0);
    expect((await on(["comment", "view", `${id}`, "--json", "body"])).json()).toEqual({ body: "Uno" });
    const denied = await on(["comment", "edit", `${id}`, "--body", "x"], {}, priya);
    expect([denied.code, denied.stderr]).toEqual([4, expect.stringContaining("only its author")]);
    expect((await on(["comment", "delete", `${id}`, "--yes"])).code).toBe(0);
    expect((await on(["comment", "view", `${id}`])).code).toBe(5);
    for (const line of [
      ["issue", "comment", "999", "--body", "x"],
      ["comment", "list", "999"],
    ]) {
      const ran = await on(line);
      expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("Issue #999 not found")]);
    }
  });
});

describe("the files of a text", () => {
  it("are uploaded with it, and its links lead to them", async () => {
    const cwd = emptyFolder();
    const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
    writeFileSync(join(cwd, "lamp.png"), png);
    writeFileSync(join(cwd, "log.txt"), "dark\n");
    const body = "![lamp](lamp.png) and `![lamp](lamp.png)`";
    type Made = {
      readonly number: number;
      readonly id: number;
      readonly body: string;
      readonly uploaded: { readonly name: string; readonly uuid: string }[];
    };
    const uploaded = async (line: readonly string[]) => {
      const ran = await on([...line, "--body", body, "--attach", "log.txt", "--json"], { cwd });
      expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("lamp.png")]);
      const made = [ran.json()].flat()[0] as Made;
      expect(made.uploaded.map(({ name }) => name)).toEqual(["log.txt", "lamp.png"]);
      expect(made.body).toMatch(/^!\[lamp\]\(\S+\/attachments\/[\w-]+\) and `!\[lamp\]\(lamp\.png\)`$/);
      expect(made.body).toContain(made.uploaded[1]?.uuid);
      return made;
    };
    const { number } = await uploaded(["issue", "create", "--title", "Dark"]);
    const { id } = await uploaded(["issue", "comment", `${number}`]);
    await uploaded(["comment", "edit", `${id}`]);
    await uploaded(["issue", "edit", `${number}`]);
    const listed = await on(["issue", "attachment", "list", `${number}`, "--json", "name"]);
    expect(listed.json()).toHaveLength(4);
    const of = await on(["issue", "attachment", "list", `${number}`, "--comment", `${id}`, "--json", "name"]);
    expect(of.json()).toHaveLength(4);
    const got = await on(["issue", "attachment", "download", `${number}`, "-D", "out"], { cwd });
    expect(got.code).toBe(0);
    const saved = got.stdout.split("\n").find((path) => path.includes("lamp")) ?? "";
    expect(readFileSync(join(cwd, saved))).toEqual(png);
  });
});

describe("a real server", () => {
  it("keeps reactions, times, subscriptions, events and attachments of an issue", async ({ skip }) => {
    if (target.kind === "sandbox") skip("the sandbox does not play them");
    const number = `${await create("Everything else")}`;
    expect((await on(["issue", "reaction", "add", number, "heart", "+1"])).code).toBe(0);
    const unknown = await on(["issue", "reaction", "add", number, "no-such"]);
    expect([unknown.code, unknown.stderr]).toEqual([13, expect.stringContaining("Unknown reaction 'no-such'")]);
    expect((await on(["issue", "reaction", "remove", number, "+1"])).code).toBe(0);
    const left = await on(["issue", "reaction", "list", number, "--json", "content"]);
    expect(left.json()).toEqual([{ content: "heart" }]);

    expect((await on(["issue", "start", number])).code).toBe(0);
    const twice = await on(["issue", "start", number]);
    expect([twice.code, twice.stderr]).toEqual([9, expect.stringContaining("is already running")]);
    expect((await on(["issue", "stop", number])).code).toBe(0);
    expect((await on(["issue", "stop", number])).code).toBe(9);
    const time = await on(["issue", "time", "add", number, "1h30m"]);
    expect(time).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\n$/) });
    const times = await on(["issue", "time", "list", number, "--user", "@me"]);
    expect(times.stdout).toContain("\t1h 30m\t");
    expect((await on(["issue", "time", "delete", number, time.stdout.trim(), "--yes"])).code).toBe(0);

    expect((await on(["issue", "unsubscribe", number])).code).toBe(0);
    expect((await on(["issue", "subscribe", number])).code).toBe(0);
    const events = await on(["issue", "timeline", number, "--json", "type"]);
    expect(events.json()).toEqual(expect.arrayContaining([{ type: "start_tracking" }, { type: "add_time_manual" }]));
    expect((await on(["issue", "timeline", "999"])).code).toBe(5);

    const folder = emptyFolder();
    const text = "22:04 dark\n".repeat(50_000);
    writeFileSync(join(folder, "log.txt"), text);
    const sent = await on(["issue", "attachment", "upload", number, "log.txt", "--json", "id,name,size"], {
      cwd: folder,
    });
    expect(sent.json()).toMatchObject([{ name: "log.txt", size: text.length }]);
    const [{ id = 0 } = {}] = sent.json() as { readonly id?: number }[];
    expect((await on(["issue", "attachment", "rename", number, `${id}`, "night.txt"])).code).toBe(0);
    const got = await on(["issue", "attachment", "download", number, "-D", "out"], { cwd: folder });
    expect(got).toMatchObject({ code: 0, stdout: `${join("out", "night.txt")}\n` });
    expect(readFileSync(join(folder, "out", "night.txt"), "utf8")).toBe(text);
    writeFileSync(join(folder, "out", "night.txt"), "mine\n");
    const exists = await on(["issue", "attachment", "download", number, "-D", "out"], { cwd: folder });
    expect([exists.code, exists.stderr]).toEqual([9, expect.stringContaining("already exists")]);
    expect(readFileSync(join(folder, "out", "night.txt"), "utf8")).toBe("mine\n");
    expect((await on(["issue", "attachment", "delete", number, `${id}`, "--yes"])).code).toBe(0);
    expect((await on(["issue", "attachment", "list", number, "--json"])).json()).toEqual([]);
  });

  it("reads templates and the configuration", async ({ skip }) => {
    if (target.kind === "sandbox") skip("the sandbox does not play them");
    const form = [
      "name: Bug report",
      "about: Something is broken",
      'title: "[Bug] "',
      "labels: [bug]",
      "body:",
      "  - type: input",
      "    id: where",
      "    attributes: {label: Where}",
      "    validations: {required: true}",
      "  - type: checkboxes",
      "    id: sure",
      "    attributes: {label: Checks, options: [{label: I looked, required: true}]}",
    ].join("\n");
    const content = (text: string) => ({
      content: Buffer.from(text).toString("base64"),
      message: "Add",
      branch: "main",
    });
    const at = `/repos/${repo}/contents/.gitea/ISSUE_TEMPLATE`;
    await target.ask("POST", `${at}/bug.yaml`, content(form), mara);
    await target.ask("POST", `${at}/config.yaml`, content("blank_issues_enabled: false\n"), mara);
    const list = await on(["issue", "template", "list", "--json", "name"]);
    expect(list.json()).toEqual([{ name: "Bug report" }]);
    const missing = await on(["issue", "create", "--template", "bug report"]);
    expect([missing.code, missing.stderr]).toEqual([
      2,
      expect.stringContaining("Missing: --title, --field where, --field 'sure=I looked'"),
    ]);
    const fields = ["--field", "where=north", "--field", "sure=I looked"];
    const line = "issue create -T bug.yaml --title Dark --json body,labels.name";
    const made = await on([...line.split(" "), ...fields]);
    expect(made.json()).toEqual({
      body: "### Where\n\nnorth\n\n### Checks\n\n- [x] I looked\n\n",
      labels: [{ name: "bug" }],
    });
    const config = await on(["issue", "config", "--check", "--json"]);
    expect([config.code, config.json()]).toMatchObject([0, { blank_issues_enabled: false, valid: true }]);
  });
});

describe("the branch of an issue", () => {
  it("is created, linked, listed, checked out, and refused a second time", async () => {
    const place = `${mara.login}/lamps`;
    await target.ask("POST", "/user/repos", { name: "lamps", auto_init: true, default_branch: "main" }, mara);
    await target.ask("POST", `/repos/${place}/issues`, { title: "The lamp is DÄRK, again!" }, mara);
    await target.ask("POST", `/repos/${place}/issues`, { title: "Second" }, mara);
    const clone = await cloneOf(target, mara, place);
    const ref = async (number: number) =>
      ((await target.ask("GET", `/repos/${place}/issues/${number}`, undefined, mara)) as { readonly ref: string }).ref;

    const none = await clone.tongs(["issue", "develop", "1", "--list"]);
    expect(none).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("No branch is linked") });
    const dry = await clone.tongs(["issue", "develop", "1", "--checkout", "--dry-run"]);
    expect(dry.stdout).toContain(`/api/v1/repos/${place}/branches\n`);
    expect(await ref(1)).toBe("");

    const made = await clone.tongs(["issue", "develop", "1", "--checkout"]);
    const name = "1-the-lamp-is-dark-again";
    expect([made.code, made.stdout, made.stderr]).toEqual([
      0,
      `${name}\n`,
      expect.stringMatching(new RegExp(`Created branch ${name} at \\w{10} for ${place}#1`)),
    ]);
    expect(await ref(1)).toBe(`refs/heads/${name}`);
    expect(await clone.git("branch", "--show-current")).toBe(name);
    expect(await clone.git("rev-parse", "--abbrev-ref", "@{upstream}")).toBe(`origin/${name}`);
    expect((await clone.tongs(["issue", "develop", "1", "--list"])).stdout).toBe(`${name}\n`);
    const again = await clone.tongs(["issue", "develop", "1", "--name", "other"]);
    expect(again).toMatchObject({ code: 9, stderr: expect.stringContaining(`has a branch already: ${name}`) });

    await clone.commit("Light it", { "lamp.txt": "x\n" });
    await clone.push("origin", name);
    const taken = await clone.tongs(["issue", "develop", "2", "--name", name]);
    expect(taken).toMatchObject({ code: 9, stderr: expect.stringContaining(`Branch ${name} already exists`) });
    expect(taken.stderr).toContain(`link it: tongs issue develop 2 --name ${name} --link`);
    const line = `issue develop 2 --name second --base ${name} --json number,ref`;
    const fromHere = await clone.tongs(line.split(" "));
    expect(fromHere.json()).toEqual({ number: 2, ref: "refs/heads/second" });
    // A branch that was deleted is none.
    await clone.push("origin", "--delete", "second");
    expect((await clone.tongs(["issue", "develop", "2", "--name", "third"])).code).toBe(0);
    expect(await ref(2)).toBe("refs/heads/third");
    const unknown = await clone.tongs(["issue", "develop", "1", "--name", "x", "--base", "absent"]);
    expect(unknown.code).toBe(9);
  });

  it("is not created for a pull request, from an unknown commit, or to check out where there is no clone", async () => {
    const place = `${mara.login}/lamps`;
    await target.ask("POST", `/repos/${place}/issues`, { title: "Third" }, mara);
    const lamps = { env: { TONGS_REPO: place } };
    const unknown = await on(["issue", "develop", "3", "--name", "x", "--base", "absent"], lamps);
    expect(unknown.code).toBe(5);
    expect((await on(["issue", "develop", "3", "--checkout"], { ...lamps, cwd: emptyFolder() })).code).toBe(2);
    expect((await on(["issue", "develop", "3", "--name", "a..b"], lamps)).code).toBe(2);
    expect((await on(["issue", "develop", "99"], lamps)).code).toBe(5);
    await target.ask("POST", `/repos/${place}/contents/x`, { content: "eA==", message: "x", branch: "third" }, mara);
    await target.ask("POST", `/repos/${place}/pulls`, { title: "P", head: "third", base: "main" }, mara);
    const pull = await on(["issue", "develop", "4"], lamps);
    expect(pull).toMatchObject({ code: 2, stderr: expect.stringContaining("is a pull request") });
    const denied = await on(["issue", "develop", "3"], lamps, priya);
    expect(denied.code).toBe(4);
  });

  it("is linked if a run that was interrupted had only created it", async () => {
    const place = `${mara.login}/lamps`;
    const { number } = (await target.ask("POST", `/repos/${place}/issues`, { title: "Wick" }, mara)) as {
      readonly number: number;
    };
    const name = `${number}-wick`;
    await target.ask("POST", `/repos/${place}/branches`, { new_branch_name: name }, mara);
    const ran = await on(["issue", "develop", `${number}`, "--json", "ref"], { env: { TONGS_REPO: place } });
    expect([ran.code, ran.json()], ran.stderr).toEqual([0, { ref: `refs/heads/${name}` }]);
    expect(ran.stderr).toContain(`Linked the existing branch ${name}`);
    const { number: other } = (await target.ask("POST", `/repos/${place}/issues`, { title: "Glass" }, mara)) as {
      readonly number: number;
    };
    const line = ["issue", "develop", `${other}`, "--name", "1-the-lamp-is-dark-again", "--link", "--json", "ref"];
    const linked = await on(line, { env: { TONGS_REPO: place } });
    expect(linked.json(), linked.stderr).toEqual({ ref: "refs/heads/1-the-lamp-is-dark-again" });
  });
});
