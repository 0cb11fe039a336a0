import { describe, expect, it } from "vitest";
import { serve, type TestServer } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";

let server: TestServer;
const world = () => ({ env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" } });

describe("follow", () => {
  it("follows and unfollows by the aliases, with one request per user", async () => {
    server = await serve(() => ({ status: 204 }));
    expect((await tongs(["follow", "mara", "jonas"], world())).code).toBe(0);
    expect((await tongs(["unfollow", "mara"], world())).code).toBe(0);
    expect(server.lines().sort()).toEqual([
      "DELETE /api/v1/user/following/mara",
      "PUT /api/v1/user/following/jonas",
      "PUT /api/v1/user/following/mara",
    ]);
  });

  it("reports why a blocked user cannot follow", async () => {
    server = await serve(() => ({ status: 403, body: { message: "user is blocked" } }));
    const ran = await tongs(["follow", "mara"], world());
    expect(ran).toMatchObject({ code: 4, stderr: expect.stringContaining("user is blocked") });
  });

  it.each([
    [["follow", "list"], "/api/v1/user/following?page=1&limit=30"],
    [["follow", "list", "--user", "mara"], "/api/v1/users/mara/following?page=1&limit=30"],
    [["follow", "followers"], "/api/v1/user/followers?page=1&limit=30"],
    [["follow", "followers", "--user", "mara"], "/api/v1/users/mara/followers?page=1&limit=30"],
  ])("%j sends one request and prints a line for each user", async (line, url) => {
    const body = [{ id: 2, login: "jonas", full_name: "Jonas", location: "", followers_count: 1, created: "" }];
    server = await serve(() => ({ body, headers: { "x-total-count": "1" } }));
    const ran = await tongs(line, world());
    expect(ran).toMatchObject({ code: 0, stdout: "jonas\tJonas\t\t1\t\n" });
    expect(server.lines()).toEqual([`GET ${url}`]);
  });
});
