import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { topics } from "../../../src/command/topics.ts";
import { killedAtEachRequest } from "../../support/killed.ts";
import { emptyFolder, type Ran, tongs, type World } from "../../support/tongs.ts";
import { admin, heir, type LeavingServer, leavingServer } from "./leaving.ts";

const envOf = (server: LeavingServer) => ({ TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" });

function run(server: LeavingServer, line: readonly string[], world: World = {}): Promise<Ran> {
  return tongs(["user", "offboard", ...line], { ...world, env: { ...envOf(server), ...world.env } });
}

/** The steps of a leaver: nothing of them is left, and the heir has all that was theirs. */
function expectGone(server: LeavingServer, count: number): void {
  for (let index = 0; index < count; index += 1) {
    const name = `leaver${index}`;
    expect(server.users.get(name)).toMatchObject({ prohibited: true, keys: [], orgs: [] });
    expect(server.repos.get(`boat-${name}`)).toBe(heir);
    expect(server.assignees.get(name)).toEqual([heir]);
    expect([...(server.reviewers.get(name) ?? [])]).toEqual([heir]);
  }
}

/** What changes for each: the sign-in, two keys, an issue and a review in two requests each, a repository, an organization. */
const changesEach = 9;

const leavers = (count: number) => Array.from({ length: count }, (_, index) => `leaver${index}`);

describe("user offboard", () => {
  it("takes all steps, in an order in which access ends first", async () => {
    const server = await leavingServer(1);
    const cwd = emptyFolder();
    const names = ["leaver0", "LEAVER0", "leaver0"];
    const ran = await run(server, [...names, "--to", "MARA", "--yes", "--json", "step,target,action"], { cwd });
    expect(ran.stderr).toContain("1 user offboarded as warden on");
    expect(ran.code).toBe(0);
    expect(ran.json()).toEqual([
      { step: "block", target: null, action: "done" },
      { step: "key", target: expect.stringContaining("(4)"), action: "done" },
      { step: "key", target: expect.stringContaining("(5)"), action: "done" },
      { step: "issue", target: "fleet/dock#3", action: "done" },
      { step: "review", target: "fleet/pier#3", action: "done" },
      { step: "repository", target: "leaver0/boat-leaver0", action: "done" },
      { step: "organization", target: "fleet", action: "done" },
    ]);
    expectGone(server, 1);
    expect(server.changes[0]).toBe("PATCH /admin/users/leaver0");
    expect(server.changes.length).toBe(changesEach);
  });

  it("changes nothing with --plan and --dry-run, nor when the answer is no", async () => {
    const server = await leavingServer(3);
    const cwd = emptyFolder();
    expect(await run(server, [...leavers(3), "--to", heir, "--plan"], { cwd })).toMatchObject({ code: 0 });
    const dry = await run(server, [...leavers(3), "--to", heir, "--dry-run"], { cwd });
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining("PATCH") });
    const asked = await run(server, [...leavers(3), "--to", heir], { cwd, terminal: true, answers: [false] });
    expect(asked).toMatchObject({ code: 3, asked: [expect.stringContaining(`Offboard 3 users on ${server.url}`)] });
    expect(server.changes).toEqual([]);
    expect(await run(server, ["leaver0"], { cwd })).toMatchObject({ code: 2 });
  });

  it("without --to keeps what would be handed over, and says so", async () => {
    const server = await leavingServer(1);
    const ran = await run(server, ["leaver0", "--yes"]);
    expect(ran.stderr).toContain(
      "leaver0 keeps what --to would hand over (repositories: 1, assigned issues and pull requests: 1, review requests: 1)",
    );
    expect(server.repos.get("boat-leaver0")).toBe("leaver0");
    expect(server.users.get("leaver0")).toMatchObject({ prohibited: true, keys: [], orgs: [] });
    const other = await run(server, ["leaver0", "--delete", "--yes"], { cwd: emptyFolder() });
    expect(other).toMatchObject({ code: 9, stderr: expect.stringContaining("hand them over with --to") });
    expect(server.users.has("leaver0")).toBe(true);
  });

  it("deletes at the end, but not somebody of whom a step failed", async () => {
    const server = await leavingServer(2);
    server.repos.set("stuck", "leaver1");
    const cwd = emptyFolder();
    const line = [...leavers(2), "--to", heir, "--delete", "--yes", "--json", "user,step,action"];
    const ran = await run(server, line, { cwd });
    expect(ran).toMatchObject({
      code: 11,
      stderr: expect.stringContaining('"target":"leaver1 repository leaver1/stuck"'),
    });
    expect([server.users.has("leaver0"), server.users.has("leaver1")]).toEqual([false, true]);
    expect((ran.json() as unknown[]).at(-1)).toEqual({ user: "leaver1", step: "delete", action: "stopped" });
    server.repos.set("stuck", heir);
    // Of the other, the name is left.
    expect(await run(server, line, { cwd })).toMatchObject({ code: 11 });
    expect(server.users.has("leaver1")).toBe(false);
    expect(server.changes.filter((one) => one.startsWith("DELETE /admin/users/leaver1")).length).toBe(3);
    expect(server.repeats).toEqual([]);
  });

  it("says of a plan with one step that it is one, and of somebody who is as wished that nothing changed", async () => {
    const server = await leavingServer(1);
    await run(server, ["leaver0", "--to", heir, "--yes"]);
    server.users.set("leaver0", { ...server.users.get("leaver0"), orgs: ["fleet"] } as never);
    const plan = await run(server, ["leaver0", "--to", heir, "--plan"]);
    expect(plan.stderr).toContain("Plan: 1 change; nothing was changed.");
    await run(server, ["leaver0", "--to", heir, "--yes"]);
    const again = await run(server, ["leaver0", "--to", heir, "--yes"]);
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("Nothing to do") });
  });

  it("looks at the account again before the first write for somebody", async () => {
    const server: LeavingServer = await leavingServer(12, {
      onRequest: () => {
        if (server.changes.length === 0 || server.users.has("quit11")) return;
        server.users.set("quit11", server.users.get("leaver11") as never);
        server.users.set("leaver11", { id: 69, prohibited: false, signsInAs: "", keys: [], orgs: [] });
      },
    });
    const line = [...leavers(12), "--to", heir, "--yes"];
    const ran = await run(server, line, { cwd: emptyFolder() });
    expect(ran).toMatchObject({ code: 11, stderr: expect.stringContaining("leaver11 is another account now (id 69,") });
    expect(server.users.get("leaver11")?.prohibited).toBe(false);
    expect(server.users.get("quit11")?.prohibited).toBe(false);
    expectGone(server, 11);
  });

  it("goes on where an issue, a pull request or a repository was deleted meanwhile, and says that it is gone", async () => {
    const server: LeavingServer = await leavingServer(1, {
      onRequest: () => {
        if (server.changes.length > 0) for (const one of ["leaver0", "boat-leaver0"]) server.gone.add(one);
      },
    });
    const cwd = emptyFolder();
    const line = ["leaver0", "--to", heir, "--yes", "--json", "step,action,reason"];
    const ran = await run(server, line, { cwd });
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect((ran.json() as unknown[]).slice(3)).toEqual([
      { step: "issue", action: "unchanged", reason: "is gone" },
      { step: "review", action: "unchanged", reason: "is gone" },
      { step: "repository", action: "unchanged", reason: "is gone" },
      { step: "organization", action: "done", reason: "team Owners" },
    ]);
    expect(server.users.get("leaver0")).toMatchObject({ prohibited: true, orgs: [] });
  });

  it("hands nothing over that was closed meanwhile", async () => {
    const server: LeavingServer = await leavingServer(1, {
      onRequest: () => {
        if (server.changes.length > 0) server.closed.add("leaver0");
      },
    });
    expect(await run(server, ["leaver0", "--to", heir, "--yes"], { cwd: emptyFolder() })).toMatchObject({ code: 0 });
    expect(server.assignees.get("leaver0")).toEqual(["leaver0"]);
  });

  it("stops somebody whose work the heir cannot read, and names what mends that", async () => {
    const server = await leavingServer(2);
    server.hidden.add("dock");
    server.assignees.delete("leaver1");
    const plan = await run(server, [...leavers(2), "--to", heir, "--plan", "--json", "user,action,reason"]);
    const mends = "1 issue or pull request of fleet/dock without access to it: run tongs repo collaborator add";
    expect((plan.json() as { action: string }[]).filter(({ action }) => action === "stopped")).toEqual([
      {
        user: "leaver0",
        action: "stopped",
        reason: `${heir} cannot take over ${mends} ${heir} -R fleet/dock --permission read`,
      },
    ]);
  });

  it("loses no assignee where the heir turns out to have no access, and keeps the access until it is handed over", async () => {
    let isHidden = true;
    // The access ends between the plan and the write.
    const server: LeavingServer = await leavingServer(1, {
      onRequest: () => {
        if (isHidden && server.changes.length > 0) server.hidden.add("dock");
      },
    });
    const cwd = emptyFolder();
    const ran = await run(server, ["leaver0", "--to", heir, "--yes"], { cwd });
    expect(ran).toMatchObject({ code: 11, stderr: expect.stringContaining("leaver0 issue fleet/dock#3") });
    expect(server.assignees.get("leaver0")).toEqual(["leaver0"]);
    const left = await run(server, ["leaver0", "--to", heir, "--plan", "--json", "step,action"], { cwd });
    expect([left.code, left.json()]).toEqual([9, [{ step: "stop", action: "stopped" }]]);
    // The server would unassign who loses access, so that waits.
    expect(server.users.get("leaver0")?.orgs).toEqual(["fleet"]);
    isHidden = false;
    server.hidden.clear();
    expect(await run(server, ["leaver0", "--to", heir, "--yes"], { cwd })).toMatchObject({ code: 0 });
    expectGone(server, 1);
  });

  it("takes all access away where a review cannot be handed over, and names the command that does it", async () => {
    const server = await leavingServer(1);
    const cwd = emptyFolder();
    server.foreign.add("leaver0");
    server.users.get("leaver0")?.orgs.push("reef");
    server.collaborators.push("leaver0", "jonas");
    const line = ["leaver0", "--to", heir, "--delete", "--yes", "--json", "step,target,action"];
    const ran = await run(server, line, { cwd });
    expect(ran.code).toBe(11);
    expect((ran.json() as unknown[]).slice(4)).toEqual([
      { step: "review", target: "fleet/pier#3", action: "failed" },
      { step: "repository", target: "leaver0/boat-leaver0", action: "done" },
      { step: "collaborator", target: "fleet/dock", action: "done" },
      { step: "organization", target: "fleet", action: "done" },
      { step: "organization", target: "reef", action: "done" },
      { step: "delete", target: null, action: "stopped" },
    ]);
    expect(server.users.get("leaver0")).toMatchObject({ prohibited: true, keys: [], orgs: [] });
    expect(server.collaborators).toEqual(["jonas"]);
    const way = `tongs pr edit 3 -R fleet/pier --add-reviewer ${heir} --remove-reviewer leaver0 --sudo`;
    expect(ran.stderr).toContain(`Doer can't choose reviewer; to do it as somebody who may, run: ${way} USER`);
    const mended = await tongs([...way.split(" ").slice(1), heir], { env: envOf(server), cwd });
    expect(mended.code, mended.stderr).toBe(0);
    expect(await run(server, line, { cwd })).toMatchObject({ code: 0 });
    expect(server.users.has("leaver0")).toBe(false);
    expect([...(server.reviewers.get("leaver0") ?? [])]).toEqual([heir]);
  });

  it("hands repositories over to an organization, and says what only a user could take", async () => {
    const server = await leavingServer(1);
    const ran = await run(server, ["leaver0", "--to", "Fleet", "--yes"], { cwd: emptyFolder() });
    expect(ran).toMatchObject({ code: 0 });
    expect(server.repos.get("boat-leaver0")).toBe("fleet");
    expect(server.assignees.get("leaver0")).toEqual(["leaver0"]);
    expect(ran.stderr).toContain(
      "keeps what only a user of --to could take over, not fleet (assigned issues and pull requests: 1, review requests: 1)",
    );
  });

  it("stops the owners of an organization who would all leave, names them first, and does the others", async () => {
    const server = await leavingServer(3);
    server.owners.splice(0, 1, "leaver1", "leaver2");
    const cwd = emptyFolder();
    const line = [...leavers(3), "--to", heir];
    const plan = await run(server, [...line, "--plan", "--json", "user,step,reason"], { cwd });
    expect(plan.code).toBe(11);
    const first = (plan.json() as { user: string; step: string }[])
      .slice(0, 3)
      .map(({ user, step }) => `${user} ${step}`);
    expect(first).toEqual(["leaver1 stop", "leaver2 stop", "leaver0 block"]);
    const ran = await run(server, [...line, "--yes"], { cwd });
    expect(ran).toMatchObject({ code: 11, stderr: expect.stringContaining("leaver1 stop: last owner of fleet") });
    expectGone(server, 1);
    expect(server.users.get("leaver1")?.prohibited).toBe(false);
    expect(await run(server, ["leaver1", "leaver2", "--yes"], { cwd })).toMatchObject({ code: 9 });
    server.owners.push(heir);
    expect(await run(server, [...line, "--yes"], { cwd })).toMatchObject({ code: 0 });
    expectGone(server, 3);
    expect(server.repeats).toEqual([]);
    expect(server.changes.length).toBe(3 * changesEach);
  });

  it("names each fault of a file with its line and column, and sends no write", async () => {
    const server = await leavingServer(2);
    const cwd = emptyFolder();
    const write = (text: string) => writeFileSync(join(cwd, "leavers.yml"), text);
    const line = ["--file", "leavers.yml", "--yes"];
    write("too: mara\nusers:\n  leaver0: {to: [1], delet: true, delete: maybe}\n  leaver1: gone\n");
    const ran = await run(server, line, { cwd });
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain("leavers.yml:1:1: too is unknown; did you mean: to?");
    expect(ran.stderr).toContain("leavers.yml:3:13: users.leaver0.to must be text");
    expect(ran.stderr).toContain("leavers.yml:3:22: users.leaver0.delet is unknown; did you mean: delete?");
    expect(ran.stderr).toContain("leavers.yml:3:35: users.leaver0.delete must be true or false");
    expect(ran.stderr).toContain("leavers.yml:4:3: users.leaver1 must be a map");
    write("users: [leaver0, nobody, fleet, warden, LEAVER0]\nto: leaver1\n");
    const second = await run(server, line, { cwd });
    expect(second.stderr).toContain("leavers.yml:1:41: users.LEAVER0 is listed twice");
    write("users: [leaver0, null, ~]\n");
    const empty = await run(server, line, { cwd });
    expect(empty.stderr).toContain("leavers.yml:1:1: users must be a list");
    write("users: [leaver0, nobody, fleet, warden]\nto: leaver0\n");
    const third = await run(server, [...line, "--plan"], { cwd });
    expect(third.code).toBe(2);
    expect(third.stderr).toContain("leavers.yml:1:18: users.nobody is no user of the server");
    expect(third.stderr).toContain("leavers.yml:1:26: users.fleet is no user of the server");
    expect(third.stderr).toContain("leavers.yml:1:33: users.warden is the account that you are signed in with");
    expect(third.stderr).toContain("is handed over to leaver0, who leaves");
    write("users: [leaver0, leaver1]\nto: nobody\n");
    const fourth = await run(server, [...line, "--plan"], { cwd });
    for (const name of ["leaver0", "leaver1"])
      expect(fourth.stderr).toContain(`users.${name} is handed over to nobody, who is no user or organization`);
    for (const text of ["users: [", "[]", "users:\n  a: &x {to: *y}\n", "{}"]) {
      write(text);
      expect(await run(server, line, { cwd }), text).toMatchObject({ code: 2, stdout: "" });
    }
    expect(server.changes).toEqual([]);
    write(JSON.stringify({ to: heir, users: { leaver0: { id: 3 }, leaver1: { id: 4 } } }));
    const last = await run(server, line, { cwd });
    expect(last.stderr).toContain("2 users offboarded");
    expectGone(server, 2);
  });

  it("reads the files that the help shows, as user onboard and policy audit do", async () => {
    const server = await leavingServer(2);
    const cwd = emptyFolder();
    const blocks = (await topics["files"]?.blocks()) ?? [];
    const samples = blocks.flatMap((block) =>
      block.kind === "lines" && !block.lines[0]?.startsWith("tongs") ? [block.lines.join("\n")] : [],
    );
    const lines: readonly string[][] = [
      ["user", "onboard", "FILE", "--plan", "--generate-passwords", "p.csv"],
      ["user", "offboard", "--file", "FILE", "--plan"],
      ["user", "offboard", "--file", "FILE", "--plan"],
      ["policy", "audit", "FILE", "--check", "administrator"],
    ];
    expect(samples).toHaveLength(lines.length);
    for (const [index, line] of lines.entries()) {
      const sample = (samples[index] ?? "").replace(/\bAAAA\w+\.\.\./, `AAAA${"B".repeat(60)}`);
      writeFileSync(join(cwd, "f.yml"), sample.replace("jonas", "leaver0").replace("priya", "leaver1"));
      const words = line.map((word) => (word === "FILE" ? "f.yml" : word));
      const ran = await tongs(words, { env: envOf(server), cwd });
      expect(ran.stderr, sample).not.toMatch(/unknown|must be|missing|has no (email|password)|not a public/);
    }
  });

  it("shows hostile names as text on a terminal", async () => {
    const server = await leavingServer(1);
    const ran = await run(server, ["leaver0", "--to", heir, "--plan"], { terminal: true });
    expect(ran.stdout).toContain("evil");
    expect(ran.stdout + ran.stderr).not.toMatch(/evil\u001b|\u202e/);
  });

  it("is refused with --sudo, which it uses itself, and with --resume, which it does not need", async () => {
    const server = await leavingServer(1);
    expect(await run(server, ["leaver0", "--sudo", heir, "--yes"])).toMatchObject({ code: 2 });
    const old = await run(server, ["leaver0", "--yes", "--resume"]);
    expect(old.stderr).toContain("Run the same command without --resume");
    expect(server.seen).toEqual([]);
  });

  it("ends well through a proxy that drops every fifth answer", async () => {
    let count = 0;
    const server = await leavingServer(20, { loses: () => ++count % 5 === 0 });
    const cwd = emptyFolder();
    let ran = await run(server, [...leavers(20), "--to", heir, "--yes"], { cwd });
    for (let runs = 0; ran.code !== 0 && runs < 20; runs += 1) {
      expect([6, 11], ran.stderr).toContain(ran.code);
      ran = await run(server, [...leavers(20), "--to", heir, "--yes"], { cwd });
    }
    expect(ran.code).toBe(0);
    expectGone(server, 20);
    expect(server.changes.length).toBe(20 * changesEach);
    expect(new Set(server.changes).size).toBe(server.changes.length);
    // The HTTP layer repeats a DELETE that got no answer, which changes nothing more.
    expect(server.repeats.filter((one) => !one.startsWith("DELETE "))).toEqual([]);
  });
});

it.each([
  { by: ["leaver0"], left: 5 },
  { by: ["--file", "leavers.yml"], left: 0 },
])("is resumed by the same line wherever it was killed, and nothing is done twice or left out: $by", async (given) => {
  const line = ["user", "offboard", ...given.by, "--to", heir, "--delete", "--yes"];
  const world = write("  leaver0: {id: 3}");
  const kills = await killedAtEachRequest(line, async () => {
    const server = await leavingServer(1, { isPrivate: true });
    return {
      ...server,
      world,
      // That the account is gone is all that a name tells.
      code: ({ stderr }) => (stderr.includes("no user of the server has this name") ? given.left : 0),
      holds() {
        expect([...server.users.keys()]).toEqual([admin, heir]);
        expect(server.repos.get("boat-leaver0")).toBe(heir);
        expect(server.assignees.get("leaver0")).toEqual([heir]);
        expect([...(server.reviewers.get("leaver0") ?? [])]).toEqual([heir]);
        expect(new Set(server.changes).size).toBe(server.changes.length);
        expect(server.repeats).toEqual([]);
      },
    };
  });
  expect(kills).toBeGreaterThan(30);
});

/** A folder with a file of these users. */
function write(users: string): World {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "leavers.yml"), `to: ${heir}\nusers:\n${users}`);
  return { cwd };
}

describe("user offboard of a file without a question", () => {
  it("needs the ID or email of each account, which must be right", async () => {
    const server = await leavingServer(2);
    const line = ["--file", "leavers.yml", "--yes"];
    const bare = await run(server, line, write("  leaver0:\n  leaver1: {id: 4}\n"));
    expect(bare).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("users.leaver0 needs the id or email of the account with --yes"),
    });
    const wrong = await run(server, line, write("  leaver0: {id: 4}\n  leaver1: {email: other@example.org}\n"));
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("users.leaver0 is another account: id 3, email leaver0@example.org");
    expect(wrong.stderr).toContain("users.leaver1 is another account: id 4, email leaver1@example.org");
    expect(server.changes).toEqual([]);
    const right = write("  leaver0: {id: 3}\n  leaver1: {email: LEAVER1@example.org}\n");
    expect(await run(server, line, right)).toMatchObject({ code: 0 });
    expectGone(server, 2);
  });

  it("is asked about each account by its full name, address, ID and last sign-in", async () => {
    const server = await leavingServer(1);
    const world = { ...write("  leaver0:\n"), terminal: true, answers: [false] };
    const asked = await run(server, ["--file", "leavers.yml"], world);
    expect(asked.code).toBe(3);
    expect(asked.stderr.replace(/\s+/g, " ")).toContain(
      `leaver0 (Leaver Zero, leaver0@example.org, id 3, last sign-in 2026-03-01): block, 2 keys, 1 issue, 1 review, 1 repository, 1 organization (to ${heir})`,
    );
  });
});

describe("user offboard --delete of a name that no user has", () => {
  const file = ["--file", "leavers.yml", "--delete"];

  it("does the others, and fails for the name, which can be mistyped; without --delete that is an error", async () => {
    const server = await leavingServer(1);
    const why = "no user of the server has this name; if an earlier run deleted the account, nothing is left to do";
    const only = await run(server, ["nobody", "--delete", "--yes"]);
    expect(only).toMatchObject({ code: 5, stderr: expect.stringContaining(`nobody stop: ${why}`) });
    expect(await run(server, ["nobody", "--delete", "--plan"])).toMatchObject({ code: 5 });
    expect(await run(server, ["nobody", "--yes"])).toMatchObject({ code: 2 });
    const inFile = await run(server, [...file, "--plan"], write("  [nobody, leaver0]"));
    expect(inFile).toMatchObject({ code: 11, stdout: expect.stringContaining("no user of the server has this name") });
    expect(server.changes).toEqual([]);
    const ran = await run(server, ["nobody", "leaver0", "--to", heir, "--delete", "--yes"]);
    expect(ran).toMatchObject({ code: 11, stderr: expect.stringContaining(why) });
    expect(server.users.has("leaver0")).toBe(false);
    expect(await run(server, ["fleet", "--delete", "--yes"])).toMatchObject({ code: 2 });
  });

  it("is an error if the account was renamed, which the server, the ID or the address says", async () => {
    const server = await leavingServer(2);
    server.users.set("quit0", server.users.get("leaver0") as never);
    server.users.delete("leaver0");
    for (const row of ["{id: 3}", "{email: QUIT0@example.org}", "{id: 77, email: quit0@example.org}"])
      for (const how of ["--yes", "--plan"]) {
        const ran = await run(server, [...file, how], write(`  {leaver1: {id: 4}, leaver0: ${row}}`));
        expect(ran, row).toMatchObject({ code: 2, stderr: expect.stringContaining("leaver0 is named quit0 now") });
      }
    server.renamed.set("leaver0", "quit0");
    for (const line of [["--delete", "--yes"], ["--delete", "--plan"], ["--yes"]]) {
      const ran = await run(server, ["leaver1", "leaver0", "--to", heir, ...line]);
      expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("leaver0 is named quit0 now") });
    }
    expect(server.changes).toEqual([]);
  });

  it("is nothing to do if no account has the ID or the address of the row, which must not be empty", async () => {
    const server = await leavingServer(1);
    for (const row of ["{id: 77}", "{email: nobody@example.org}"]) {
      const ran = await run(server, [...file, "--yes"], write(`  {nobody: ${row}}`));
      expect(ran, row).toMatchObject({ code: 0, stderr: expect.stringContaining("nobody was deleted already") });
    }
    for (const row of ["{id: 0}", "{email: ''}"]) {
      const ran = await run(server, [...file, "--yes"], write(`  {nobody: ${row}}`));
      expect(ran, row).toMatchObject({ code: 2 });
    }
  });
});

it("removes the right of an administrator, too", async () => {
  const server = await leavingServer(1);
  Object.assign(server.users.get("leaver0") ?? {}, { isAdmin: true });
  const ran = await run(server, ["leaver0", "--yes", "--json", "step"], { cwd: emptyFolder() });
  expect((ran.json() as unknown[]).slice(0, 2)).toEqual([{ step: "block" }, { step: "administrator" }]);
  expect(server.users.get("leaver0")).toMatchObject({ isAdmin: false, prohibited: true });
});
