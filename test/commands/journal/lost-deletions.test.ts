import { describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { droppingProxy } from "../../support/dropping-proxy.ts";
import { serve } from "../../support/server.ts";
import { emptyFolder, tongs } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";

describe.each(["gitea", "forgejo"])("a deletion whose answer was lost on %s", (product) => {
  /** A closed pull request of branch `late`, and a proxy that loses the first answer to a DELETE and may break the second. */
  async function withPull({ breaks }: { readonly breaks: boolean }) {
    const box = await onSandbox({ release: parseRelease(product) });
    await box.ask("POST", "/user/repos", "mara", { name: "buoy", auto_init: true });
    const file = { content: Buffer.from("lamp").toString("base64"), message: "Add a lamp", new_branch: "late" };
    await box.ask("POST", "/repos/mara/buoy/contents/lamp.txt", "mara", file);
    await box.ask("POST", "/repos/mara/buoy/pulls", "mara", { title: "Lamp", head: "late", base: "main" });
    await box.ask("PATCH", "/repos/mara/buoy/pulls/1", "mara", { state: "closed" });
    let deletions = 0;
    const proxy = await droppingProxy(box.url, {
      drops: ({ method }) => method === "DELETE" && ++deletions === 1,
      breaks: ({ method }) => breaks && method === "DELETE",
    });
    const env = { TONGS_REPO: "mara/buoy", TONGS_HOST: proxy.url, XDG_STATE_HOME: emptyFolder() };
    const run = (line: string) => box.run(line.split(" "), { as: "mara", env });
    const isThere = async () => (await box.ask("GET", "/repos/mara/buoy/branches/late", "mara")).status === 200;
    return { box, run, isThere, deletions: () => deletions };
  }

  it("is done if the thing is no longer there, whatever the server says to the next attempt", async () => {
    for (const line of ["branch delete late --yes", "pr close 1 -d"]) {
      const { run, isThere, deletions } = await withPull({ breaks: true });
      const ran = await run(line);
      expect([ran.code, await isThere(), deletions()], ran.stderr).toEqual([0, false, 2]);
      expect(ran.stderr).not.toMatch(/may have taken effect|not deleted/);
    }
  });

  it("is done if the thing is no longer there and no attempt gets a response: a milestone", async () => {
    const { box, run } = await withPull({ breaks: true });
    await box.ask("POST", "/repos/mara/buoy/milestones", "mara", { title: "Ebb" });
    const ran = await run("milestone delete Ebb --yes");
    expect(ran.code, ran.stderr).toBe(0);
  });

  it("changed something, although the next attempt finds nothing", async () => {
    const { run, isThere } = await withPull({ breaks: false });
    const ran = await run("pr close 1 -d");
    expect([ran.code, await isThere()], ran.stderr).toEqual([0, false]);
    expect(ran.stderr).toContain("deleted its branch late");
    expect(ran.stderr).not.toContain("Nothing changed");
  });
});

/** A server where mara blocks people and her issue 2 depends on others, and which loses the answer to the first write it is told to. */
async function withRelations(loses: (method: string) => boolean) {
  const has = new Map<string, boolean>();
  let lost = 0;
  const issue = {
    id: 3,
    number: 3,
    title: "two",
    state: "open",
    repository: { owner: "mara", name: "buoy", full_name: "mara/buoy" },
  };
  const server = await serve(
    ({ method, url }, request) => {
      const path = url.replace(/^\/api\/v1|\?.*$/g, "").replace(/\/jonas$/, "");
      if (method !== "GET") {
        const isSo = has.get(path) === (method !== "DELETE");
        has.set(path, method !== "DELETE");
        if (loses(method) && ++lost === 1) request.socket.destroy();
        return isSo
          ? { status: path.includes("issues") ? 500 : 400, body: { message: "so already" } }
          : { body: issue };
      }
      if (url.endsWith("/blocks/jonas")) return { status: has.get(path) ? 204 : 404 };
      if (path === "/user/blocks") return { body: has.get(path) ? [{ id: 3, login: "jonas" }] : [] };
      if (path.endsWith("/dependencies")) return { body: has.get(path) ? [issue] : [] };
      if (path.includes("/issues/")) return { body: issue };
      if (path.startsWith("/user")) return { body: { id: 1, login: "mara" } };
      return { body: { full_name: "mara/buoy", name: "buoy", owner: { login: "mara" } } };
    },
    { saysVersion: true },
  );
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/buoy" };
  const journal = emptyFolder();
  const run = (line: string) => tongs(line.split(" "), { env: { ...env, XDG_STATE_HOME: journal } });
  return { has, run };
}

it("a lost deletion is known by what shows it: a dependency that an undo removed", async () => {
  const { has, run } = await withRelations((method) => method === "DELETE");
  const added = await run("issue dependency add 2 3");
  expect(added.code, added.stderr).toBe(0);
  const ran = await run("journal undo 1 --yes");
  expect(ran.code, ran.stderr).toBe(0);
  expect(has.get("/repos/mara/buoy/issues/2/dependencies")).toBe(false);
});

it.each([
  ["add", "Blocked", true],
  ["remove", "Unblocked", false],
])("a block on gitea whose answer was lost is undone like any other: user block %s", async (verb, done, isSo) => {
  const { has, run } = await withRelations(() => true);
  has.set("/user/blocks", !isSo);
  const ran = await run(`user block ${verb} jonas`);
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining(`✓ ${done} jonas`)]);
  expect(has.get("/user/blocks")).toBe(isSo);
  const undo = await run("journal undo 1 --yes");
  expect(undo.code, undo.stderr).toBe(0);
  expect(has.get("/user/blocks")).toBe(!isSo);
});

it("a deletion whose first attempt was lost is the server's failure if the thing is still there", async () => {
  let deletions = 0;
  const server = await serve(({ method, url }, request) => {
    if (method === "DELETE" && ++deletions === 1) {
      request.socket.destroy();
      return undefined;
    }
    if (method === "DELETE") return { status: 500, body: { message: "disk full" } };
    if (url.includes("/branches/")) return { body: { name: "late", commit: { id: "a".repeat(40) } } };
    if (url.includes("/pulls")) return { body: [] };
    return { body: { full_name: "mara/buoy", name: "buoy", owner: { login: "mara" }, default_branch: "main" } };
  });
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/buoy" };
  const ran = await tongs(["branch", "delete", "late", "--yes"], { env });
  expect([ran.code, ran.stderr]).toEqual([7, expect.stringContaining("may have taken effect")]);
});
