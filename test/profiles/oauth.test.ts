import { expect, it } from "vitest";
import { openTransport } from "../../src/http/connect.ts";
import { type Provider, renewed } from "../../src/profiles/oauth.ts";
import { serve, type TestServer } from "../support/server.ts";

let server: TestServer | undefined;

/** Renews a session on a server that answers with these fields. */
async function renewedWith(fields: Readonly<Record<string, unknown>>, status = 200) {
  const body = { access_token: "new", token_type: "bearer", refresh_token: "next", ...fields };
  server = await serve(() => ({ status, body }));
  const transport = openTransport({ proxy: () => undefined });
  const provider: Provider = {
    base: new URL(server.url),
    transport,
    clientId: "tongs",
    headers: {},
    timeout: 10_000,
    now: () => new Date("2026-01-01T00:00:00Z"),
  };
  const session = { access_token: "old", refresh_token: "first", client_id: "tongs" };
  try {
    return await renewed(session, "first", provider, "hint");
  } finally {
    transport.close();
  }
}

it("a session that lasts longer than time itself is kept, not lost by an error", async () => {
  const session = await renewedWith({ expires_in: 1e300 });
  expect(session).toMatchObject({ access_token: "new", refresh_token: "next", expires: "2035-12-30T00:00:00.000Z" });
});

it("a token that no header can hold is refused before it is stored", async () => {
  const error = { code: "broken_answer", message: expect.stringContaining("a token that cannot be sent") };
  await expect(renewedWith({ access_token: "a\r\nx-admin: 1" })).rejects.toMatchObject(error);
  await expect(renewedWith({ refresh_token: "b\u001b]52;c;x" })).rejects.toMatchObject(error);
});

it("a renewal that fails is not called a sign-in", async () => {
  await expect(renewedWith({}, 502)).rejects.toThrow("failed during the renewal of the session (502)");
  await expect(renewedWith({}, 404)).rejects.toThrow("no longer offers sign-in with the browser");
});
