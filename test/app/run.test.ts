import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { pull as pullRecord } from "../commands/pr/pulls.ts";
import { serve, type TestServer } from "../support/server.ts";
import { emptyFolder, tongs } from "../support/tongs.ts";

let server: TestServer | undefined;

describe("a command line", () => {
  it("prints the version", async () => {
    expect(await tongs(["--version"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^tongs /) });
  });

  it("shows help without a command, with exit code 0 and nothing on stderr", async () => {
    expect(await tongs([])).toMatchObject({ code: 0, stdout: expect.stringContaining("NOUNS"), stderr: "" });
  });

  it("suggests the nearest command for an unknown one, with exit code 2", async () => {
    const ran = await tongs(["pr", "veiw"]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain("Did you mean: tongs pr view?");
  });

  it("shows the help of the words after help, which can be the value of a flag, too", async () => {
    const shown = await tongs(["--profile", "help", "pr", "help", "merge"]);
    expect([shown.code, shown.stdout]).toEqual([0, (await tongs(["pr", "merge", "--help"])).stdout]);
  });

  it("gets one pull request by one request, and prints it", async () => {
    server = await serve(() => ({ body: pullRecord(12, { title: "Mend the quay" }) }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
    const ran = await tongs(["pr", "view", "12", "--json", "number,title"], { env });
    expect(ran).toMatchObject({ code: 0, stdout: '{"number":12,"title":"Mend the quay"}\n', stderr: "" });
    expect(server.lines()).toEqual(["GET /api/v1/repos/mara/harbor/pulls/12"]);
    expect(server.seen[0]?.headers["authorization"]).toBe("token not-a-real-token");
  });

  it.each([
    [["label", "create", "flaky", "-R", ""]],
    [["label", "create", "flaky", "--repo="]],
    [["repo", "delete", "", "--yes"]],
    [["repo", "edit", "", "-d", "Harbor"]],
  ])("with an empty repository, %j, does not write to that of the clone", async (line) => {
    server = await serve(() => ({ body: [] }));
    const cwd = emptyFolder();
    execFileSync("git", ["init", "-q"], { cwd });
    execFileSync("git", ["remote", "add", "origin", `${server.url}/mara/harbor.git`], { cwd });
    const ran = await tongs(line, { cwd, env: { TONGS_HOST: server.url, PATH: process.env["PATH"] ?? "" } });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("'' is not a valid repository") });
    expect(server.lines()).toEqual([]);
  });
});
