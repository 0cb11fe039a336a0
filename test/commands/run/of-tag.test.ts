import { expect, it } from "vitest";
import { type Handler, serve, type TestServer } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";
import { gitea, run, task, unknownRoute } from "./forge.ts";
import { forgejo16, recordedRuns } from "./forgejo16.ts";

let server: TestServer | undefined;

async function list(handler: Handler, flags: readonly string[] = [], repo = "mara/harbor") {
  server = await serve(handler);
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: repo };
  return tongs(["run", "list", "--branch", "refs/tags/v1", "--jq", ".[].id", ...flags], { env });
}

it.each([
  ["", []],
  [" and of one workflow", ["--workflow", "build.yml"]],
])("lists the runs of a tag%s on Gitea by the ref of each run", async (_what, flags) => {
  const runs = [
    run(31),
    run(32, { path: "build.yml@refs/tags/v1", head_branch: "" }),
    run(33, { path: "build.yml@refs/tags/v1.1", head_branch: "" }),
    run(34, { path: "build.yml@refs/heads/v1", head_branch: "v1" }),
  ];
  const ran = await list(gitea({ runs }), flags);
  expect([ran.code, ran.stdout]).toEqual([0, "32\n"]);
  expect(server?.lines().join("\n")).not.toContain("branch=");
});

it("asks Forgejo for the full ref", async () => {
  const [first, ...others] = recordedRuns;
  const ran = await list(
    forgejo16({ runs: [{ ...first, prettyref: "v1" } as (typeof recordedRuns)[number], ...others] }),
    [],
    "root1/ci",
  );
  expect(server?.lines().join("\n")).toContain("ref=refs%2Ftags%2Fv1");
  expect(ran.code, ran.stderr).toBe(0);
});

it("says so where a server has only tasks, which do not tell a tag from a branch", async () => {
  const tasks = { workflow_runs: [task(1, 1, { head_branch: "v1" })], total_count: 1 };
  const ran = await list(({ url }) => (url.includes("/tasks") ? { body: tasks } : unknownRoute));
  expect([ran.stdout, ran.stderr]).toEqual(["", expect.stringContaining("does not tell runs of a tag")]);
  expect(ran.stderr).toContain("without refs/tags/");
});
