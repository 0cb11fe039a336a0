import { mkdtempSync, readdirSync, statSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { testSandbox } from "./with-sandbox.ts";

const sandbox = await testSandbox({ empty: true });

const port = () => new URL(sandbox.url).port;

/** Sends a request with headers that fetch does not let a program set; returns the status. */
function statusOf(method: string, path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port: port(), method, path, headers }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject);
    sent.end();
  });
}

describe("the sandbox", () => {
  it.each([
    ["evil.example:PORT", 403],
    ["evil.example", 403],
    ["127.0.0.1.evil.example:PORT", 403],
    ["127.0.0.1", 403],
    ["127.0.0.1:1", 403],
    ["user@127.0.0.1:PORT", 403],
    ["127.0.0.1:PORT", 200],
    ["localhost:PORT", 200],
    ["LocalHost:PORT", 200],
    ["[::1]:PORT", 200],
  ])("answers the host '%s' with %i", async (host, status) => {
    const headers = { Host: host.replace("PORT", port()) };
    expect(await statusOf("GET", "/api/v1/version", headers)).toBe(status);
    const clone = await statusOf("GET", "/harbormaster/x.git/info/refs?service=git-upload-pack", headers);
    expect(clone === 403).toBe(status === 403);
  });

  it.each([
    ["http://evil.example", 403],
    ["null", 403],
    ["http://localhost:1", 403],
    ["https://127.0.0.1:PORT", 403],
    ["http://127.0.0.1:PORT", 201],
    [undefined, 201],
  ])("answers a write from the origin %s with %i", async (origin, status) => {
    const from = origin === undefined ? {} : { Origin: origin.replace("PORT", port()) };
    const write = (method: string, path: string, body?: unknown) =>
      fetch(`${sandbox.url}${path}`, {
        method,
        headers: {
          Authorization: `token ${sandbox.token("harbormaster")}`,
          "Content-Type": "application/json",
          ...from,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const created = await write("POST", "/api/v1/user/repos", { name: "quay" });
    expect(created.status).toBe(status);
    const deleted = await write("DELETE", "/api/v1/repos/harbormaster/quay");
    expect(deleted.status).toBe(status === 201 ? 204 : status);
    expect((await write("GET", "/api/v1/version")).status).toBe(200);
  });

  it("continues after a request whose path is not a path", async () => {
    const headers = { Host: `127.0.0.1:${port()}` };
    expect(await statusOf("GET", "//", headers)).toBe(404);
    expect(await statusOf("GET", "http://[", headers)).toBe(404);
    expect(await statusOf("GET", "/api/v1/version", headers)).toBe(200);
  });
});

test.each([
  ["000", 0o000],
  ["022", 0o022],
  ["077", 0o077],
])("with the umask %s only the owner can use the folders of a sandbox", async (_text, mask) => {
  const dir = join(mkdtempSync(join(tmpdir(), "tongs-sandbox-test-")), "new", "data");
  const before = process.umask(mask);
  await testSandbox({ dir, empty: true }).finally(() => process.umask(before));
  const folders = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(["hooks", "repositories"]);
  for (const name of ["", ...folders.map((entry) => entry.name)]) {
    expect((statSync(join(dir, name)).mode & 0o777).toString(8), name).toBe("700");
  }
});
