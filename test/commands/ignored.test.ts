import { describe, expect, it } from "vitest";
import { type Answer, type Scripted, scripted } from "./pr/scripted.ts";

let forge: Scripted | undefined;

const start = async (routes: Readonly<Record<string, Answer>>) => {
  forge = await scripted(routes);
  return forge.run;
};

const kept = { id: 3, number: 3, title: "Old", state: "open", body: "", labels: [], assignees: [], milestone: null };
const other = { ...kept, id: 4, number: 4, title: "New" };
const pull = {
  ...kept,
  merged: false,
  head: { ref: "buoys", sha: "a" },
  base: { ref: "main", sha: "b" },
  html_url: "https://x/3",
};
const repo = { id: 1, name: "harbor", full_name: "mara/harbor", owner: { login: "mara" }, has_wiki: false };
const user = { "GET //users/jonas": { body: { id: 2, login: "jonas", visibility: "private" } } };
const protection = { rule_name: "main", branch_name: "main", enable_push: false };
const telegram = { id: 1, type: "gitea", config: { url: "http://127.0.0.1:1/", content_type: "json" }, active: true };
const northsea = { id: 5, name: "northsea", username: "northsea", visibility: "private" };
const noRoute = { status: 404, headers: { "content-type": "text/plain" }, body: "404 page not found\n" };
const release = { id: 1, tag_name: "v1", name: "v1", hide_archive_links: false };

describe("a field that the server ignored", () => {
  it.each<[name: string, line: string[], routes: Readonly<Record<string, Answer>>, error: unknown, record: unknown]>([
    [
      "issue edit",
      ["issue", "edit", "3", "--title", "New"],
      { "GET /issues/3": { body: kept }, "PATCH /issues/3": { status: 201, body: kept } },
      { fields: [{ name: "title", requested: "New", actual: "Old" }] },
      [{ title: "Old" }],
    ],
    [
      "pr edit",
      ["pr", "edit", "3", "--title", "New"],
      { "GET /pulls/3": { body: pull }, "PATCH /pulls/3": { status: 201, body: pull } },
      { fields: [{ name: "title", requested: "New", actual: "Old" }] },
      [{ title: "Old", number: 3 }],
    ],
    [
      "repo edit",
      ["repo", "edit", "--has-wiki"],
      { "GET ": { body: repo }, "PATCH ": { body: repo } },
      { fields: [{ name: "has_wiki", requested: true, actual: false }] },
      { full_name: "mara/harbor", has_wiki: false },
    ],
    [
      "release edit",
      ["release", "edit", "v1", "--hide-archive-links"],
      { "GET /releases/tags/v1": { body: release }, "PATCH /releases/1": { body: release } },
      { fields: [{ name: "hide_archive_links", requested: true, actual: false }] },
      { tag_name: "v1" },
    ],
    [
      "branch protection create",
      ["branch", "protection", "create", "main", "--enable-push"],
      { "POST /branch_protections": { status: 201, body: protection } },
      { fields: [{ name: "enable_push", requested: true, actual: false }] },
      { rule_name: "main" },
    ],
    [
      "hook create",
      ["hook", "create", "--url", "http://127.0.0.1:1/", "--config", "chat_id=7", "--name", "bell"],
      { "POST /hooks": { status: 201, body: telegram } },
      {
        fields: [
          { name: "config.chat_id", requested: "7", actual: null },
          { name: "name", requested: "bell", actual: null },
        ],
      },
      { id: 1 },
    ],
    [
      "label create",
      ["label", "create", "old", "--color", "#abc", "--is-archived"],
      {
        "GET /labels": { body: [] },
        "POST /labels": { status: 201, body: { id: 2, name: "old", color: "aabbcc", is_archived: false } },
      },
      { fields: [{ name: "is_archived", requested: true, actual: false }] },
      { name: "old" },
    ],
    [
      "org edit",
      ["org", "edit", "northsea", "--visibility", "public"],
      { "GET //orgs/northsea": { body: northsea }, "PATCH //orgs/northsea": { body: northsea } },
      { fields: [{ name: "visibility", requested: "public", actual: "private" }] },
      { name: "northsea" },
    ],
    [
      "release create",
      ["release", "create", "v1", "--notes", "x", "--hide-archive-links"],
      {
        "GET ": { body: { ...repo, default_branch: "main" } },
        "POST /releases": { status: 201, body: { id: 1, tag_name: "v1", name: "v1", body: "x" } },
      },
      { fields: [{ name: "hide_archive_links", requested: true, actual: null }] },
      { tag_name: "v1" },
    ],
    [
      "repo edit of what is no mirror",
      ["repo", "edit", "--mirror-interval", "8h", "--enable-prune"],
      { "GET ": { body: repo }, "PATCH ": { body: { ...repo, mirror: false, mirror_interval: "" } } },
      {
        fields: [
          { name: "mirror_interval", requested: "8h", actual: "" },
          { name: "enable_prune", requested: true, actual: null },
        ],
      },
      { full_name: "mara/harbor" },
    ],
    [
      "variable set, whose answer is read",
      ["variable", "set", "TIDE", "--body", "high", "--description", "the tide"],
      {
        "GET /actions/variables/TIDE": { body: { name: "TIDE", data: "high" } },
        "GET /actions/variables": { body: [] },
        "POST /actions/variables/TIDE": { status: 204 },
      },
      { fields: [{ name: "description", requested: "the tide", actual: null }] },
      [{ name: "TIDE" }],
    ],
    [
      "secret set, which the list tells",
      ["secret", "set", "KEY", "--body-file", "-", "--description", "the key"],
      {
        "GET /actions/secrets": [{ body: [] }, { body: [{ name: "KEY" }] }],
        "PUT /actions/secrets/KEY": { status: 201 },
      },
      { fields: [{ name: "description", requested: "the key", actual: null }] },
      [{ name: "KEY" }],
    ],
    [
      "user block add on Forgejo",
      ["user", "block", "add", "jonas", "--note", "spam"],
      { ...user, "PUT //user/block/jonas": { status: 204 }, "PUT //user/blocks/jonas": noRoute },
      { fields: [{ name: "note", requested: "spam", actual: null }] },
      [{ login: "jonas" }],
    ],
  ])("ends %s with exit 1, its fields, and the record on stdout", async (_, line, routes, error, record) => {
    const run = await start(routes);
    const ran = await run([...line, "--json"], { stdin: "not-a-secret" });
    expect(ran.code, ran.stderr).toBe(1);
    expect(ran.json()).toMatchObject(record as object);
    const last = ran.stderr.trim().split("\n").at(-1) ?? "";
    expect(JSON.parse(last)).toMatchObject({ error: { code: "ignored", ...(error as object) } });
    const text = await run(line, { stdin: "not-a-secret" });
    expect(text.code).toBe(1);
    expect(text.stderr).toMatch(/✗ The server did not apply [\w.]+(, [\w.]+)* to .*\n.*\n$/);
  });

  it.each<[string, string[], Readonly<Record<string, Answer>>]>([
    [
      "mara/harbor#3",
      ["issue", "create", "--title", "Old", "--body", ""],
      { "POST /issues": { status: 201, body: kept } },
    ],
    [
      "mara/harbor#3",
      ["pr", "create", "--title", "Old", "--body", "", "--base", "main", "--head", "buoys"],
      { "POST /pulls": { status: 201, body: pull } },
    ],
  ])("ends '%s' with exit 1, as its help says", async (created, line, routes) => {
    const run = await start({
      ...user,
      "GET /assignees": { body: [{ login: "jonas" }] },
      "GET ": { body: repo },
      ...routes,
    });
    const ran = await run([...line, "--assignee", "jonas", "--json"]);
    expect(ran.code, ran.stderr).toBe(1);
    expect(ran.json()).toMatchObject({ title: "Old" });
    expect(JSON.parse(ran.stderr.trim().split("\n").at(-1) ?? "")).toMatchObject({
      error: {
        code: "ignored",
        message: `The server did not apply assignees to ${created}`,
        hint: "You need write access to the repository.\nDo not create it again.\nNow assignees is empty.",
        fields: [{ name: "assignees", requested: ["jonas"], actual: [] }],
      },
    });
  });

  it("is left out of what was changed, and nothing is said to be changed if it is the only one", async () => {
    const run = await start({
      "GET /pulls/3": { body: pull },
      "PATCH /pulls/3": [
        { status: 201, body: { ...pull, body: "Text" } },
        { status: 201, body: pull },
      ],
    });
    const some = await run(["pr", "edit", "3", "--title", "New", "--body", "Text"]);
    expect(some.stderr).toContain("✓ Edited pull request mara/harbor#3 (body)");
    expect((await run(["pr", "edit", "3", "--title", "New"])).stderr).not.toContain("✓");
  });

  it("does not end a batch: the records of all are printed, and the exit code is 11", async () => {
    const run = await start({
      "GET /issues/3": { body: kept },
      "PATCH /issues/3": { status: 201, body: kept },
      "GET /issues/4": { body: { ...other, title: "Other" } },
      "PATCH /issues/4": { status: 201, body: other },
    });
    const ran = await run(["issue", "edit", "3", "4", "--title", "New", "--json", "number"]);
    expect(ran.code, ran.stderr).toBe(11);
    expect(ran.json()).toEqual([{ number: 3 }, { number: 4 }]);
    expect(ran.stderr).toContain('"target":"mara/harbor#3"');
  });
});
