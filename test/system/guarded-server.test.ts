import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type Guard, guardedServer, requestBody } from "../../src/system/guarded-server.ts";
import { rawStatus } from "../support/raw-request.ts";

const open: { close(): void }[] = [];
afterEach(() => open.splice(0).forEach((one) => void one.close()));

/** Sends a request as it is to a server with a guard, and returns the status. */
async function asking(guard: Partial<Guard> = {}) {
  const server = guardedServer({ hosts: ["allowed.example"], ...guard }, async (request, { pathname }) => {
    if (pathname === "/fault") throw new Error("secret");
    const body = await requestBody(request, 1000);
    return body === undefined ? { status: 413, text: "too large" } : { status: 200, text: String(body.length) };
  });
  open.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return (head: string, host = "127.0.0.1", body = "") => rawStatus(port, head, host, body);
}

test("a request that has no address, or makes the server fail, is answered, and so is the next one", async () => {
  const refused: string[] = [];
  const ask = await asking({ onRefused: (reason, status) => refused.push(`${status} ${reason}`) });
  for (const head of ["GET // HTTP/1.1", "GET http://[ HTTP/1.1", "GET http://a:b HTTP/1.1"])
    expect(await ask(head), head).toBe(400);
  expect(await ask("GET /fault HTTP/1.1")).toBe(500);
  expect(await ask("GET / HTTP/1.1")).toBe(200);
  expect(refused).toEqual([...Array(3).fill("400 the address is not valid"), "500 secret"]);
});

test("nothing of a web page is taken; a user can open what opens, by its address", async () => {
  const [ask, opens] = [await asking(), await asking({ opens: true })];
  const sites = ["cross-site", "same-site", "same-origin", "none"].map((site) => `Sec-Fetch-Site: ${site}`);
  for (const header of ["Origin: http://evil.example", "Origin: null", ...sites]) {
    expect(await ask(`GET / HTTP/1.1\r\n${header}`), header).toBe(403);
    expect(await opens(`POST / HTTP/1.1\r\n${header}`), header).toBe(403);
    expect(await opens(`GET / HTTP/1.1\r\n${header}`), header).toBe(header.endsWith("none") ? 200 : 403);
  }
});

test("only names of this machine are taken, and those that are allowed", async () => {
  const ask = await asking();
  for (const host of ["127.0.0.1:1", "[::1]", "LOCALHOST", "Allowed.example:9"])
    expect(await ask("GET / HTTP/1.1", host), host).toBe(200);
  for (const host of ["evil.example", "127.0.0.1.evil.example", "[evil]", ""])
    expect(await ask("GET / HTTP/1.1", host), host).toBe(403);
  expect(await (await asking({ hosts: undefined }))("GET / HTTP/1.1", "evil.example")).toBe(200);
});

test("a body has a limit", async () => {
  const ask = await asking();
  for (const [size, status] of [[1000, 200] as const, [1001, 413] as const])
    expect(await ask(`POST / HTTP/1.1\r\nContent-Length: ${size}`, "localhost", "x".repeat(size))).toBe(status);
});
