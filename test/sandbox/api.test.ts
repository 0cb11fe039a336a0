import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/serve.ts";
import { type TestSandbox, testSandbox } from "./with-sandbox.ts";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await testSandbox();
});
afterAll(() => sandbox.close());

const renameTo = (new_name: string) => ({ new_name });
const harbor = "/repos/mara/harbor";

test("the demo project has history, users, a fork and an organization", async () => {
  const { body } = await sandbox.ask("GET", "/repos/search");
  const all = (body as { data: { full_name: string; fork: boolean }[] }).data;
  expect(all.map(({ full_name, fork }) => [full_name, fork])).toEqual([
    ["mara/harbor", false],
    ["priya/harbor", true],
    ["pilots/tooling", false],
  ]);
  expect((await sandbox.ask("GET", `${harbor}/commits`)).headers.get("x-total-count")).toBe("8");
  expect((await sandbox.ask("GET", `${harbor}/labels`)).headers.get("x-total-count")).toBe("7");
  expect((await sandbox.ask("GET", `${harbor}/milestones?state=all`)).headers.get("x-total-count")).toBe("2");
  expect((await sandbox.ask("GET", "/orgs/pilots/teams", "mara")).body).toMatchObject([
    { name: "Owners" },
    { name: "night-watch" },
  ]);
});

test("an empty sandbox has only an administrator", async () => {
  const empty = await testSandbox({ empty: true });
  expect(empty.users.map(({ login, is_admin }) => [login, is_admin])).toEqual([["harbormaster", true]]);
  expect((await empty.ask("GET", "/repos/search")).body).toEqual({ ok: true, data: [] });
  await empty.close();
});

test("the pull request template can be read, as contents and raw", async () => {
  const path = ".gitea/pull_request_template.md";
  const { body } = await sandbox.ask("GET", `${harbor}/contents/${path}`);
  const text = Buffer.from((body as { content: string }).content, "base64").toString("utf8");
  expect(text).toContain("## Testing");
  expect((await sandbox.ask("GET", `${harbor}/raw/${path}`)).body).toBe(text);
  const page = await fetch(`${sandbox.url}/mara/harbor/raw/branch/main/${path}`);
  expect(await page.text()).toBe(text);
});

test("pages are limited to 50 items, and pages after the last one have only links back", async () => {
  for (let number = 0; number < 60; number += 1) {
    await sandbox.ask("POST", `${harbor}/branches`, "mara", { new_branch_name: `many/${number}` });
  }
  const big = await sandbox.ask("GET", `${harbor}/branches?limit=500`);
  expect(big.body).toHaveLength(50);
  expect(big.headers.get("link")).toBe(
    [
      `<${sandbox.url}/api/v1${harbor}/branches?limit=500&page=2>; rel="next"`,
      `<${sandbox.url}/api/v1${harbor}/branches?limit=500&page=2>; rel="last"`,
    ].join(","),
  );
  const beyond = await sandbox.ask("GET", `${harbor}/branches?page=99`);
  expect(beyond.body).toEqual([]);
  expect(beyond.headers.get("link")).toContain('page=2>; rel="prev"');
  expect(beyond.headers.get("x-total-count")).toBe("65");
});

test("a team's permissions per unit apply, but are not shown as a permission for the repository", async () => {
  const file = { content: "eA==", branch: "main" };
  expect(await sandbox.ask("POST", "/repos/pilots/tooling/contents/a.txt", "priya", file)).toMatchObject({
    status: 403,
  });
  expect(await sandbox.ask("POST", "/repos/pilots/tooling/contents/a.txt", "tomas", file)).toMatchObject({
    status: 201,
  });
  const { body } = await sandbox.ask("GET", "/repos/pilots/tooling/collaborators/tomas/permission", "tomas");
  expect(body).toMatchObject({ permission: "read" });
});

test("an invalid body is 422 with Gitea's message", async () => {
  const ask = async (body: string, type?: string) => {
    const response = await fetch(`${sandbox.url}/api/v1/user/repos`, {
      method: "POST",
      headers: {
        Authorization: `token ${sandbox.token("mara")}`,
        ...(type === undefined ? {} : { "Content-Type": type }),
      },
      body: new TextEncoder().encode(body),
    });
    return [response.status, ((await response.json()) as { message: string }).message];
  };
  const json = "application/json";
  expect(await ask("{}")).toEqual([422, "[]: Empty Content-Type"]);
  expect(await ask("name", "text/plain")).toEqual([422, "[]: Unsupported Content-Type"]);
  expect(await ask("", json)).toEqual([422, "[Name]: Required"]);
  expect(await ask('{"name":', json)).toEqual([422, expect.stringContaining("[]: SyntaxError")]);
  expect(await ask('{"name":["x"]}', json)).toEqual([
    422,
    "[]: json: cannot unmarshal array into Go struct field CreateRepoOption.name of type string",
  ]);
  expect(await ask('{"NAME":"by-other-case"}', json)).toEqual([201, undefined]);
});

test("a token lists the repositories that its scopes and its owner allow", async () => {
  const basic = `Basic ${Buffer.from("jonas:not-a-secret-jonas").toString("base64")}`;
  const response = await fetch(`${sandbox.url}/api/v1/users/jonas/tokens`, {
    method: "POST",
    headers: { Authorization: basic, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "public", scopes: ["public-only", "read:repository"] }),
  });
  const { sha1 } = (await response.json()) as { sha1: string };
  const read = (path: string) =>
    fetch(`${sandbox.url}/api/v1${path}`, { headers: { Authorization: `Bearer ${sha1}` } });
  expect((await read(harbor)).status).toBe(200);
  expect((await read("/repos/jonas/notes")).status).toBe(404);
  expect((await sandbox.ask("GET", "/repos/jonas/notes", "jonas")).status).toBe(200);
  expect((await sandbox.ask("GET", "/repos/jonas/notes", "mara")).status).toBe(404);
});

test("web URLs in records use the requested host, API URLs the configured root", async () => {
  const other = sandbox.url.replace("127.0.0.1", "localhost");
  const response = await fetch(`${other}/api/v1${harbor}`);
  expect(await response.json()).toMatchObject({
    url: `${sandbox.url}/api/v1${harbor}`,
    html_url: `${other}/mara/harbor`,
    clone_url: `${other}/mara/harbor.git`,
  });
});

test("concurrent readers see only complete writes", async () => {
  const writes = Array.from({ length: 12 }, (_one, number) =>
    sandbox.ask("POST", "/user/repos", "tomas", { name: `quick-${number}`, auto_init: true }),
  );
  const reads = Array.from({ length: 24 }, () => sandbox.ask("GET", "/repos/search?limit=50"));
  const answers = await Promise.all([...writes, ...reads]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
});

test("deleting a repository deletes its labels and detaches its forks", async () => {
  await sandbox.ask("POST", "/user/repos", "mara", { name: "brief", auto_init: true, issue_labels: "Default" });
  await sandbox.ask("POST", "/repos/mara/brief/forks", "jonas", {});
  expect((await sandbox.ask("DELETE", "/repos/mara/brief", "mara")).status).toBe(204);
  expect((await sandbox.ask("GET", "/repos/mara/brief")).status).toBe(404);
  const fork = await sandbox.ask("GET", "/repos/jonas/brief");
  expect(fork.body).toMatchObject({ fork: false, branch_count: 1 });
});

test("the old name of a renamed organization redirects with 307, keeping path and query, until it is taken", async () => {
  await sandbox.ask("POST", "/orgs", "priya", { username: "divers" });
  await sandbox.ask("POST", "/orgs/divers/repos", "priya", { name: "suits", auto_init: true });
  expect((await sandbox.ask("POST", "/orgs/divers/rename", "mara", renameTo("frogs"))).status).toBe(403);
  expect((await sandbox.ask("POST", "/orgs/divers/rename", "priya", renameTo("mara"))).status).toBe(422);
  expect((await sandbox.ask("POST", "/orgs/divers/rename", "priya", renameTo("frogs"))).status).toBe(204);
  for (const [path, to] of [
    ["/orgs/divers", "/api/v1/orgs/frogs"],
    ["/users/divers", "/api/v1/users/frogs"],
    ["/repos/Divers/suits/branches?limit=1", "/api/v1/repos/frogs/suits/branches?limit=1"],
  ] as const) {
    const { status, headers } = await sandbox.ask("GET", path);
    expect([status, headers.get("location")]).toEqual([307, to]);
  }
  await sandbox.ask("POST", "/orgs", "priya", { username: "divers" });
  expect((await sandbox.ask("GET", "/orgs/divers")).status).toBe(200);
});

test("two sandboxes cannot use the same folder", async () => {
  const dir = mkdtempSync(join(tmpdir(), "tongs-shared-"));
  const options = { port: 0, dir, empty: true, now: () => new Date(), env: process.env };
  const first = await startSandbox(options);
  await expect(startSandbox(options)).rejects.toThrow(/Another sandbox is using/);
  await first.close();
  const second = await startSandbox(options);
  expect(second.users).toEqual(first.users);
  await second.close();
  rmSync(dir, { recursive: true });
});

test("after a kill, the next start records pushed branches", async () => {
  const dir = mkdtempSync(join(tmpdir(), "tongs-recover-"));
  const options = { port: 0, dir, now: () => new Date(), env: process.env };
  const first = await startSandbox(options);
  await first.close();
  const heads = join(dir, "repositories", "1.git", "refs", "heads");
  copyFileSync(join(heads, "main"), join(heads, "unseen"));
  const second = await testSandbox({ dir });
  expect((await second.ask("GET", harbor)).body).toMatchObject({ branch_count: 6 });
  const file = { content: "eA==", branch: "main" };
  expect(await second.ask("POST", `${harbor}/contents/a.txt`, "mara", file)).toMatchObject({ status: 201 });
  await second.close();
  rmSync(dir, { recursive: true });
});
