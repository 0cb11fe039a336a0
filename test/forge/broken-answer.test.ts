import { afterEach, expect, it } from "vitest";
import { serve, type TestServer } from "../support/server.ts";
import { tongs } from "../support/tongs.ts";

let server: TestServer;
afterEach(() => server.close());

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

it("checks every record of a list, and reports broken_answer as JSON", async () => {
  const ran = await run('[{"id":1,"full_name":"a/b"},{"id":2}]', "star", "list", "--json");
  expect(ran.code).toBe(7);
  expect(JSON.parse(ran.stderr)).toMatchObject({
    error: { code: "broken_answer", message: expect.stringContaining("not a repository: full_name is missing") },
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
