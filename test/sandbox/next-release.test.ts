import { describe, expect, it } from "vitest";
import { parseRelease } from "../../src/sandbox/release.ts";
import { tongs } from "../support/tongs.ts";
import { testSandbox } from "./with-sandbox.ts";

describe.each([
  ["gitea@99", "Gitea 99.0.0+tongs-sandbox"],
  ["forgejo@99", "Forgejo 99.0.0+gitea-1.22.0"],
])("the sandbox as %s, newer than every known release", (as, title) => {
  const open = async () => {
    const sandbox = await testSandbox({ release: parseRelease(as) });
    const env = { TONGS_HOST: sandbox.url, TONGS_TOKEN: sandbox.token("mara"), TONGS_REPO: "mara/harbor" };
    return { sandbox, run: (...line: string[]) => tongs(line, { env }) };
  };

  it("describes itself, and two operations that no other release has", async () => {
    const { run } = await open();
    const about = (await run("server")).stdout;
    expect(about).toContain(`title\t${title}\n`);
    expect(about).toContain("operations known from\tits own description\n");
    const tides = (await run("operation", "list", "tides", "--json", "method")).json();
    expect(tides).toEqual([{ method: "GET" }, { method: "POST" }]);
    expect((await run("api", "repos/mara/harbor/tides", "--jq", ".[0].state")).stdout).toBe("high\n");
  });

  it("sends null for lists without items and times that are not set, with unknown fields and words", async () => {
    const { sandbox, run } = await open();
    const { body } = await sandbox.ask("GET", "/repos/mara/harbor/pulls/2", "mara");
    expect(body).toMatchObject({ assignees: null, tide: "high", ebb: null });
    expect((await run("pr", "view", "2", "--json")).json()).toMatchObject({ tide: "high", ebb: null });
    for (const line of [["pr", "list"], ["issue", "list"], ["run", "list"], ["status"], ["repo", "view"]])
      expect(await run(...line), line.join(" ")).toMatchObject({ code: 0, stderr: "" });
  });
});

it("knows no other release to come", () => {
  expect(() => parseRelease("gitea@98")).toThrow("Unknown server");
});
