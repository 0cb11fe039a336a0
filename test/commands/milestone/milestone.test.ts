import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";
import { type OnSandbox, onSandbox } from "../on-sandbox.ts";

let sandbox: OnSandbox;
beforeAll(async () => {
  sandbox = await onSandbox();
  await sandbox.ask("POST", "/user/repos", "mara", { name: "buoy", auto_init: true });
});
afterAll(() => sandbox.close());

const run = (line: readonly string[], stdin?: string) =>
  sandbox.run(["milestone", ...line], {
    as: "mara",
    env: { TONGS_REPO: "mara/buoy", TZ: "UTC" },
    ...(stdin === undefined ? {} : { stdin }),
  });

describe("milestone", () => {
  it("creates, views, edits, closes, reopens, lists and deletes", async () => {
    const made = await run(["create", "v1.2", "--due", "2027-01-31", "-d", "Lamps"]);
    expect(made.code).toBe(0);
    const id = Number(/\/mara\/buoy\/milestone\/(\d+)\n$/.exec(made.stdout)?.[1]);
    expect((await run(["view", "v1.2", "--json", "id,description,state"])).json()).toEqual({
      id,
      description: "Lamps",
      state: "open",
    });
    expect((await run(["view", `${id}`])).stdout).toContain("progress\tno issues\n");
    expect((await run(["edit", "v1.2", "--title", "v1.3", "--json", "title"])).json()).toEqual({ title: "v1.3" });
    expect((await run(["close", "v1.3"])).code).toBe(0);
    expect((await run(["list", "--json"])).json()).toEqual([]);
    expect((await run(["list", "--state", "closed", "--json", "title,state"])).json()).toEqual([
      { title: "v1.3", state: "closed" },
    ]);
    expect((await run(["reopen", "v1.3", "--json", "state"])).json()).toEqual([{ state: "open" }]);
    expect((await run(["delete", "v1.3", "--yes"])).code).toBe(0);
    expect((await run(["view", "v1.3"])).code).toBe(5);
  });

  it("keeps the due date when something else is edited, and removes it only with --no-due", async () => {
    await run(["create", "due", "--due", "2027-02-28"]);
    const due = async () => (await run(["view", "due", "--json", "due_on"])).json() as { due_on: string | null };
    const { due_on } = await due();
    expect(due_on).toContain("2027-02-28");
    await run(["edit", "due", "--description", "later"]);
    await run(["close", "due"]);
    await run(["reopen", "due"]);
    expect(Date.parse((await due()).due_on ?? "")).toBeGreaterThan(Date.parse("2027-02-28"));
    expect((await run(["edit", "due", "--no-due"])).code).toBe(0);
    expect(await due()).toEqual({ due_on: null });
  });

  it("removes the due date on a server that keeps an absent one", async () => {
    const milestone = { id: 3, title: "v1", state: "open", due_on: "2027-02-28T23:59:59Z" };
    const server = await serve(({ method, body }) => {
      if (method === "GET") return { body: [milestone] };
      const { due_on } = JSON.parse(body) as { readonly due_on?: string };
      return { body: { ...milestone, due_on: due_on?.startsWith("9999") ? null : milestone.due_on } };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/buoy" };
    const ran = await tongs(["milestone", "edit", "v1", "--no-due", "--json", "due_on"], { env });
    await server.close();
    expect(ran.json()).toEqual({ due_on: null });
    const bodies = server.seen
      .filter(({ method }) => method === "PATCH")
      .map(({ body }) => JSON.parse(body) as unknown);
    expect(bodies).toEqual([{}, { due_on: "9999-12-31T23:59:59Z" }]);
  });

  it("works on several milestones and continues after a failure", async () => {
    for (const title of ["a", "b"]) await run(["create", title]);
    const ran = await run(["close", "a", "none", "-"], "b\n");
    expect(ran.code).toBe(11);
    expect(ran.stderr).toContain("Milestone 'none' not found in mara/buoy");
    expect((await run(["delete", "a", "b", "--yes"])).code).toBe(0);
  });

  it("does not create a second milestone of a title, and names the IDs where there are several", async () => {
    await run(["create", "twin"]);
    expect((await run(["create", "twin"])).code).toBe(9);
    await sandbox.ask("POST", "/repos/mara/buoy/milestones", "mara", { title: "twin" });
    const ran = await run(["close", "twin"]);
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringMatching(/Several milestones are named 'twin' in mara\/buoy: \d+, \d+/),
    ]);
  });

  it.each([
    [["create", ""], "The title must not be empty"],
    [["create", "x", "--due", "2027-02-31"], "Invalid value '2027-02-31' for --due"],
    [["create", "x", "--state", "adrift"], "Invalid value 'adrift' for --state"],
    [["edit", "twin"], "Nothing to change"],
    [["edit", "twin", "--due", "2027-01-01", "--no-due"], "--no-due"],
    [["edit", "twin", "--title", " "], "--title must not be empty"],
    [["delete", "twin"], "--yes is required"],
  ])("rejects %j before writing anything", async (line, words) => {
    sandbox.writes();
    const ran = await run(line);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(sandbox.writes()).toEqual([]);
  });
});
