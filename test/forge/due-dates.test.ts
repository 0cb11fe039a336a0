import { describe, expect, it } from "vitest";
import { serve } from "../support/server.ts";
import { tongs } from "../support/tongs.ts";

/** Of an issue, a milestone, a pull request or the repository. */
const about = {
  id: 7,
  name: "harbor",
  full_name: "mara/harbor",
  owner: { login: "mara" },
  number: 7,
  title: "v1",
  state: "open",
  html_url: "http://h/7",
  user: { login: "mara" },
};
const branch = { ref: "main", sha: "0", label: "main", repo_id: 1, repo: null };

/** Runs a command against a server that shows what was sent from a zone farther west as the next day. */
async function dueDatesSent(line: readonly string[], stored: string, isListed = false) {
  let due: string | null = null;
  const server = await serve(({ method, body }) => {
    if (method !== "GET") {
      const given = JSON.parse(body) as { readonly due_on?: string; readonly due_date?: string };
      const sent: string = given.due_on ?? given.due_date ?? "";
      due = due === null ? stored : sent;
    }
    const given = method === "GET" ? {} : (JSON.parse(body) as object);
    const record = {
      ...about,
      ...given,
      due_on: due,
      due_date: due,
      base: branch,
      head: branch,
      merged: false,
      draft: false,
    };
    return { body: method === "GET" && isListed ? [record] : record };
  });
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/harbor" };
  const ran = await tongs(line, { env });
  await server.close();
  const sent = server.seen
    .filter(({ method }) => method !== "GET")
    .map(({ body }) => JSON.parse(body) as Record<string, string>);
  return { code: ran.code, sent: sent.map(({ due_on, due_date }) => due_on ?? due_date) };
}

describe("a due date", () => {
  it.each([
    [["milestone", "create", "v2"], true],
    [["milestone", "edit", "7"], true],
    [["issue", "create", "-t", "x", "-b", "y"], false],
    [["issue", "edit", "7"], false],
    [["pr", "edit", "7"], false],
  ])("of %j is sent again if the server's zone has another day then", async (line, isListed) => {
    const { sent, code } = await dueDatesSent([...line, "--due", "2026-12-24"], "2026-12-25T08:59:59+01:00", isListed);
    expect([code, sent]).toEqual([0, [expect.stringMatching(/^2026-12-24T23:59:59/), "2026-12-24T23:59:59+01:00"]]);
  });

  it("is said to be another day if it cannot be sent again", async () => {
    const server = await serve(({ method }) => {
      if (method === "PATCH") return { status: 403, body: { message: "no" } };
      return { body: method === "GET" ? [] : { ...about, due_on: "2026-12-25T08:59:59+01:00" } };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/harbor" };
    const ran = await tongs(["milestone", "create", "v2", "--due", "2026-12-24"], { env });
    expect([ran.code, ran.stderr]).toEqual([4, expect.stringContaining("but the due date is 2026-12-25")]);
  });

  it("is sent once if the day is the same", async () => {
    const line = ["milestone", "create", "v2", "--due", "2026-12-24"];
    expect((await dueDatesSent(line, "2026-12-24T10:59:59Z", true)).sent).toHaveLength(1);
  });
});
