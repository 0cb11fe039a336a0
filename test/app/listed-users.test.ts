import { expect, it } from "vitest";
import { serve } from "../support/server.ts";
import { tongs } from "../support/tongs.ts";

it("who cannot write is given access to the repository of the command, on its server", async () => {
  const server = await serve(({ url }) => {
    if (url.includes("/permission")) return { body: { permission: "read", role_name: "read", user: { login: "bob" } } };
    return { body: [] };
  });
  const line = ["branch", "protection", "create", "qq", "-R", "o/p2", "--enable-push"];
  const flags = ["--push-whitelist-usernames", "bob", "--host", server.url];
  const ran = await tongs([...line, ...flags], { env: { TONGS_TOKEN: "not-a-secret" } });
  await server.close();
  expect(ran.stderr).toContain(`run: tongs repo collaborator add bob -R o/p2 --host ${server.url}\n`);
});
