import { describe, expect, it } from "vitest";
import { type Handler, serve } from "../support/server.ts";
import { tongs } from "../support/tongs.ts";

/** Runs a command against a server of a release that answers every list with nothing. Returns the queries of one path. */
async function asked(version: string, line: readonly string[], path: string, body: unknown = []) {
  const handler: Handler = ({ url }) => {
    if (url.endsWith("/version")) return { body: { version } };
    if (url.includes("/orgs/")) return { status: 404, body: { message: "not found" } };
    // Gitea rejects an unknown visibility, Forgejo ignores it.
    if (url.includes("visibility=nonsense") && !version.includes("+gitea-")) return { status: 422, body: {} };
    return { body };
  };
  const server = await serve(handler, { saysVersion: true });
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/harbor" };
  const ran = await tongs(line, { env });
  await server.close();
  const queries = server.seen
    .map(({ url }) => new URL(url, server.url))
    .filter(({ pathname }) => pathname.endsWith(path));
  return { ...ran, queries: queries.map(({ searchParams }) => Object.fromEntries(searchParams)) };
}

const forgejo = (number: number) => `${number}.0.0+gitea-1.22.0`;

describe("what a server can do is asked of it", () => {
  it("pr list --base and --head, by the names of both servers", async () => {
    const line = ["pr", "list", "--base", "main", "--head", "jonas:fog-horn"];
    const { queries } = await asked(forgejo(16), line, "/pulls");
    expect(queries[0]).toMatchObject({ base: "main", base_branch: "main", head: "fog-horn" });
  });

  it.each([
    ["oldest", "oldest"],
    ["updated", "recentupdate"],
    ["least-updated", "leastupdate"],
    ["comments", "mostcomment"],
  ])("issue list --sort %s, of Forgejo 11", async (sort, word) => {
    const line = ["issue", "list", "--sort", sort];
    expect((await asked(forgejo(11), line, "/issues")).queries[0]).toMatchObject({ sort: word });
    expect((await asked(forgejo(10), line, "/issues")).queries[0]).not.toHaveProperty("sort");
    expect((await asked("1.27.0", line, "/issues")).queries[0]).not.toHaveProperty("sort");
    const everywhere = ["issue", "list", "--all-repos", "--sort", sort];
    expect((await asked(forgejo(13), everywhere, "/search")).queries[0]).toMatchObject({ sort: word });
    expect((await asked(forgejo(12), everywhere, "/search")).queries[0]).not.toHaveProperty("sort");
  });

  it("no version is asked for where nothing is sorted", async () => {
    expect((await asked(forgejo(16), ["issue", "list"], "/version")).queries).toEqual([]);
  });

  it("user list --2fa, of Forgejo 16 and Gitea 1.26", async () => {
    const line = ["user", "list", "--2fa"];
    expect((await asked(forgejo(16), line, "/users")).queries.at(-1)).toMatchObject({ is_2fa_enabled: "true" });
    expect((await asked("1.26.0", line, "/users")).queries.at(-1)).toMatchObject({ is_2fa_enabled: "true" });
    const older = await asked(forgejo(15), line, "/users");
    expect(older).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot filter users by two-factor") });
    expect(older.stderr).toContain("Available since Gitea 1.26 and Forgejo 16.0.");
  });

  it("user list --sort updated, of Forgejo in its words", async () => {
    const line = ["user", "list", "--sort", "updated", "--order"];
    expect((await asked(forgejo(10), [...line, "desc"], "/users")).queries.at(-1)).toMatchObject({
      sort: "recentupdate",
    });
    expect((await asked(forgejo(10), [...line, "asc"], "/users")).queries.at(-1)).toMatchObject({
      sort: "leastupdate",
    });
    expect((await asked(forgejo(9), [...line, "asc"], "/users")).code).toBe(2);
  });
});

describe("user edit --hide-email", () => {
  const account = { id: 3, login: "mara", login_name: "", source_id: 0, pronouns: "" };
  const edit = (version: string) => asked(version, ["user", "edit", "mara", "--hide-email"], "/users/mara", account);

  it("is sent to Forgejo 14, and not to servers that would ignore it", async () => {
    const sent = await edit(forgejo(14));
    expect(sent, sent.stderr).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("Updated user mara (hide_email)"),
    });
    const older = await edit(forgejo(13));
    expect(older).toMatchObject({ code: 5, stderr: expect.stringContaining("--hide-email needs Forgejo 14.0") });
    expect((await edit("1.27.0")).stderr).toContain("--hide-email needs Forgejo 14.0; ");
  });
});
