import { describe, expect, it } from "vitest";
import { serve } from "../support/server.ts";
import { tongs } from "../support/tongs.ts";

/** Runs a command against a server that has nothing. */
async function run(...line: string[]) {
  const server = await serve(({ url }) =>
    url.includes("/pulls?") ? { body: [] } : { status: 404, body: { message: "not found" } },
  );
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
  return { ...(await tongs(line, { env })), sent: server.lines().length };
}

describe("an unknown field of --json", () => {
  it.each([
    [["pr", "view", "12", "--json=bogus"], "Unknown field bogus"],
    [["pr", "list", "--json=bogus"], "Unknown field bogus"],
    [["pr", "view", "12", "--json", "bogus,nosuch"], "Unknown fields bogus, nosuch"],
    [["pr", "list", "--json", "bogus,number"], "Unknown field bogus"],
    [["pr", "list", "--json", "user-login,number"], "Unknown field user-login"],
  ])("in %j is named, with the known ones, before anything is sent", async (line, words) => {
    const ran = await run(...line);
    expect(ran).toMatchObject({ code: 2, sent: 0 });
    expect(ran.stderr).toContain(words);
    expect(ran.stderr).toContain("number");
    expect(ran.stderr).toContain("mergeable");
  });

  it("without a comma is an argument; the fields are in the hint of its 'not found'", async () => {
    const ran = await run("pr", "view", "--json", "bogus");
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain("branch bogus");
    expect(ran.stderr).toContain("'bogus' is not a field of --json. Available fields: ");
    expect(ran.stderr).toContain("mergeable");
    expect((await run("pr", "view", "bogus", "--json")).stderr).not.toContain("Available fields");
  });

  it.each(["number", "head.ref"])(
    "is not said of %s, which is one, when the pull request is not found",
    async (field) => {
      const ran = await run("pr", "view", "12", "--json", field);
      expect(ran.code).toBe(5);
      expect(ran.stderr).not.toContain("is not a field");
    },
  );
});
