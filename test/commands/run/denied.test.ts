import { describe, expect, it } from "vitest";
import { serve, type TestServer } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";
import { enveloped, gitea, task, unknownRoute } from "./forge.ts";

let server: TestServer | undefined;

/** A server that refuses the list of runs, as Gitea 1.25 does to everyone but the owner, and has these tasks or none. */
async function on(tasks: readonly unknown[] | undefined, line: readonly string[]) {
  server = await serve(
    gitea({}, ({ url }) => {
      if (/\/actions\/runs\?/.test(url))
        return { status: 403, body: { message: "user should be the owner of the repo" } };
      if (!url.includes("/actions/tasks")) return url.endsWith("/workflows") ? unknownRoute : undefined;
      return tasks === undefined
        ? { status: 403, body: { message: "user should have a permission to read" } }
        : enveloped("workflow_runs", tasks);
    }),
  );
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
  return tongs(line, { env });
}

describe("runs that only the owner may list", () => {
  it("are listed and found by their tasks", async () => {
    const listed = await on([task(8, 3), task(7, 2)], ["run", "list", "--json", "run_number"]);
    expect(listed.json()).toEqual([{ run_number: 3 }, { run_number: 2 }]);
    const viewed = await on([task(8, 3), task(7, 2)], ["run", "view", "#2", "--json", "run_number"]);
    expect(viewed.json()).toEqual({ run_number: 2 });
    const latest = await on([task(8, 3)], ["run", "view", "latest", "--json", "run_number"]);
    expect(latest.json()).toEqual({ run_number: 3 });
  });

  it("are refused with the first reason if their tasks are refused, too", async () => {
    for (const line of ["run list", "run list --actor mara", "run view #2", "run view latest"]) {
      const ran = await on(undefined, line.split(" "));
      expect([line, ran.code, ran.stderr]).toEqual([line, 4, expect.stringContaining("should be the owner")]);
    }
  });

  it("are refused with the reason of the list if tasks cannot be filtered so", async () => {
    const ran = await on([task(8, 3)], ["run", "list", "--actor", "mara"]);
    expect([ran.code, ran.stderr]).toEqual([4, expect.stringContaining("should be the owner")]);
  });
});
