import { expect, it } from "vitest";
import { serve, type TestServer } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";

let server: TestServer | undefined;

it.each([
  ["refs/heads/side", "side"],
  ["refs/tags/v1", "v1"],
  ["feature/heads", "feature%2Fheads"],
])("hook test --ref %s is sent as servers find its commit: %s", async (ref, sent) => {
  server = await serve(() => ({ status: 204 }));
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
  const ran = await tongs(["hook", "test", "3", "--ref", ref], { env });
  expect(ran.code, ran.stderr).toBe(0);
  expect(server.lines()).toContain(`POST /api/v1/repos/mara/harbor/hooks/3/tests?ref=${sent}`);
});
