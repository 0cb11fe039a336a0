import { describe, expect, it } from "vitest";
import { type Cassette, cassette } from "../../support/cassette.ts";
import { serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";

let player: Cassette;

async function run(labels: readonly string[], ...line: readonly string[]) {
  player = await cassette("search", labels);
  return player.run(["search", ...line]);
}

describe("search", () => {
  it("finds repositories by word, sorted", async () => {
    const ran = await run(["search repositories: by word"], "repo", "harbor", "--sort", "alpha", "--order", "desc");
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout.trim().split("\n")).toHaveLength(3);
  });

  it("finds repositories by topic, or nothing", async () => {
    const labels = ["search repositories: by topic", "search repositories: nothing found"];
    const ran = await run(labels, "repo", "sailing", "--topic", "--json", "full_name");
    expect(ran.json()).toHaveLength(1);
    expect(await player.run(["search", "repo", "zeppelin", "--json"])).toMatchObject({ code: 0, stdout: "[]\n" });
  });

  it("finds users and topics", async () => {
    const labels = ["search users as no one: public users only", "search topics"];
    const users = await run(labels, "user", "a", "--json", "login");
    expect(users.json()).toContainEqual({ login: "mara" });
    expect((await player.run(["search", "topic", "sail"])).stdout).toMatch(/^sailing\t1\t/);
  });

  it("finds issues of all repositories", async () => {
    player = await cassette("forgejo-search", ["issue search: q=lens: 200"]);
    const ran = await player.run(["search", "issue", "lens", "--limit", "2"]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toMatch(/^imara\/lighthouse\t9\t/);
  });

  it("leaves out issues without the labels, which servers ignore if they do not know them", async () => {
    player = await cassette("search", []);
    const issue = { id: 1, number: 1, title: "The lens is cracked", state: "open" };
    const other = { ...issue, id: 2, number: 2, labels: null };
    const server = await serve(() => ({ body: [{ ...issue, labels: [{ id: 4, name: "Bug" }] }, other] }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const found = async (...labels: string[]) =>
      (await tongs(["search", "issue", "lens", "--label", labels.join(), "--json", "labels.name"], { env })).json();
    expect(await found("bug")).toEqual([{ labels: [{ name: "Bug" }] }]);
    expect(await found("bug", "no-such")).toEqual([]);
  });

  it("sends each filter, and the id of the owner", async () => {
    player = await cassette("search", []);
    const server = await serve(({ url }) => ({ body: url.includes("/users/") ? { id: 7, login: "mara" } : [] }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const filters = ["--type", "pulls", "--state", "all", "--label", "bug,later", "--owner", "mara", "--assigned"];
    await tongs(["search", "issue", "lamp & wick", ...filters], { env });
    const asked = new URL(server.seen[0]?.url ?? "", server.url).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      q: "lamp & wick",
      type: "pulls",
      state: "all",
      labels: "bug,later",
      owner: "mara",
      assigned: "true",
    });
    await tongs(["search", "repo", "x", "--owner", "mara", "--no-archived", "--mode", "source"], { env });
    const query = new URL(server.seen.at(-1)?.url ?? "", server.url).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({ uid: "7", exclusive: "true", archived: "false", mode: "source" });
    await server.close();
    expect((await tongs(["search", "repo", "x", "--sort", "color"], { env })).code).toBe(2);
  });
});
