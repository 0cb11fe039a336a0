import { afterAll, beforeAll, expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/serve.ts";
import { type TestSandbox, testSandbox } from "./with-sandbox.ts";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await testSandbox();
});
afterAll(() => sandbox.close());

test("it says its version to everybody", async () => {
  const { status, body } = await sandbox.ask("GET", "/version");
  expect(status).toBe(200);
  expect(body).toEqual({ version: expect.stringMatching(/^1\.\d+\.\d+/) });
});

test("an unknown route is 404 in plain text, also the root of the API", async () => {
  for (const path of ["/no/such/route", "", "/"]) {
    const { status, body } = await sandbox.ask("GET", path);
    expect([status, body]).toEqual([404, "404 page not found\n"]);
  }
});

test("a method that a path does not have is 405 with Allow and no body", async () => {
  const { status, headers, body } = await sandbox.ask("DELETE", "/version");
  expect([status, headers.get("allow"), body]).toEqual([405, "GET", ""]);
});

test("HEAD answers like GET without the body, and a slash at the end does not matter", async () => {
  const head = await sandbox.ask("HEAD", "/users/mara/");
  expect([head.status, head.body]).toEqual([200, ""]);
});

test("it refuses to listen where other machines could reach it", async () => {
  await expect(startSandbox({ port: 0, host: "0.0.0.0", now: () => new Date(), env: process.env })).rejects.toThrow(
    /not an address of this machine alone/,
  );
});

test("it says so when there is no git", async () => {
  const options = { port: 0, now: () => new Date(), env: { PATH: "/nowhere" } };
  await expect(startSandbox(options)).rejects.toThrow("the program git cannot be run");
});

test("it says so when the port is taken", async () => {
  const port = Number(new URL(sandbox.url).port);
  const options = { port, now: () => new Date(), env: process.env };
  await expect(startSandbox(options)).rejects.toThrow(`cannot listen on 127.0.0.1:${port}`);
});

test("the people it names can sign in with password and token", async () => {
  expect(sandbox.users.map((user) => user.login)).toEqual(["harbormaster", "mara", "jonas", "priya", "tomas"]);
  for (const { login, password, token, is_admin } of sandbox.users) {
    expect(token).toMatch(/^[0-9a-f]{40}$/);
    const basic = `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`;
    for (const authorization of [basic, `token ${token}`, `Bearer ${token}`]) {
      const response = await fetch(`${sandbox.url}/api/v1/user`, { headers: { Authorization: authorization } });
      expect(await response.json()).toMatchObject({ login, is_admin });
    }
  }
});
