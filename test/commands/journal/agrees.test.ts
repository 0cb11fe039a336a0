import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { inverseOf } from "../../../src/app/journal/inverse.ts";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { type Handler, serve } from "../../support/server.ts";
import { emptyFolder, tongs } from "../../support/tongs.ts";
import { type OnSandbox, onSandbox } from "../on-sandbox.ts";

describe.each(["gitea", "forgejo"])("the journal on %s", (as) => {
  let box: OnSandbox;
  const env = { XDG_STATE_HOME: emptyFolder(), TONGS_REPO: "mara/harbor" };
  const cwd = emptyFolder();
  const run = (line: string) => box.run(line.split(" "), { env, cwd });
  const newest = async () => (await run("journal list --jq .[0]")).json() as Record<string, unknown>;
  beforeAll(async () => {
    box = await onSandbox({ release: parseRelease(as) });
    writeFileSync(join(cwd, "log.txt"), "calm\n");
  });

  it("has no write that makes the owner a collaborator: it is refused", async () => {
    const ran = await run("repo collaborator add Mara");
    expect([ran.code, ran.stderr, box.writes()]).toEqual([9, expect.stringContaining("mara owns mara/harbor"), []]);
  });

  it("has no removal of a team that has all repositories: it is foreseen", async () => {
    await run("org create armada");
    await run("team create armada/all --includes-all-repositories --units repo.code");
    await run("repo create armada/log");
    box.writes();
    for (const more of ["", " --dry-run"]) {
      const ran = await run(`repo team remove ALL -R armada/log${more}`);
      expect([ran.code, ran.stderr, box.writes()]).toEqual([9, expect.stringContaining("all repositories"), []]);
    }
  });

  it("undoes a comment with an attachment, which its own upload changed", async () => {
    expect(await run("issue comment 1 --body x --attach log.txt")).toMatchObject({ code: 0 });
    const { number } = await newest();
    expect(await run(`journal undo ${String(number)} --yes`)).toMatchObject({ code: 0 });
  });

  it("says that a command is undone in part, because one of its requests cannot be", async () => {
    await run("release create v9.9.9 --notes x log.txt");
    await run("release upload v9.9.9 log.txt --clobber");
    const { number, requests } = await newest();
    expect(requests).toMatchObject([
      { undoable: true, method: "POST" },
      { undoable: false, method: "DELETE" },
    ]);
    expect((await run("journal list --limit 1")).stdout.split("\t")[4]).toBe("partly");
    expect((await run(`journal view ${String(number)}`)).stdout).toContain("undo\tpartly: servers do not keep");
    expect((await run(`journal undo ${String(number)} --yes`)).code).toBe(11);
  });
});

/** Runs lines against a server, with a journal; returns the last run. */
async function against(handler: Handler, lines: readonly string[]) {
  const server = await serve(handler);
  const own = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_JOURNAL: "", XDG_STATE_HOME: emptyFolder() };
  let ran = await tongs(["journal", "list"], { env: own });
  for (const line of lines) ran = await tongs(line.split(" "), { env: { ...own, TONGS_REPO: "mara/harbor" } });
  await server.close();
  return ran;
}

it("undoes what a server restored in spite of its 500", async () => {
  const record = { id: 1, full_name: "mara/harbor", name: "harbor", owner: { login: "mara" }, empty: false };
  let default_branch = "main";
  let writes = 0;
  const ran = await against(
    ({ method, body }) => {
      if (method === "PATCH") {
        ({ default_branch } = JSON.parse(body) as { default_branch: string });
        writes += 1;
        if (writes === 2) return { status: 500, body: { message: "already in queue" } };
      }
      return { body: { ...record, default_branch } };
    },
    ["repo edit --default-branch dev", "journal undo 1 --yes"],
  );
  expect([ran.code, default_branch, writes], ran.stderr).toEqual([0, "main", 2]);
});

it("foretells that a position of a pinned issue is not undone", async () => {
  const issue = {
    id: 1,
    number: 1,
    title: "Berth",
    state: "open",
    html_url: "",
    pin_order: 1,
    user: { login: "mara" },
  };
  const ran = await against(
    ({ url }) => ({ body: url.endsWith("/pinned") ? [issue] : issue }),
    ["issue pin 1 --position 1 --dry-run"],
  );
  expect(ran.stderr).toContain("The position could not be undone");
});

it("says that a write is undone already that changed nothing, although its answer said otherwise", async () => {
  const settings = { theme: "forgejo-auto" };
  const ran = await against(
    ({ method, url }) => {
      if (url.endsWith("/user")) return { body: { id: 1, login: "mara" } };
      return { body: method === "PATCH" ? { theme: "nope" } : settings };
    },
    ["api user/settings -X PATCH -f theme=nope", "journal undo 1 --yes"],
  );
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("Entry 1 (api) was already undone")]);
});

const past = { method: "PATCH", path: "/api/v1/admin/users/jonas", status: 200, undone: false, user: "mara" };

it("says that the name at the authentication source stays, which was empty", () => {
  const before = { login: "jonas", login_name: "", location: "" };
  const body = { location: "Malmo", login_name: "jonas", source_id: 0 };
  const records = { before: { ...before, source_id: 0 }, after: { ...before, ...body } };
  expect(inverseOf({ ...past, body, ...records })).toMatchObject({
    loses: ["undo leaves jonas as the name at the authentication source"],
  });
  // Forgejo refuses the name without the source, and needs neither.
  const after = { ...before, location: "Malmo" };
  const forgejo = inverseOf({ ...past, body: { location: "Malmo" }, before, after });
  expect(forgejo).toMatchObject({ request: { body: { location: "" } }, remaining: [] });
  expect(inverseOf({ ...past, body: { location: "" }, before, after: before })).toBe("it changed nothing");
});

it("undoes what an administrator of the server was given, who has the permission of owners", async () => {
  const path = "/api/v1/repos/mara/harbor/collaborators/warden";
  const inverse = inverseOf({ ...past, method: "PUT", path, body: { permission: "read" }, before: null, after: null });
  if (typeof inverse === "string") throw new Error(inverse);
  const reader = (isThere: boolean) => ({
    record: async (at: string) => (at.endsWith("/permission") ? { permission: "owner" } : isThere ? null : undefined),
    list: async () => [],
    user: async () => "mara",
  });
  expect([await inverse.isAsLeft(reader(true)), await inverse.isAsLeft(reader(false))]).toEqual([true, false]);
});
