import { expect, it } from "vitest";
import { serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";

it.each([
  ["who is no member", { "/orgs/tidewater": 200 }, "jonas is not a member of tidewater"],
  ["of an organization that does not exist", {}, "not found"],
])(
  "org member publish refuses a user %s, of whom Gitea says 204",
  async (_who, found: Record<string, number>, words) => {
    const server = await serve(({ method, url }) => {
      const path = url.replace("/api/v1", "");
      if (method === "PUT") return { status: 204 };
      return { status: found[path] ?? 404, body: { id: 3, name: "tidewater", username: "tidewater" } };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["org", "member", "publish", "tidewater", "jonas"], { env });
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining(words)]);
    expect(server.lines().filter((line) => line.startsWith("PUT"))).toEqual([]);
  },
);
