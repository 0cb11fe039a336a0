import { describe, expect, it } from "vitest";
import { pull } from "../commands/pr/pulls.ts";
import { serve, type TestServer } from "../support/server.ts";
import { tongs } from "../support/tongs.ts";

let server: TestServer;

async function run(body: string, ...line: string[]) {
  server = await serve(() => ({ headers: { "content-type": "application/json" }, body }));
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/harbor" };
  return tongs(line, { env });
}

it("names the server, the request, the record and the field that is missing", async () => {
  const ran = await run('{"title":"Quay"}', "pr", "view", "12");
  const { host } = new URL(server.url);
  const request = "GET /api/v1/repos/mara/harbor/pulls/12";
  expect(ran).toMatchObject({
    code: 7,
    stdout: "",
    stderr: `✗ ${host} answered ${request} with something that is not a pull request: number is missing\n`,
  });
});

describe("a record of a list that cannot be read", () => {
  const stars = '[{"id":1,"full_name":"a/b"},{"id":2},null,{"id":4,"full_name":"c/d","html_url":"http://x/c/d"}]';
  const says = "answered GET /api/v1/user/starred with something that is not a repository";

  it.each([
    [[], "a/b\t\t\t\t\t\t\nc/d\t\t\t\t\t\t\n"],
    [["--json", "id"], '[{"id":1},{"id":4}]\n'],
    [["--jsonl", "--json", "id"], '{"id":1}\n{"id":4}\n'],
    [["--csv", "--json", "id"], "id\n1\n4\n"],
    [["--jq", ".[].id"], "1\n4\n"],
  ])("is named, and the others are printed with exit 11: %j", async (flags, stdout) => {
    const ran = await run(stars, "star", "list", ...flags);
    expect(ran.code).toBe(11);
    if (flags.length > 0) expect(ran.stdout).toBe(stdout);
    else expect(ran.stdout.split("\n").map((line) => line.split("\t")[0])).toEqual(["a/b", "c/d", ""]);
    expect(ran.stderr).toContain(`${says}: full_name is missing (item 2 of page 1, 2)`);
    expect(ran.stderr).toContain(`${says} (item 3 of page 1)`);
  });

  it("is broken_answer with its page if errors are JSON", async () => {
    const ran = await run(stars, "star", "list", "--json");
    const errors = ran.stderr
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    const error = { code: "broken_answer", method: "GET", path: "/api/v1/user/starred?page=1&limit=30" };
    expect(errors).toMatchObject([{ error }, { error }]);
  });

  it("does not count for --limit", async () => {
    const ran = await run(
      '[{"id":1},{"id":2,"full_name":"a/b"},{"id":3}]',
      "star",
      "list",
      "--limit",
      "1",
      "--json",
      "id",
    );
    expect(ran).toMatchObject({ code: 11, stdout: '[{"id":2}]\n' });
    expect(ran.stderr).not.toContain("item 3");
  });

  it("is not followed by thousands of them", async () => {
    const ran = await run('[{"name":[]}]', "branch", "list", "-R", "mara/harbor", "--json", "name");
    expect(ran).toMatchObject({ code: 11, stdout: "[]\n" });
    expect(ran.stderr.trim().split("\n").length).toBeLessThanOrEqual(100);
  });

  it("within a record is named, and does not hide the record and its others", async () => {
    const labels = [{ id: 1, name: "bug" }, { id: 2 }, { id: 3, name: "tide" }];
    const ran = await run(JSON.stringify(pull(12, { labels })), "pr", "view", "12", "--jq", ".labels[].name");
    expect(ran).toMatchObject({ code: 11, stdout: "bug\ntide\n" });
    expect(ran.stderr).toContain("with something that is not a label: name is missing");
  });

  it("of a list without pages is named, and the others are printed", async () => {
    const ran = await run('[{"name":"bug","color":"ff0000"},{"color":"0"}]', "template", "label", "view", "Default");
    expect(ran).toMatchObject({ code: 11, stdout: expect.stringContaining("bug") });
    expect(ran.stderr).toContain("not a label template: name is missing\n");
  });

  it("can be the one that is not found: partly_read with exit 11, not not_found", async () => {
    const ran = await run('[{"id":1,"title":"Spring"},null]', "milestone", "view", "Autumn", "--json");
    expect(ran.code).toBe(11);
    expect(
      ran.stderr
        .trim()
        .split("\n")
        .map((line): unknown => JSON.parse(line)),
    ).toMatchObject([
      { error: { code: "broken_answer" } },
      { error: { code: "partly_read", message: expect.stringContaining("Autumn") } },
    ]);
  });

  it("ends a command that writes before it does: nothing is decided on what is left", async () => {
    const ran = await run('[{"id":1,"name":"bug"},{"id":2}]', "label", "delete", "bug", "--yes");
    expect(ran).toMatchObject({ code: 7, stderr: expect.stringContaining("not a label: name is missing") });
    expect(server.seen.map(({ method }) => method)).not.toContain("DELETE");
  });
});

describe("the answer to a write that cannot be read", () => {
  it.each([
    ["a record without a field", '{"title":"Quay"}', "not a pull request: number is missing"],
    ["a web page", "<html><title>Sign in</title>", "returned an HTML page titled “Sign in”"],
    ["half a record", '{"number":', "not JSON"],
    ["nothing", "", "with an empty body instead of JSON"],
  ])("says that the server answered it: %s", async (_what, body, why) => {
    const found = JSON.stringify(pull(12));
    server = await serve(({ method }) => ({ body: method === "GET" ? found : body }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/harbor" };
    const ran = await tongs(["pr", "close", "12", "--yes"], { env });
    const answered = `${new URL(server.url).host} answered PATCH /api/v1/repos/mara/harbor/pulls/12, but the result could not be read: `;
    expect(ran).toMatchObject({ code: 7, stderr: expect.stringContaining(answered) });
    expect(ran.stderr).toContain(why);
  });
});

it.each([
  ["lists", "[".repeat(1001), "]".repeat(1001)],
  ["objects", '{"a":'.repeat(1001), `1${"}".repeat(1001)}`],
  ["a million lists", "[".repeat(1_000_000), "]".repeat(1_000_000)],
])("refuses JSON nested deeper than 1,000: %s", async (_what, begin, end) => {
  const { code, stdout, stderr } = await run(begin + end, "pr", "view", "12");
  expect([code, stdout]).toEqual([7, ""]);
  expect(stderr.slice(0, 200)).toContain("returned JSON that is nested more than 1,000 levels deep");
});

it("prints a record nested 1,000 levels deep as it is", async () => {
  const deep = "[".repeat(999) + "]".repeat(999);
  const ran = await run(`{"id":1,"login":"mara","deep":${deep}}`, "user", "view", "mara", "--json");
  expect(ran.code).toBe(0);
  expect(ran.stdout.replace(/\s/g, "").includes(`"deep":${deep}`)).toBe(true);
});
