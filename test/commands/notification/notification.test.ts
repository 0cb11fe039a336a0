import { describe, expect, it } from "vitest";
import { type Cassette, cassette } from "../../support/cassette.ts";
import { serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";

let player: Cassette | undefined;

/** A server that replays these exchanges, each once. */
async function play(name: string, ...labels: readonly string[]): Promise<Cassette> {
  player = await cassette(name, labels);
  return player;
}

describe("notification", () => {
  it.each([
    ["notifications", "Rope is frayed"],
    ["forgejo-notifications", "The lamp is out"],
  ])("lists %s as a table and as records", async (name, title) => {
    const label = "notifications: list, unread ones";
    const { run } = await play(name, label, label);
    const table = await run(["notification", "list", "--limit", "1"]);
    expect(table.stdout).toMatch(new RegExp(`^\\d+\to?mara/harbor\tIssue\t${title}\tunread\t\\d{4}-`));
    const records = await run(["notification", "list", "--limit", "1", "--json", "subject.title,unread"]);
    expect(records.json()).toEqual([{ subject: { title }, unread: true }]);
  });

  it("filters by repository, kind and state", async () => {
    const { run } = await play("notifications", "notifications: of a repository", "notifications: subject type issue");
    expect((await run(["notification", "list", "-R", "mara/harbor"])).code).toBe(0);
    expect((await run(["notification", "list", "--type", "issue", "--limit", "1"])).code).toBe(0);
    await player?.close();
    const forgejo = await play("forgejo-notifications", "notifications: list with status types read and pinned");
    expect((await forgejo.run(["notification", "list", "--pinned", "--read"])).code).toBe(0);
  });

  it("shows one, and says what is wrong with others", async () => {
    const { run } = await play("notifications", "notifications: get a thread", "notifications: get an unknown thread");
    const shown = await run(["notification", "view", "4"]);
    expect(shown.stdout).toContain("title\tRope is frayed\n");
    const unknown = await run(["notification", "view", "9999"]);
    expect([unknown.code, unknown.stderr]).toEqual([5, expect.stringContaining("notification does not exist")]);
  });

  it.each([
    ["notifications", "4"],
    ["forgejo-notifications", "8"],
  ])("marks and pins notifications of %s", async (name, id) => {
    const { run } = await play(name, "notifications: mark a thread read", "notifications: pin a thread");
    const read = await run(["notification", "read", id, "--json", "id,unread"]);
    expect(read.json()).toEqual([{ id: Number(id), unread: false }]);
    const pinned = await run(["notification", "pin", "-"], { stdin: `${id}\n` });
    expect([pinned.code, pinned.stderr]).toEqual([0, expect.stringContaining(`Pinned notification ${id}`)]);
  });

  it("marks all as read, of one repository or of all, up to a time", async () => {
    const { run } = await play(
      "notifications",
      "notifications: mark a repository's read",
      "notifications: mark all read",
      "notifications: mark all with a time",
    );
    const some = await run(["notification", "read", "-R", "mara/harbor", "--yes"]);
    expect([some.code, some.stderr]).toEqual([0, expect.stringContaining("Marked 1 notification as read")]);
    const refused = await run(["notification", "read"]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("--yes is required to mark all notifications as read"),
    ]);
    const all = await run(["notification", "read", "--yes", "--json"]);
    expect(all.json()).toEqual([]);
    expect((await run(["notification", "read", "--before", "2026-11-21T00:00:00Z", "--yes"])).code).toBe(0);
  });

  it("continues after a failure, and refuses what is not an ID or time before sending anything", async () => {
    const server = await serve(({ url }) =>
      url.includes("/threads/5?")
        ? { status: 403, body: { message: "only user itself and admin are allowed to read/change this thread 5" } }
        : { status: 205 },
    );
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["notification", "unread", "4", "5"], { env });
    expect([ran.code, ran.stderr]).toEqual([11, expect.stringContaining("5: Permission denied")]);
    const before = server.lines().length;
    expect((await tongs(["notification", "pin", "4", "x"], { env })).code).toBe(2);
    expect((await tongs(["notification", "list", "--since", "yesterday"], { env })).code).toBe(2);
    expect((await tongs(["notification", "read", "4", "--before", "2026-01-01"], { env })).code).toBe(2);
    expect(server.lines()).toHaveLength(before);
  });
});
