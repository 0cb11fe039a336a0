import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { serve, type TestServer } from "../support/server.ts";
import { emptyFolder } from "./built.ts";
import { built } from "./dist.ts";

let server: TestServer | undefined;
afterEach(() => server?.close());

/** A server that accepts each refresh token once, slowly, and a configuration with an expired session of it. */
async function world() {
  let current = "not-a-secret-refresh-0";
  let count = 0;
  const started = await serve(async (seen) => {
    if (seen.url === "/login/oauth/access_token") {
      const used = new URLSearchParams(seen.body).get("refresh_token");
      await new Promise((resolve) => setTimeout(resolve, 300));
      if (used !== current) {
        return { status: 400, body: { error: "unauthorized_client", error_description: "token was already used" } };
      }
      count += 1;
      current = `not-a-secret-refresh-${count}`;
      const access_token = `not-a-secret-access-${count}`;
      return { body: { access_token, token_type: "bearer", expires_in: 3600, refresh_token: current } };
    }
    const isCurrent = seen.headers["authorization"] === `token not-a-secret-access-${count}`;
    return isCurrent ? { body: { id: 1, login: "mara" } } : { status: 401, body: { message: "no" } };
  });
  server = started;
  const cwd = emptyFolder();
  const folder = join(cwd, "config");
  mkdirSync(folder, { mode: 0o700 });
  const write = (name: string, value: unknown) =>
    writeFileSync(join(folder, name), JSON.stringify(value), { mode: 0o600 });
  write("config.json", { profiles: { work: { host: started.url, user: "mara" } } });
  const session = {
    access_token: "not-a-secret-access-old",
    refresh_token: current,
    client_id: "app",
    expires: "2020-01-01T00:00:00Z",
  };
  write("credentials.json", { tokens: {}, sessions: { work: session } });
  const stored = () => JSON.parse(readFileSync(join(folder, "credentials.json"), "utf8")) as Record<string, unknown>;
  const renewals = () => started.seen.filter(({ url }) => url === "/login/oauth/access_token").length;
  return {
    run: () => built(["api", "/user", "--jq", ".login"], { env: { TONGS_CONFIG_DIR: folder } }),
    stored,
    renewals,
  };
}

describe("several processes at once with an expired session", () => {
  it("renew it once, and all of them go on", async () => {
    const { run, stored, renewals } = await world();
    const ran = await Promise.all([run(), run(), run()]);
    for (const one of ran) expect(one).toMatchObject({ code: 0, stdout: "mara\n", stderr: "" });
    expect(renewals()).toBe(1);
    expect(stored()).toMatchObject({ sessions: { work: { refresh_token: "not-a-secret-refresh-1" } } });
    // The next one uses the session that they stored.
    expect(await run()).toMatchObject({ code: 0 });
    expect(renewals()).toBe(1);
  });
});
