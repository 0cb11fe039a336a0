import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { serve } from "../support/server.ts";
import { emptyFolder, tongs } from "../support/tongs.ts";
import { onSandbox } from "./on-sandbox.ts";

const forge = await onSandbox();
beforeAll(async () => {
  await forge.ask("POST", "/repos/mara/harbor/issues", "mara", { title: "Dredge the basin" });
  await forge.ask("POST", "/repos/mara/harbor/issues/1/comments", "jonas", { body: "Before the spring tide, @mara." });
});

const run = (...line: string[]) => forge.run(line, { env: { TONGS_REPO: "mara/harbor" }, as: "mara" });

/** A configuration folder with profiles: the sandbox, and a server that does not answer. */
function profiles(names: Readonly<Record<string, string>>): string {
  const folder = join(emptyFolder(), "config");
  mkdirSync(folder, { mode: 0o700 });
  const entries = Object.entries(names).map(([name, host]) => [name, { host, user: "mara" }] as const);
  writeFileSync(join(folder, "config.json"), JSON.stringify({ profiles: Object.fromEntries(entries) }), {
    mode: 0o600,
  });
  const tokens = Object.fromEntries(entries.map(([name]) => [name, forge.token("mara")]));
  writeFileSync(join(folder, "credentials.json"), JSON.stringify({ tokens }), { mode: 0o600 });
  return folder;
}

const everywhere = (names: Readonly<Record<string, string>>, ...line: string[]) =>
  tongs([...line, "--everywhere"], { env: { TONGS_CONFIG_DIR: profiles(names) } });

describe("lists of several repositories and servers", () => {
  /** The same server under another address. */
  let elsewhere = "";
  beforeAll(() => {
    elsewhere = forge.url.replace("127.0.0.1", "localhost");
  });

  it.each(["pr", "issue", "run", "notification"])(
    "%s list --everywhere lists every profile, with the server",
    async (noun) => {
      const one = await everywhere({ home: forge.url }, noun, "list", "--json");
      const two = await everywhere({ home: forge.url, work: elsewhere }, noun, "list", "--json");
      // Two accounts of a server see the same.
      const same = await everywhere({ home: forge.url, other: forge.url }, noun, "list", "--json");
      const rows = one.json() as { server: string }[];
      expect(one.code).toBe(0);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.every(({ server }) => server === forge.url)).toBe(true);
      expect(two.json()).toHaveLength(2 * rows.length);
      expect(same.json()).toEqual(rows);
    },
  );

  it("names a server that does not answer and leaves it out", async () => {
    const ran = await everywhere({ home: forge.url, away: "http://127.0.0.1:1" }, "pr", "list");
    expect(ran).toMatchObject({ code: 11, stderr: expect.stringContaining("away") });
    expect(ran.stdout.split("\n")[0]?.split("\t")[0]).toBe(forge.url);
    const alone = await everywhere({ away: "http://127.0.0.1:1" }, "pr", "list");
    expect(alone).toMatchObject({ code: 6, stdout: "" });
  });

  it.each(["pr", "issue", "run"])("%s list leaves out a server that never answers", async (noun) => {
    const silent = await serve(() => undefined);
    const ran = await everywhere({ home: forge.url, away: silent.url }, noun, "list", "--timeout", "2", "--json");
    expect(ran).toMatchObject({ code: 11, stderr: expect.stringContaining(new URL(silent.url).host) });
    const rows = ran.json() as { server: string }[];
    expect(new Set(rows.map(({ server }) => server))).toEqual(new Set([forge.url]));
  });

  it("notification list --everywhere says whose each is, with two accounts on one server", async () => {
    const ran = await everywhere(
      { home: forge.url, other: forge.url },
      "notification",
      "list",
      "--json",
      "server,profile",
    );
    expect(ran.json()).toContainEqual({ server: forge.url, profile: "home" });
    const table = await everywhere({ home: forge.url }, "notification", "list");
    expect(table.stdout.split("\n")[0]?.split("\t").slice(0, 2)).toEqual([forge.url, "home"]);
  });

  it("refuses to combine --everywhere with one repository or one profile", async () => {
    expect((await everywhere({ home: forge.url }, "pr", "list", "-R", "mara/harbor")).code).toBe(2);
    expect((await everywhere({ home: forge.url }, "run", "list", "--profile", "home")).code).toBe(2);
    expect((await everywhere({ home: forge.url }, "notification", "list", "-R", "mara/harbor")).code).toBe(2);
  });

  it("--all-repos lists pull requests and runs with their repository, and filters", async () => {
    const all = await run("pr", "list", "--json");
    const free = await forge.run(["pr", "list", "--all-repos", "--json"], { as: "mara" });
    const found = free.json() as { number: number; user: { login: string }; base: { repo: { full_name: string } } }[];
    const here = found.filter(({ base }) => base.repo.full_name === "mara/harbor").map(({ number }) => number);
    expect(here.sort()).toEqual((all.json() as { number: number }[]).map(({ number }) => number).sort());
    const mine = await forge.run(["pr", "list", "--all-repos", "--author", "@me", "--json"], { as: "mara" });
    expect((mine.json() as typeof found).every(({ user }) => user.login === "mara")).toBe(true);
    const runs = await forge.run(["run", "list", "--all-repos"], { as: "mara" });
    expect(runs).toMatchObject({ code: 0, stdout: expect.stringContaining("mara/harbor\t") });
  });
});

describe("CSV without fields", () => {
  it.each([
    [["pr", "list"], "number,title,head.label,state,created_at"],
    [["issue", "list"], "number,title,labels,state,updated_at"],
    [["pr", "reviews", "2"], "id,user.login,state,official,stale,comments_count,body,submitted_at"],
    [["label", "list"], "name,description,color,exclusive,id"],
  ])("%s prints the columns of the table under their API names", async (line, header) => {
    const ran = await run(...line, "--csv");
    expect(ran.stdout.split("\n")[0]).toBe(header);
    const chosen = await run(...line, "--csv", "--json", header);
    expect(chosen.stdout).toBe(ran.stdout);
  });

  it("has the same header when the list is empty", async () => {
    const ran = await run("pr", "list", "--base", "nowhere", "--csv");
    expect(ran.stdout).toBe("number,title,head.label,state,created_at\n");
  });
});

describe("other spellings", () => {
  it("-L is --limit, show is view, and new is create", async () => {
    expect(((await run("pr", "list", "-L", "1", "--json")).json() as unknown[]).length).toBe(1);
    expect((await run("-L", "1", "pr", "list")).stdout.trim().split("\n")).toHaveLength(1);
    expect((await run("pr", "show", "2", "--json", "number")).stdout).toBe('{"number":2}\n');
    expect((await run("label", "new", "shoal", "--color", "0075ca")).code).toBe(0);
  });

  it("auth status --all-profiles checks every profile; --all says what it is now", async () => {
    const env = { TONGS_CONFIG_DIR: profiles({ home: forge.url, work: forge.url }) };
    const checked = await tongs(["auth", "status", "--all-profiles", "--json"], { env });
    expect(checked.json()).toHaveLength(2);
    expect(checked.stderr).toBe("");
    const former = await tongs(["auth", "status", "--all", "--json"], { env });
    expect(former.json()).toHaveLength(2);
    expect(former.stderr).toContain("--all-profiles");
  });

  it("run list --state filters as --status does", async () => {
    const [state, status] = [
      await run("run", "list", "--state", "failure"),
      await run("run", "list", "--status", "failure"),
    ];
    expect(state.stdout).toBe(status.stdout);
    expect(state.code).toBe(0);
    expect((await run("run", "list", "--state", "failure", "--status", "success")).code).toBe(2);
  });

  it("run jobs and run delete take --state, and --status as before", async () => {
    const jobs = async (flag: string) => await run("run", "jobs", "--all-runs", flag, "failure", "--json", "id");
    const [state, status] = [await jobs("--state"), await jobs("--status")];
    expect(state).toMatchObject({ code: 0, stdout: status.stdout });
    expect((state.json() as unknown[]).length).toBeGreaterThan(0);
    const remove = async (flag: string) => await run("run", "delete", flag, "failure", "--dry-run");
    const [newer, older] = [await remove("--state"), await remove("--status")];
    expect(newer).toMatchObject({ code: 0, stdout: older.stdout });
    expect(newer.stdout).toContain("DELETE");
    expect((await run("run", "jobs", "--all-runs", "--state", "failure", "--status", "success")).code).toBe(2);
  });

  it("run watch takes --wait, and --timeout with a warning", async () => {
    const [now, former] = [
      await run("run", "watch", "latest", "--wait", "5"),
      await run("run", "watch", "latest", "--timeout", "5"),
    ];
    expect(former.code).toBe(now.code);
    expect(now.stderr).not.toContain("--timeout");
    expect(former.stderr).toContain("--timeout is deprecated here; use --wait");
  });
});

describe("daily commands", () => {
  it("pr status lists what is mine and what asks for my review", async () => {
    const ran = await run("pr", "status", "--json");
    const status = ran.json() as { current: null; created: { user: { login: string } }[]; review_requested: unknown[] };
    expect(ran.code).toBe(0);
    expect(status.current).toBeNull();
    expect(status.created.every(({ user }) => user.login === "mara")).toBe(true);
    expect((await run("pr", "status")).stdout).toContain("Requesting your review");
  });

  it("reviews with comments on lines, dismisses, restores and deletes", async () => {
    const number = `${((await run("pr", "list", "--json")).json() as { number: number }[])[0]?.number}`;
    const file = ((await run("pr", "files", number, "--json")).json() as { filename: string }[])[0]?.filename ?? "";
    const as = "harbormaster";
    const env = { TONGS_REPO: "mara/harbor" };
    const made = await forge.run(["pr", "review", number, "--approve", "--file", `${file}:1=Look: a=b`, "--json"], {
      as,
      env,
    });
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining("Approved") });
    const { id } = made.json() as { id: number };
    const dismissed = await run(
      "pr",
      "review",
      "dismiss",
      `${id}`,
      "999",
      "--pr",
      number,
      "--message",
      "Old",
      "--json",
    );
    expect(dismissed).toMatchObject({ code: 11 });
    expect(dismissed.stderr).toContain(`Review 999 of pull request #${number} not found in mara/harbor`);
    expect(dismissed.json()).toMatchObject([{ id, dismissed: true }]);
    expect((await run("pr", "review", "undismiss", `${id}`, "--pr", number, "--json")).json()).toMatchObject([
      { dismissed: false },
    ]);
    expect((await forge.run(["pr", "review", "delete", `${id}`, "--pr", number], { as, env })).code).toBe(2);
    expect((await forge.run(["pr", "review", "delete", `${id}`, "--pr", number, "--yes"], { as, env })).code).toBe(0);
  });

  it.each(["tides.txt", "tides.txt:0=x", "tides.txt:x=y", "tides.txt:3="])("refuses --file %s", async (typed) => {
    forge.writes();
    expect((await run("pr", "review", "2", "--comment", "--file", typed)).code).toBe(2);
    expect(forge.writes()).toEqual([]);
  });

  it("workflow view --yaml prints the file", async () => {
    const ran = await run("workflow", "view", "ci.yml", "--yaml");
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^(name|on):/m) });
    expect((await run("workflow", "view", "ci.yml", "--ref", "main")).code).toBe(2);
  });

  it("run download unpacks the artifacts of a run", async () => {
    const dir = emptyFolder();
    const [fetched, same] = [
      await run("run", "download", "latest", "--dir", join(dir, "one"), "--json"),
      await run("artifact", "download", "--run", "latest", "--dir", join(dir, "two"), "--json"),
    ];
    expect(fetched.code).toBe(same.code);
    expect((fetched.json() as { id: number }[]).map(({ id }) => id)).toEqual(
      (same.json() as { id: number }[]).map(({ id }) => id),
    );
  });

  it.each(["pr", "issue", "run"])("%s list --web opens the page", async (noun) => {
    const file = join(emptyFolder(), "opened");
    const script = `${file}.sh`;
    writeFileSync(script, `#!/bin/sh\nprintf %s "$1" > ${file}\n`, { mode: 0o755 });
    const ran = await forge.run([noun, "list", "--web"], { env: { TONGS_REPO: "mara/harbor", BROWSER: script } });
    const page = { pr: "pulls", issue: "issues", run: "actions" }[noun];
    expect(ran.code).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(`${forge.url}/mara/harbor/${page}`);
  });

  it("pr close -d deletes the head branch", async () => {
    const own = (
      (await run("pr", "list", "--json")).json() as {
        number: number;
        head: { ref: string; repo: { full_name: string } };
      }[]
    ).find(({ head }) => head.repo.full_name === "mara/harbor");
    expect((await run("pr", "close", `${own?.number}`, "-d")).code).toBe(0);
    expect((await run("branch", "view", own?.head.ref ?? "")).code).toBe(5);
  });
});
