import { beforeAll, describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { type OnSandbox, onSandbox } from "../on-sandbox.ts";

describe.each(["gitea", "forgejo"])("a collaborator with a private profile, on %s", (as) => {
  let box: OnSandbox;
  const run = (...line: string[]) => box.run([...line, "-R", "mara/logs"], { as: "mara" });
  beforeAll(async () => {
    box = await onSandbox({ release: parseRelease(as) });
    await box.ask("POST", "/user/repos", "mara", { name: "logs" });
    await box.ask("PUT", "/repos/mara/logs/collaborators/jonas", "mara", { permission: "write" });
    await box.run(["user", "edit", "jonas", "--visibility", "private"]);
  });

  it("is assigned to issues, and finds those", async () => {
    expect((await box.ask("GET", "/users/jonas", "mara")).status).toBe(404);
    const made = await run("issue", "create", "--title", "Dark", "--assignee", "Jonas", "--json");
    expect(made.json(), made.stderr).toMatchObject({ assignees: [{ login: "jonas" }] });
    await run("issue", "edit", "1", "--remove-assignee", "jonas");
    expect(await run("issue", "edit", "1", "--add-assignee", "jonas,mara")).toMatchObject({ code: 0 });
    expect((await run("issue", "list", "--assignee", "jonas", "--jq", "map(.number)")).json()).toEqual([1]);
  });

  it("is not taken for one who does not exist", async () => {
    const ran = await run("issue", "create", "--title", "Dark", "--assignee", "jonas,jonass");
    expect([ran.code, ran.stderr]).toEqual([13, expect.stringContaining("Unknown user 'jonass' on this server")]);
  });
});
