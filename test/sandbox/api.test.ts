import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/serve.ts";
import { testSandbox } from "./with-sandbox.ts";

const sandbox = await testSandbox();

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
});

test("concurrent readers see only complete writes", async () => {
  const writes = Array.from({ length: 12 }, (_one, number) =>
    sandbox.ask("POST", "/user/repos", "tomas", { name: `quick-${number}`, auto_init: true }),
  );
  const reads = Array.from({ length: 24 }, () => sandbox.ask("GET", "/repos/search?limit=50"));
  const answers = await Promise.all([...writes, ...reads]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
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
