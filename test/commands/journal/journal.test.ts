import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { maskText, maskWords } from "../../../src/http/mask.ts";
import { serve, type TestServer } from "../../support/server.ts";
import { emptyFolder, type Ran, tongs, type World } from "../../support/tongs.ts";
import { type OnSandbox, onSandbox } from "../on-sandbox.ts";

interface Shown {
  readonly number: number;
  readonly method: string;
  readonly path: string;
  readonly status?: number;
  readonly undoable: boolean;
  readonly undone: boolean;
  readonly reason: string | null;
  readonly body?: unknown;
  readonly before?: unknown;
  readonly after?: unknown;
}

function requestsIn(entries: unknown): Shown[] {
  return (entries as { number: number; requests: Shown[] }[]).flatMap(({ number, requests }) =>
    requests.toReversed().map((request) => ({ ...request, number })),
  );
}

/** So that the profile selects the server. */
const outOfTheWay = { TONGS_HOST: "", TONGS_TOKEN: "" };

describe("journal", () => {
  let box: OnSandbox;
  let cwd: string;
  beforeAll(async () => {
    box = await onSandbox();
  });
  beforeEach(() => {
    cwd = emptyFolder();
  });

  function run(line: readonly string[], { env, ...world }: World & { as?: string } = {}): Promise<Ran> {
    return box.run(line, {
      cwd,
      as: "mara",
      ...world,
      env: { XDG_STATE_HOME: cwd, TONGS_REPO: "mara/harbor", ...env },
    });
  }
  const folder = () => join(cwd, "tongs", "journal");

  it("has what was there when a question was answered, not before", async () => {
    const [pull] = (await run(["pr", "list", "--json", "number"])).json() as [{ readonly number: number }];
    const edited = await run(["pr", "edit", `${pull.number}`], {
      terminal: true,
      answers: ["Title", "last"],
      meanwhile: () => box.ask("PATCH", `/repos/mara/harbor/pulls/${pull.number}`, "mara", { title: "meanwhile" }),
    });
    expect(edited.code, edited.stderr).toBe(0);
    expect((await run(["journal", "undo", "1", "--yes"])).code).toBe(0);
    expect((await run(["pr", "view", `${pull.number}`, "--jq", ".title"])).stdout).toContain("meanwhile");
  });

  it.skipIf(process.platform === "win32")(
    "is neither read nor undone in a folder that others can write to",
    async () => {
      expect((await run(["label", "create", "shared", "--color", "#ff0000"])).code).toBe(0);
      chmodSync(folder(), 0o777);
      for (const line of [
        ["journal", "list"],
        ["journal", "view", "1"],
        ["journal", "undo", "1", "--yes"],
      ]) {
        const ran = await run(line);
        expect(ran).toMatchObject({
          stdout: "",
          stderr: expect.stringContaining(`Other users can change ${folder()}`),
        });
        expect(ran.code).not.toBe(0);
      }
      // The write is made, and the reason why it is not noted said.
      const made = await run(["label", "create", "noted", "--color", "#ff0000"]);
      expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining("Other users can change") });
      expect(readdirSync(folder())).toEqual(["1.jsonl"]);
    },
  );

  /** The requests of all commands, the last one first. */
  const entries = async () => requestsIn((await run(["journal", "list", "--all", "--json"])).json());
  async function text(): Promise<string> {
    return readdirSync(folder())
      .map((name) => readFileSync(join(folder(), name), "utf8"))
      .join("");
  }
  async function label(name: string): Promise<Record<string, unknown> | undefined> {
    const all = (await run(["label", "list", "--all", "--json"])).json() as Record<string, unknown>[];
    return all.find((one) => one["name"] === name);
  }

  it("records a write with what the command read before, in a private file", async () => {
    await run(["label", "create", "tide", "--color", "ff0000"]);
    await run(["label", "edit", "tide", "--color", "00ff00"]);
    const [edit, create] = await entries();
    expect(edit).toMatchObject({ number: 2, method: "PATCH", status: 200, undoable: true, body: { color: "00ff00" } });
    expect(edit?.before).toMatchObject({ name: "tide", color: "ff0000" });
    expect(create).toMatchObject({ number: 1, method: "POST", status: 201, path: "/api/v1/repos/mara/harbor/labels" });
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder())) expect(statSync(join(folder(), name)).mode & 0o777).toBe(0o600);
    const view = await run(["journal", "view", "2"]);
    expect(view.stdout).toContain("\nbefore: {");
    expect((await run(["journal", "view", "3"])).code).toBe(5);
  });

  it("asks whose account a token is of, and does not undo a follow for another one", async () => {
    const followed = await run(["follow", "add", "jonas"]);
    expect(followed.code, followed.stderr).toBe(0);
    expect((await run(["follow", "add", "jonas"], { as: "harbormaster" })).code).toBe(0);
    const refused = await run(["journal", "undo", "1", "--yes"], { as: "harbormaster" });
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("changed the account of mara, and you are signed in as harbormaster"),
    ]);
    const undone = await run(["journal", "undo", "1", "--yes"]);
    expect(undone.code, undone.stderr).toBe(0);
    expect((await box.ask("GET", "/user/following/jonas", "harbormaster")).status).toBe(204);
    expect((await box.ask("GET", "/user/following/jonas", "mara")).status).toBe(404);
  });

  it("undoes an edit, once, after a question", async () => {
    await run(["label", "create", "ebb", "--color", "ff0000"]);
    await run(["label", "edit", "ebb", "--color", "00ff00", "--name", "flood"]);
    const no = await run(["journal", "undo", "2"], { terminal: true, answers: [false] });
    expect([no.code, (await label("flood"))?.["color"]]).toEqual([3, "00ff00"]);
    expect((await run(["journal", "undo", "2"])).code).toBe(2);
    const yes = await run(["journal", "undo", "2", "--yes"]);
    expect([yes.code, (await label("ebb"))?.["color"]], yes.stderr).toEqual([0, "ff0000"]);
    const again = await run(["journal", "undo", "2", "--yes"]);
    expect([again.code, again.stderr]).toEqual([9, expect.stringContaining("already undone")]);
    expect((await entries()).find(({ number }) => number === 2)).toMatchObject({ undone: true, undoable: false });
    await run(["journal", "undo", "1", "--yes"]);
    expect(await label("ebb")).toBeUndefined();
  });

  it("finds what was there before by ID, though another label has that ID as its name", async () => {
    await run(["label", "create", "keel", "--color", "ff0000"]);
    const id = String((await label("keel"))?.["id"]);
    // Labels are listed by name, so the other one is found first.
    await run(["label", "create", id, "--color", "0000ff"]);
    await run(["label", "edit", "keel", "--color", "00ff00"]);
    const [edit] = await entries();
    expect(edit?.before).toMatchObject({ name: "keel", color: "ff0000" });
    await run(["journal", "undo", String(edit?.number), "--yes"]);
    expect((await label("keel"))?.["color"]).toBe("ff0000");
  });

  it("says which fields the server did not restore: it ignores the empty texts of a release", async () => {
    const made = await run(["api", "/repos/mara/harbor/releases", "-f", "tag_name=v99", "--jq", ".id"]);
    await run(["api", "-X", "PATCH", `/repos/mara/harbor/releases/${made.stdout.trim()}`, "-f", "body=Notes"]);
    const [edit] = await entries();
    const undone = await run(["journal", "undo", `${edit?.number}`, "--yes", "--json"]);
    expect([undone.code, JSON.parse(undone.stderr)]).toMatchObject([
      1,
      { error: { code: "ignored", message: `The server did not apply body to the undo of entry ${edit?.number}` } },
    ]);
    expect((await entries()).find(({ number }) => number === edit?.number)).toMatchObject({ undone: false });
  });

  it("undoes an undo", async () => {
    await run(["issue", "create", "--title", "First", "--body", "x"]);
    const issue = (await run(["issue", "list", "--limit", "1", "--json", "number"])).json() as { number: number }[];
    const number = `${issue[0]?.number}`;
    const title = async () =>
      ((await run(["issue", "view", number, "--json", "title"])).json() as { title: string }).title;
    const newest = async () => `${Math.max(...(await entries()).map((one) => one.number))}`;
    await run(["issue", "edit", number, "--title", "Second"]);
    expect((await run(["journal", "undo", await newest(), "--yes"])).code).toBe(0);
    expect(await title()).toBe("First");
    const again = await run(["journal", "undo", await newest(), "--yes"]);
    expect([again.code, await title()], again.stderr).toEqual([0, "Second"]);
  });

  it("undoes all that a policy changed at once", async () => {
    const policy =
      "defaults: {settings: {has_wiki: false}, topics: [tides], collaborators: {jonas: read}, variables: {PORT: 1}, " +
      "labels: {policy: ff0000}, milestones: {policy: {description: x}}, branch_protections: {policy: {required_approvals: 1}}, " +
      "tag_protections: {policy: {whitelist_usernames: [mara]}}, hooks: {'https://a.example.org': {events: [push]}}}";
    writeFileSync(join(cwd, "policy.yml"), policy);
    const plan = ["policy", "plan", "policy.yml", "--repo", "mara/harbor", "--json"];
    const planned = (await run(plan)).json();
    const last = (await entries())[0]?.number ?? 0;
    const applied = await run(["policy", "apply", "policy.yml", "--repo", "mara/harbor", "--yes"]);
    expect(applied.code, applied.stderr).toBe(0);
    const undone = await run(["journal", "undo", `${last + 1}`, "--yes"]);
    expect(undone.code, undone.stderr).toBe(0);
    expect((await run(plan)).json()).toEqual(planned);
  });

  it("has no secret, and says that an edit that set one cannot be undone", async () => {
    const secret = "not-a-secret-value";
    const url = "https://ci.example.org/x?token=not-a-secret-value";
    const created = await run(["hook", "create", "--url", url, "--secret-stdin", "--json", "id"], { stdin: secret });
    const { id } = created.json() as { id: number };
    await run(["hook", "edit", `${id}`, "--secret-stdin"], { stdin: secret });
    expect(await text()).not.toContain(secret);
    const [edit, create] = await entries();
    expect(edit).toMatchObject({ method: "PATCH", undoable: false, reason: expect.stringContaining("secret") });
    expect(create).toMatchObject({ method: "POST", undoable: true });
    expect((await run(["journal", "undo", "1", "--yes"])).code).toBe(0);
  });

  it("keeps the user of an SSH address, which is no secret, and no password in one", () => {
    const said = "ssh://git@a.example.org/b.git git+ssh://git@a.example.org/b.git";
    expect(maskText(said)).toBe(said);
    const secret = "ssh://git:not-a-secret@a.example.org/b.git https://not-a-secret@a.example.org/b.git";
    expect(maskText(secret)).toBe("ssh://***@a.example.org/b.git https://***@a.example.org/b.git");
  });

  it("masks the secrets in the words of a command line, and nothing else", () => {
    const secret = "not-a-secret";
    const words = ["--token", secret, "-f", `password=${secret}`, `--field=password=${secret}`, `-fpassword=${secret}`];
    const more = [
      "-H",
      `Cookie: ${secret}`,
      `{"password":"${secret}"}`,
      `/a?b=1&token=${secret}`,
      `https://a:${secret}@b.c/d`,
    ];
    const hooks = ["--url", `https://a.b/${secret}`, "-f", `config[url]=https://a.b/${secret}`];
    expect(JSON.stringify(maskWords([...words, ...more, ...hooks]))).not.toContain(secret);
    const plain = ["--title", "A: b=c", "{no json", ..."-R a/b --color=ff0000 https://a.b/c?d=e --yes".split(" ")];
    expect(maskWords(plain)).toEqual(plain);
  });

  it("has no address of a webhook, and undoes the edits that do not set it", async () => {
    const create = ["hook", "create", "--url", "https://chat.example.org/not-a-secret-anchor", "--json", "id"];
    const { id } = (await run(create)).json() as { id: number };
    await run(["hook", "edit", `${id}`, "--no-active"]);
    await run(["hook", "edit", `${id}`, "--url", "https://chat.example.org/not-a-secret-mooring"]);
    writeFileSync(
      join(cwd, "policy.yml"),
      `repositories: {mara/harbor: {hooks: {"https://chat.example.org/not-a-secret-mooring": {events: [release]}}}}`,
    );
    const applied = await run(["policy", "apply", "policy.yml", "--repo", "mara/harbor", "--yes"]);
    expect(applied.code, applied.stderr).toBe(0);
    expect(await text()).toContain("https://chat.example.org/***");
    expect(await text()).not.toMatch(/anchor|mooring/);
    const [policy, url, active, created] = await entries();
    expect(url).toMatchObject({ undoable: false, reason: "the journal does not keep config.url" });
    expect([policy, active, created].map((entry) => entry?.undoable)).toEqual([true, true, true]);
    for (const number of [4, 2, 1]) {
      const undone = await run(["journal", "undo", `${number}`, "--yes"]);
      expect(undone.code, undone.stderr).toBe(0);
    }
  });

  it("undoes what an edit of a webhook sets beside the address, and says that this stays", async () => {
    const create = ["hook", "create", "--url", "https://chat.example.org/not-a-secret-one", "--event", "push"];
    const { id } = (await run([...create, "--json", "id"])).json() as { id: number };
    const shown = async () =>
      ((await run(["hook", "list", "--json"])).json() as { id: number; config: Record<string, string> }[]).find(
        (one) => one.id === id,
      );
    const edit = ["hook", "edit", `${id}`, "--url", "https://chat.example.org/not-a-secret-two", "--event", "release"];
    const line = [...edit, "--content-type", "form", "--no-active"];
    const dry = await run([...line, "--dry-run"]);
    expect(dry.stderr).toContain("not sent. Undo leaves config.url as it is: the journal does not keep it.");
    const onlyAddress = await run([...edit.slice(0, 5), "--dry-run"]);
    expect(onlyAddress.stderr).toContain("It could not be undone: the journal does not keep config.url.");
    await run(line);
    expect(await shown()).toMatchObject({ active: false, events: ["release"], config: { content_type: "form" } });
    const [edited] = await entries();
    const left = "undo leaves config.url as it is: the journal does not keep it";
    const [listed] = (await run(["journal", "list", "--json"])).json() as object[];
    expect(listed).toMatchObject({ undoable: true, reason: left, requests: [{ undoable: true, reason: left }] });
    expect((await run(["journal", "list"])).stdout).toMatch(/hook edit\tok\tpartly/);
    const undone = await run(["journal", "undo", `${edited?.number}`, "--yes"]);
    expect([undone.code, undone.stderr]).toEqual([
      11,
      expect.stringMatching(
        /! Undo leaves config\.url as it is.*\n✓ Undid a part of entry \d+ \(hook edit\).*\n✗ PATCH .*: undo leaves config\.url/s,
      ),
    ]);
    expect(await shown()).toMatchObject({ active: true, events: ["push"], config: { content_type: "json" } });
    expect(await text()).not.toMatch(/secret-(one|two)/);
  });

  it("undoes all of an edit that repeats the address of a webhook as it is", async () => {
    const create = ["hook", "create", "--url", "https://chat.example.org/not-a-secret-buoy", "--event", "push"];
    const { id } = (await run([...create, "--json", "id"])).json() as { id: number };
    await run(["hook", "edit", `${id}`, "--content-type", "form"]);
    const [edited] = await entries();
    expect(edited).toMatchObject({ undoable: true, reason: null });
    const undone = await run(["journal", "undo", `${edited?.number}`, "--yes"]);
    expect([undone.code, undone.stderr]).toEqual([0, expect.not.stringContaining("leaves")]);
    expect(await text()).not.toContain("buoy");
  });

  it("records nothing for reads, dry runs, and when it is switched off", async () => {
    await run(["label", "list"]);
    await run(["label", "create", "dry", "--color", "ff0000", "--dry-run"]);
    await run(["label", "create", "off", "--color", "ff0000"], { env: { TONGS_JOURNAL: "off" } });
    mkdirSync(join(cwd, ".tongs-test"));
    writeFileSync(join(cwd, ".tongs-test", "config.json"), '{"journal":"off"}', { mode: 0o600 });
    await run(["label", "create", "off2", "--color", "ff0000"]);
    writeFileSync(join(cwd, ".tongs-test", "config.json"), "{}", { mode: 0o600 });
    expect(() => readdirSync(folder())).toThrow("ENOENT");
    expect((await run(["journal", "list"])).stdout).toBe("");
  });

  it("records the writes of an import of users, without their passwords, and undoes what it edited", async () => {
    const as = { as: "harbormaster" };
    const file = join(cwd, "users.csv");
    writeFileSync(
      file,
      "username,email,password\none,one@example.org,not-a-secret-1\ntwo,two@example.org,not-a-secret-2\n",
    );
    const imported = await run(["user", "import", file], as);
    expect(imported.code, imported.stderr).toBe(0);
    expect((await entries())[0]).toMatchObject({ method: "POST", status: 201, body: { password: "***" } });
    expect(await text()).not.toContain("not-a-secret-");
    const names = join(cwd, "names.csv");
    writeFileSync(names, "username,email,full_name\none,one@example.org,One\ntwo,two@example.org,Two\n");
    expect((await run(["user", "import", names, "--on-existing", "update"], as)).code).toBe(0);
    const fullName = async (user: string) =>
      ((await run(["user", "view", user, "--json", "full_name"], as)).json() as { full_name: string }).full_name;
    expect([await fullName("one"), await fullName("two")]).toEqual(["One", "Two"]);
    const undone = await run(["journal", "undo", "2", "--yes"], as);
    expect(undone.code, undone.stderr).toBe(0);
    expect([await fullName("one"), await fullName("two")]).toEqual(["", ""]);
  });

  it.each([50, 80, 120])(
    "lists at %i columns what was done and whether it can be undone, before the request",
    async (columns) => {
      const lines = [
        ["label", "create", `wide-${columns}`, "--color", "ff0000"],
        ["repo", "topic", "add", `topic-${columns}`],
      ];
      for (const line of lines) expect((await run(line)).code).toBe(0);
      const shown = await run(["journal", "list"], {
        terminal: true,
        columns,
        env: { NO_COLOR: "1", TONGS_PAGER: "cat" },
      });
      const [headers, ...rows] = shown.stdout
        .trim()
        .split("\n")
        .map((row) => row.trim().split(/ {2,}/));
      expect(headers?.slice(0, 5)).toEqual(["N", "WHEN", "COMMAND", "STATUS", "UNDO"]);
      expect(rows.map((row) => row.slice(2, 5))).toContainEqual(["label create", "ok", "yes"]);
    },
  );

  it("numbers the writes of several commands at once without a gap or a repeat", async () => {
    const creates = Array.from({ length: 20 }, (_, index) =>
      run(["label", "create", `many-${index}`, "--color", "ff0000"]),
    );
    for (const { code } of await Promise.all(creates)) expect(code).toBe(0);
    const numbers = (await entries()).map(({ number }) => number).sort((one, other) => one - other);
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  it("keeps entries beside damaged lines, and deletes those of 90 days ago", async () => {
    await run(["label", "create", "old", "--color", "ff0000"], { now: new Date("2026-01-01T00:00:00Z") });
    expect(readdirSync(folder())).toContain("1.jsonl");
    await run(["label", "create", "damaged", "--color", "ff0000"]);
    appendFileSync(join(folder(), "2.jsonl"), '\n{"index": 0, "at');
    writeFileSync(join(folder(), "3.jsonl"), '{"at": "2026');
    const undone = await run(["journal", "undo", "2", "--yes"]);
    expect(undone.code, undone.stderr).toBe(0);
    expect((await entries()).map(({ number, undone }) => [number, undone])).toEqual([
      [4, false],
      [2, true],
    ]);
    expect(readdirSync(folder())).not.toContain("1.jsonl");
  });

  it("lists commands by time, name and failure, one row each, and reads no more of them than it shows", async () => {
    await run(["label", "create", "rows", "--color", "ff0000"], { now: new Date(Date.now() - 86_400_000) });
    await run(["issue", "create", "--title", "A row", "--body", "x", "--label", "rows"]);
    await run(["issue", "edit", "1", "--title", "Both", "--add-label", "rows"]);
    await run(["label", "delete", "9999", "rows", "--yes"]);
    const secret = "api -X PATCH /repos/mara/harbor/labels/9999?token=not-a-secret -f password=not-a-secret";
    await run(secret.split(" "));
    const listed = async (...more: string[]) =>
      (await run(["journal", "list", "--jq", '.[]|"\\(.number) \\(.line): \\(.about)"', ...more])).stdout
        .trim()
        .split("\n");
    expect(await listed("--command", "label", "--since", new Date(Date.now() - 3_600_000).toISOString())).toEqual([
      "4 tongs label delete 9999 rows --yes: mara/harbor 9999 (+1)",
    ]);
    expect(await listed("--failed")).toEqual([
      "5 tongs api -X PATCH '/repos/mara/harbor/labels/9999?token=***' -f 'password=***': /repos/mara/harbor/labels/9999?token=***",
    ]);
    expect((await listed()).map((line) => line[0])).toEqual(["5", "4", "3", "2", "1"]);
    rmSync(join(folder(), "1.jsonl"));
    mkdirSync(join(folder(), "1.jsonl"));
    expect((await run(["journal", "list", "--limit", "4"])).code).toBe(0);
    expect((await run(["journal", "list"])).code).not.toBe(0);
  });

  it("warns when it cannot be written, and still sends the write", async () => {
    mkdirSync(join(cwd, "tongs"));
    writeFileSync(join(cwd, "tongs", "journal"), "a file, not a folder");
    const created = await run(["label", "create", "unjournaled", "--color", "ff0000"]);
    expect([created.code, created.stderr]).toEqual([0, expect.stringContaining("Could not write the journal")]);
    expect(await label("unjournaled")).toBeDefined();
  });

  describe("on a server that fails", () => {
    let server: TestServer;
    let onDisk = "";
    beforeAll(async () => {
      server = await serve(async (seen, request) => {
        if (seen.method === "GET") return { body: [] };
        onDisk ||= await text();
        request.socket.destroy();
        return undefined;
      });
    });

    it("records a write whose response was lost, and does not undo it", async () => {
      const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret-token", TONGS_REPO: "a/b", XDG_STATE_HOME: cwd };
      const lost = await tongs(["label", "create", "x", "--color", "ff0000"], { cwd, env });
      expect(lost.code).toBe(6);
      // What a kill leaves.
      expect(onDisk).toContain('"method":"POST","path":"/api/v1/repos/a/b/labels"');
      expect(await text()).not.toContain("not-a-secret-token");
      const undone = await tongs(["journal", "undo", "1", "--yes"], { cwd, env });
      expect([undone.code, undone.stderr]).toEqual([9, expect.stringContaining("no response arrived")]);
    });

    it("says what is left of a command of whose writes some had no response", async () => {
      let count = 0;
      const half = await serve(({ method, url, body }) => {
        const ids = [1, 2].map((id) => ({ id, name: id === 1 ? "a" : "b", color: "ff0000", description: "" }));
        if (method === "GET") return { body: url.includes("/labels/") ? ids[0] : [] };
        if (method === "DELETE") return { status: 204 };
        count += 1;
        return count === 1 ? { status: 201, body: { ...ids[0], ...JSON.parse(body) } } : { status: 504 };
      });
      const home = emptyFolder();
      const env = { TONGS_HOST: half.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "a/b", XDG_STATE_HOME: home };
      const file = join(home, "labels.json");
      writeFileSync(file, JSON.stringify(["a", "b"].map((name) => ({ name, color: "ff0000" }))));
      expect((await tongs(["label", "import", file, "--yes"], { cwd: home, env })).code).toBe(11);
      const listed = await tongs(["journal", "list"], { cwd: home, env });
      expect(listed.stdout.split("\t").slice(3, 5)).toEqual(["1 of 2 failed", "partly"]);
      const undone = await tongs(["journal", "undo", "1", "--yes"], { cwd: home, env });
      await half.close();
      expect([undone.code, undone.stderr]).toEqual([11, expect.stringContaining("no response arrived")]);
    });
  });

  describe("of a response that tongs prints unchanged", () => {
    const created = { id: 7, name: "ci", sha1: "not-a-secret-sha1", token_last_eight: "ret-sha1" };
    let server: TestServer;
    beforeAll(async () => {
      server = await serve(({ method, url }) => {
        if (method === "GET") return { body: [] };
        if (url.endsWith("/tokens")) return { status: 201, body: created };
        if (url.endsWith("/large")) return { status: 201, body: { text: "large ".repeat(20_000) } };
        return { status: 200, body: "<html>not-a-secret-sha1" };
      });
    });

    it("has the fields without the secrets, and neither long texts nor bytes", async () => {
      const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret-token", XDG_STATE_HOME: cwd };
      for (const path of ["/users/mara/tokens", "/large", "/page"]) {
        expect((await tongs(["api", path, "-f", "name=ci"], { cwd, env })).code).toBe(0);
      }
      const kept = await text();
      expect(kept).not.toContain("not-a-secret-sha1");
      expect(kept).not.toContain('"0":');
      expect(kept.length).toBeLessThan(2000);
      const read = await tongs(["journal", "list", "--all", "--json"], { cwd, env });
      const [page, large, token] = requestsIn(read.json());
      expect(token?.after).toEqual({ ...created, sha1: "***" });
      expect([page, large]).toMatchObject([{ status: 200 }, { status: 201 }]);
    });

    it("is recorded with its status if it is not the JSON that a command expects", async () => {
      const env = { TONGS_HOST: server.url, TONGS_TOKEN: "x", TONGS_REPO: "a/b", XDG_STATE_HOME: cwd };
      expect((await tongs(["label", "create", "x", "--color", "ff0000"], { cwd, env })).code).toBe(7);
      const read = await tongs(["journal", "list", "--json"], { cwd, env });
      expect(requestsIn(read.json())).toMatchObject([{ method: "POST", status: 200 }]);
    });
  });

  it("undoes a star only for the user who gave it", async () => {
    const signIn = async (name: string) => {
      const line = ["auth", "login", "--host", box.url, "--token-stdin", "--profile", "hand"];
      const signed = await run(line, { env: { HOME: cwd, ...outOfTheWay }, stdin: box.token(name) });
      expect(signed.code, signed.stderr).toBe(0);
    };
    const asHand = (...line: string[]) => run([...line, "--profile", "hand"], { env: { HOME: cwd, ...outOfTheWay } });
    await signIn("mara");
    await asHand("star", "add", "mara/harbor");
    const number = (await entries()).find(({ path }) => path.endsWith("/starred/mara/harbor"))?.number;
    await signIn("jonas");
    await asHand("star", "add", "mara/harbor");
    const undone = await asHand("journal", "undo", `${number}`, "--yes");
    expect([undone.code, undone.stderr]).toEqual([2, expect.stringContaining("changed the account of mara")]);
    expect((await asHand("star", "list")).stdout).toContain("mara/harbor");
    await asHand("star", "remove", "mara/harbor");
  });

  it("undoes only on the server that the write was sent to", async () => {
    await run(["label", "create", "elsewhere", "--color", "ff0000"]);
    const other = await run(["journal", "undo", "1", "--yes"], { env: { TONGS_HOST: "http://127.0.0.1:9" } });
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("was sent to")]);
  });
});
