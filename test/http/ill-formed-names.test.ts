import { describe, expect, it } from "vitest";
import { end, listed, pull } from "../commands/pr/pulls.ts";
import { type Handler, serve, type TestServer } from "../support/server.ts";
import { emptyFolder, tongs } from "../support/tongs.ts";

let server: TestServer | undefined;

async function run(handler: Handler, ...line: string[]) {
  server = await serve(handler);
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/harbor" };
  return tongs(line, { env, cwd: emptyFolder() });
}

/** Half of a surrogate pair, which JSON can escape. */
const half = "\ud800";
const json = { "content-type": "application/json" };
const fork = {
  ...end("tide", "jonas"),
  repo: { ...end("tide", "jonas").repo, name: half, full_name: `jonas/${half}` },
};
const forked = pull(12, { head: { ...fork, label: half }, title: half });

/** A pull request whose head is in a repository with such a name, which is also that of a label and a branch. */
const answer: Handler = ({ url }) => {
  const [path = ""] = url.split("?");
  const send = (body: unknown) => ({ headers: json, body: JSON.stringify(body) });
  if (path.endsWith("/pulls/12")) return send(forked);
  if (path.endsWith("/pulls")) return send([forked]);
  if (path.endsWith("/issues/search")) {
    const repository = { id: 1, name: half, owner: "jonas", full_name: `jonas/${half}` };
    const found = { id: 1, number: 7, title: "Tide", state: "open", repository };
    return send([
      found,
      {
        ...found,
        id: 2,
        number: 12,
        repository: { ...repository, name: "harbor", owner: "mara", full_name: "mara/harbor" },
      },
    ]);
  }
  if (path.endsWith("/user")) return send({ id: 1, login: half });
  if (path.endsWith("/users/mara")) return send({ id: 1, login: "mara" });
  if (path.includes("/branches/")) return send({ name: "main" });
  if (path.endsWith("/status")) return send({ statuses: [] });
  return listed([]);
};

describe("a name with half of a surrogate pair", () => {
  it.each([
    ["pr view 12", 0],
    ["pr list", 0],
    ["pr checks 12", 1],
    ["pr view 12 --json", 0],
    ["issue view 12 --web", 0],
  ])("of the server is data in %s", async (line, code) => {
    const ran = await run(answer, ...line.split(" "));
    expect(ran).toMatchObject({ code, stderr: expect.not.stringMatching(/URI|bug in tongs/) });
  });

  it("of the server is an error if it is asked about", async () => {
    const ran = await run(answer, "repo", "collaborator", "permission");
    expect(ran).toMatchObject({ code: 7, stdout: "" });
    expect(ran.stderr).toContain('The server returned a name that is not valid Unicode: "\\ud800"');
  });

  it("is named in a list that asks about it, and hides no other", async () => {
    const ran = await run(answer, "pr", "list", "--all-repos");
    expect(ran).toMatchObject({ code: 11, stdout: expect.stringContaining("12") });
    expect(ran.stderr).toContain('The server returned a name that is not valid Unicode: "\\ud800"');
  });

  it.each([
    ["repo", "view", `mara/${half}`],
    ["pr", "list", "-R", `mara/${half}`],
    ["branch", "view", half],
    ["label", "create", half],
    ["api", `repos/mara/${half}`],
    ["browse", half, "--no-browser"],
  ])("is a usage error if it was typed: %s %s", async (...line) => {
    const ran = await run(answer, ...line);
    expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("is not valid Unicode") });
    expect(server?.seen).toEqual([]);
  });
});
