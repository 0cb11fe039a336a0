import { expect, it } from "vitest";
import { type Reply, serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";
import { answers } from "../user/forge.ts";

const person = { id: 2, login: "mara" };
const names = { type: "generic", name: "tide-tables", version: "1.0.0", html_url: "" };
const tables = {
  id: 1,
  ...names,
  owner: person,
  creator: person,
  repository: null,
  created_at: "2026-01-01T00:00:00Z",
};

it.each([
  [{ body: [tables] }, 9],
  [{ status: 404, headers: { "content-type": "text/plain" }, body: "404 page not found\n" }, 0],
  [{ status: 403, body: { message: "token does not have the scope read:package" } }, 0],
] satisfies [Reply, number][])("org delete looks for packages, as far as it may (%#)", async (packages, code) => {
  const server = await serve(
    answers({
      "GET /version": { body: { version: "1.27.0" } },
      "GET /orgs/tidewater": { body: { id: 1, name: "tidewater", username: "tidewater" } },
      "GET /orgs/tidewater/repos": { body: [] },
      "GET /packages/tidewater": packages,
      "DELETE /orgs/tidewater": { status: 204 },
    }),
  );
  const ran = await tongs(["org", "delete", "tidewater", "--yes", "--quiet"], {
    env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" },
  });
  expect(ran.code, ran.stderr).toBe(code);
  expect(server.seen.some(({ method }) => method === "DELETE")).toBe(code === 0);
  if (code === 0) return;
  expect(ran.stderr).toContain("Organization tidewater still owns packages, such as tide-tables 1.0.0\n");
  expect(ran.stderr).toContain("run: tongs package list --owner tidewater");
});
