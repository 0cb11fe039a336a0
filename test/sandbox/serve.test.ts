import { expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/serve.ts";
import { testSandbox } from "./with-sandbox.ts";

const sandbox = await testSandbox();

test("the version is public", async () => {
  const { status, body } = await sandbox.ask("GET", "/version");
  expect(status).toBe(200);
  expect(body).toEqual({ version: expect.stringMatching(/^1\.\d+\.\d+/) });
});

test("an unknown route is 404 in plain text, as is the root of the API", async () => {
  for (const path of ["/no/such/route", "", "/"]) {
    const { status, body } = await sandbox.ask("GET", path);
    expect([status, body]).toEqual([404, "404 page not found\n"]);
  }
});

test("an unsupported method is 405 with Allow and no body", async () => {
  const { status, headers, body } = await sandbox.ask("DELETE", "/version");
  expect([status, headers.get("allow"), body]).toEqual([405, "GET", ""]);
});

test("HEAD is like GET without the body, and a trailing slash is ignored", async () => {
  const head = await sandbox.ask("HEAD", "/users/mara/");
  expect([head.status, head.body]).toEqual([200, ""]);
});

test("an address that other machines can reach is rejected", async () => {
  await expect(startSandbox({ port: 0, host: "0.0.0.0", now: () => new Date(), env: process.env })).rejects.toThrow(
    /is not a loopback address/,
  );
});

test("a missing git is reported", async () => {
  const options = { port: 0, now: () => new Date(), env: { PATH: "/nowhere" } };
  await expect(startSandbox(options)).rejects.toThrow("Could not run git");
});

test("a port in use is reported", async () => {
  const port = Number(new URL(sandbox.url).port);
  const options = { port, now: () => new Date(), env: process.env };
  await expect(startSandbox(options)).rejects.toThrow(`Could not listen on 127.0.0.1:${port}`);
});

test("the reported users can sign in with password and token", async () => {
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
