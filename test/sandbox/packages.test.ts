import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestSandbox, testSandbox } from "./with-sandbox.ts";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await testSandbox();
});
afterAll(() => sandbox.close());

async function publish(as: string, path: string): Promise<readonly [status: number, text: string]> {
  const headers = { Authorization: `token ${sandbox.token(as)}` };
  const response = await fetch(`${sandbox.url}/api/packages/${path}`, { method: "PUT", headers, body: "map\n" });
  return [response.status, await response.text()];
}

const version = "/packages/mara/generic/charts/1.0.0";

test("only who may write to an account's packages publishes and deletes them", async () => {
  expect(await publish("mara", "mara/generic/charts/1.0.0/map.txt")).toEqual([201, ""]);
  expect(await publish("jonas", "mara/generic/charts/1.0.0/legend.txt")).toEqual([401, "reqPackageAccess\n"]);
  const foreign = await sandbox.ask("DELETE", version, "jonas");
  expect([foreign.status, foreign.body]).toMatchObject([
    403,
    { message: "user should have specific permission or be a site admin" },
  ]);
  expect((await sandbox.ask("GET", version, "jonas")).status).toBe(200);
  expect((await sandbox.ask("DELETE", version, "mara")).status).toBe(204);
});

test("owners of an organization, and teams with write access to packages, publish to it", async () => {
  expect(await publish("mara", "pilots/generic/chart/1.0/a.txt")).toEqual([201, ""]);
  expect(await publish("priya", "pilots/generic/chart/1.0/b.txt")).toEqual([401, "reqPackageAccess\n"]);
  const { body } = await sandbox.ask("POST", "/orgs/pilots/teams", "mara", {
    name: "packers",
    permission: "read",
    units_map: { "repo.packages": "write" },
  });
  await sandbox.ask("PUT", `/teams/${(body as { id: number }).id}/members/priya`, "mara");
  expect(await publish("priya", "pilots/generic/chart/1.0/b.txt")).toEqual([201, ""]);
});

test("a file is published once, under a name that Gitea accepts", async () => {
  expect(await publish("mara", "mara/generic/maps/1.0.0/map.txt")).toEqual([201, ""]);
  expect(await publish("mara", "mara/generic/maps/1.0.0/legend (2).txt")).toEqual([201, ""]);
  expect(await publish("mara", "mara/generic/maps/1.0.0/map.txt")).toEqual([409, "package file already exists"]);
  expect(await publish("mara", "mara/generic/maps/1.0.0/a%20b%3F.txt")).toEqual([400, "invalid filename"]);
  expect(await publish("mara", "mara/generic/ma%20ps/1.0.0/map.txt")).toEqual([400, "invalid package name"]);
});
