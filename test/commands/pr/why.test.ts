import { afterEach, describe, expect, it } from "vitest";
import { recordedRecord } from "../../support/recorded.ts";
import { type Answer, type Scripted, scripted } from "./scripted.ts";

let forge: Scripted;
afterEach(() => forge.server.close());

const old = "2020-01-01T00:00:00Z";
const open = (changes = {}) =>
  recordedRecord("gitea", "… it is still open", { number: 12, draft: false, updated_at: old, ...changes });
const main = { name: "main", protected: true, effective_branch_protection_name: "main", user_can_merge: true };

const start = async (routes: Record<string, Answer>, pull: Record<string, unknown> = open({ mergeable: true })) => {
  const ref = (pull["base"] as { ref: string }).ref;
  forge = await scripted({
    "GET /pulls/12": { body: pull },
    [`GET /branches/${ref}`]: { body: { ...main, protected: false } },
    "GET /pulls/12/reviews": { body: [] },
    "GET /issues/12/dependencies": { body: [] },
    ...routes,
  });
};

describe("pr why", () => {
  it("exits 0 when nothing keeps it from being merged", async () => {
    await start({});
    expect(await forge.run(["pr", "why", "12"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/mergeable\tyes/),
    });
  });

  it("names a merged pull request without reading anything else", async () => {
    await start({}, open({ merged: true, state: "closed" }));
    const ran = await forge.run(["pr", "why", "12", "--json"]);
    expect(ran).toMatchObject({ code: 1 });
    expect(ran.json()).toMatchObject({ mergeable: false, reasons: [{ code: "already_merged" }] });
    expect(forge.lines()).toEqual(["GET /pulls/12"]);
  });

  it("exits 8 while the server is still deciding", async () => {
    const now = new Date();
    await start({}, open({ mergeable: false, updated_at: now.toISOString() }));
    const ran = await forge.run(["pr", "why", "12", "--json"], { now });
    expect(ran).toMatchObject({ code: 8 });
    expect(ran.json()).toMatchObject({ mergeable: null, reasons: [] });
  });

  it("does not trust what the server says right after a push", async () => {
    const now = new Date();
    const fresh = { updated_at: now.toISOString() };
    await start({
      "GET /pulls/12": [{ body: open({ mergeable: true, ...fresh }) }, { body: open({ mergeable: false, ...fresh }) }],
    });
    expect(await forge.run(["pr", "why", "12"], { now })).toMatchObject({ code: 8 });
  });

  it("names what it could not read instead of guessing", async () => {
    const ref = (open()["base"] as { ref: string }).ref;
    const review = { id: 4, user: { login: "jonas" }, state: "REQUEST_CHANGES", official: true, dismissed: false };
    await start({
      [`GET /branches/${ref}`]: { body: { ...main, effective_branch_protection_name: "" } },
      "GET /pulls/12/reviews": { body: [review] },
    });
    const ran = await forge.run(["pr", "why", "12", "--json"]);
    expect((ran.json() as { unchecked: string[] }).unchecked).toEqual(
      expect.arrayContaining(["changes_requested", "protected_files", "signatures"]),
    );
    expect(ran.code).toBe(0);
  });

  it("keeps the failure of a refused merge when the reasons cannot be read", async () => {
    await start({
      "POST /pulls/12/merge": { status: 405, body: { message: "Does not have enough approvals" } },
      "GET /pulls/12/reviews": { status: 403, body: { message: "no" } },
      [`GET /branches/${(open()["base"] as { ref: string }).ref}`]: { body: main },
    });
    const ran = await forge.run(["pr", "merge", "12", "--style", "merge"]);
    expect(ran).toMatchObject({ code: 9, stderr: expect.stringContaining("Does not have enough approvals") });
    expect(ran.stderr).not.toContain("What keeps it");
  });
});
