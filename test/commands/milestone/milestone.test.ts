import { beforeAll, describe, expect, it } from "vitest";
import { serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";

const sandbox = await onSandbox();
beforeAll(async () => {
  await sandbox.ask("POST", "/user/repos", "mara", { name: "buoy", auto_init: true });
});

const run = (line: readonly string[], stdin?: string) =>
  sandbox.run(["milestone", ...line], {
    as: "mara",
    env: { TONGS_REPO: "mara/buoy", TZ: "UTC" },
    ...(stdin === undefined ? {} : { stdin }),
  });

describe("milestone", () => {
  it("removes the due date on a server that keeps an absent one", async () => {
    const milestone = { id: 3, title: "v1", state: "open", due_on: "2027-02-28T23:59:59Z" };
    const server = await serve(({ method, body }) => {
      if (method === "GET") return { body: [milestone] };
      const { due_on } = JSON.parse(body) as { readonly due_on?: string };
      return { body: { ...milestone, due_on: due_on?.startsWith("9999") ? null : milestone.due_on } };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/buoy" };
    const ran = await tongs(["milestone", "edit", "v1", "--no-due", "--json", "due_on"], { env });
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
