import { describe, expect, it } from "vitest";
import { type Handler, type Seen, serve, type TestServer } from "../../support/server.ts";
import { tongs, type World } from "../../support/tongs.ts";
import { end, listed, pull } from "./pulls.ts";

let server: TestServer | undefined;

async function list(handler: Handler, argv: readonly string[], world: World = {}) {
  server = await serve(handler);
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
  return tongs(["pr", "list", ...argv], { ...world, env });
}

/** Serves `all` in pages, as the servers do. */
function paged(seen: Seen, all: readonly unknown[]) {
  const query = new URL(seen.url, "http://x").searchParams;
  const [page, limit] = [Number(query.get("page")), Number(query.get("limit"))];
  const body = all.slice((page - 1) * limit, page * limit);
  return { headers: { "x-total-count": String(all.length) }, body };
}

/** Serves the user mara, and empty lists. */
const users: Handler = ({ url }) => (url.includes("/users/") ? { body: { login: "mara" } } : listed([]));

const numbers = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => line.split("\t")[0]);

describe("tongs pr list", () => {
  it("sends one request, always with a state, and prints a line per pull request", async () => {
    const ran = await list(() => listed([pull(7), pull(5, { draft: true, head: end("tides", "priya") })]), []);
    expect(ran).toMatchObject({
      code: 0,
      stdout:
        "7\tChange 7\tchange-7\topen\t2026-11-20T10:00:00Z\n5\tChange 5\tpriya:tides\tdraft\t2026-11-20T10:00:00Z\n",
      stderr: "",
    });
    expect(server?.lines()).toEqual(["GET /api/v1/repos/mara/harbor/pulls?state=open&page=1&limit=30"]);
  });

  it("lets the server filter and sort if it can", async () => {
    const ran = await list(users, ["--state", "all", "--author", "Mara", "--sort", "least-updated"]);
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(server?.lines().slice(1)).toEqual([
      "GET /api/v1/repos/mara/harbor/pulls?state=all&poster=mara&sort=leastupdate&page=1&limit=30",
    ]);
  });

  it.each([
    ["newest", ""],
    ["oldest", "sort=oldest&"],
    ["updated", "sort=recentupdate&"],
    ["comments", "sort=mostcomment&"],
    ["priority", "sort=priority&"],
  ])("sorts by %s with the server's name for it", async (word, query) => {
    await list(() => listed([]), ["--sort", word]);
    expect(server?.lines()).toEqual([`GET /api/v1/repos/mara/harbor/pulls?state=open&${query}page=1&limit=30`]);
  });

  it("resolves @me to the owner of the token", async () => {
    const handler: Handler = ({ url }) => (url.endsWith("/user") ? { body: { login: "priya" } } : listed([]));
    await list(handler, ["--author", "@me"]);
    expect(server?.lines()[1]).toContain("poster=priya");
  });

  it("filters by base branch even if the server ignores the filter", async () => {
    const other = pull(2, { base: end("release") });
    const ran = await list(() => listed([pull(3), other, pull(1)]), ["--base", "release"]);
    expect(numbers(ran.stdout)).toEqual(["2"]);
    expect(server?.lines()[0]).toContain("base_branch=release");
  });

  it("reads more pages until enough match a filter that the server does not have", async () => {
    const all = Array.from({ length: 220 }, (_, index) => pull(220 - index, { draft: index % 55 === 54 }));
    const ran = await list((seen) => paged(seen, all), ["--draft", "--limit", "3"]);
    expect(numbers(ran.stdout)).toEqual(["166", "111", "56"]);
    expect(ran.stderr).toContain("Showing 3");
  });

  it("prints all matches with --all, without a note about omitted ones", async () => {
    const all = Array.from({ length: 120 }, (_, index) =>
      pull(120 - index, { merged: index % 40 === 0, state: "closed" }),
    );
    const ran = await list((seen) => paged(seen, all), ["--state", "merged", "--all"]);
    expect(numbers(ran.stdout)).toEqual(["120", "80", "40"]);
    expect(ran.stderr).toBe("");
    expect(server?.lines()[0]).toContain("state=closed");
  });

  it("filters by head branch, and by owner if given", async () => {
    const all = [pull(3, { head: end("tides", "priya") }), pull(2, { head: end("tides") }), pull(1)];
    expect(numbers((await list(() => listed(all), ["--head", "tides"])).stdout)).toEqual(["3", "2"]);
    expect(numbers((await list(() => listed(all), ["--head", "priya:tides"])).stdout)).toEqual(["3"]);
  });

  it("requires all of several labels, although the server matches any", async () => {
    const [bug, docs] = [
      { id: 4, name: "bug" },
      { id: 9, name: "docs" },
    ];
    const handler: Handler = ({ url }) => {
      if (url.includes("/labels")) return listed([bug, docs]);
      return listed([pull(3, { labels: [bug] }), pull(2, { labels: [docs, bug] })]);
    };
    const ran = await list(handler, ["--label", "bug,docs"]);
    expect(numbers(ran.stdout)).toEqual(["2"]);
    expect(server?.lines()[1]).toBe("GET /api/v1/repos/mara/harbor/pulls?state=open&labels=4&page=1&limit=50");
  });

  it("finds a milestone by its title and sends its id", async () => {
    const handler: Handler = ({ url }) =>
      listed(url.includes("/milestones") ? [{ id: 31, title: "1.0", state: "open" }] : [pull(1)]);
    await list(handler, ["--milestone", "1.0"]);
    expect(server?.lines()[1]).toContain("milestone=31");
  });

  it("searches the issues, and prints the pull request records in that order", async () => {
    const handler: Handler = ({ url }) => {
      const number = /\/pulls\/(\d+)$/.exec(url)?.[1];
      if (url.endsWith("/users/priya")) return { body: { login: "priya" } };
      return number === undefined
        ? listed([{ number: 9 }, { number: 4 }, { number: 2 }])
        : { body: pull(Number(number)) };
    };
    const ran = await list(handler, ["--search", "tide table", "--assignee", "priya", "--json", "number,title"]);
    expect(ran.json()).toEqual([9, 4, 2].map((number) => ({ number, title: `Change ${number}` })));
    expect(server?.lines()[1]).toBe(
      "GET /api/v1/repos/mara/harbor/issues?type=pulls&state=open&q=tide+table&assigned_by=priya&page=1&limit=30",
    );
  });

  it("filters and sorts search results if the server cannot", async () => {
    const handler: Handler = ({ url }) => {
      const number = Number(/\/pulls\/(\d+)$/.exec(url)?.[1]);
      if (Number.isNaN(number)) return listed([{ number: 9 }, { number: 4 }, { number: 2 }]);
      return { body: pull(number, { draft: number === 4, comments: 20 - number }) };
    };
    const ran = await list(handler, ["--search", "tide", "--no-draft", "--sort", "comments"]);
    expect(numbers(ran.stdout)).toEqual(["2", "9"]);
  });

  it("refuses a sort order that a search does not support, before anything is sent", async () => {
    const ran = await list(() => listed([]), ["--search", "x", "--sort", "priority"]);
    expect(ran.code).toBe(2);
    expect(server?.lines()).toEqual([]);
  });
});
