import { beforeAll, describe, expect, it } from "vitest";
import { emptyFolder } from "../support/tongs.ts";
import { openTarget, type Person } from "./support.ts";

const target = await openTarget();
let crew: Person;

beforeAll(async () => {
  crew = await target.person("crew");
  await target.ask("POST", "/user/repos", { name: "raft", auto_init: true }, crew);
});

describe("--sudo", () => {
  it("writes as the user and is undone as the user", async () => {
    const env = { XDG_STATE_HOME: emptyFolder(), TONGS_JOURNAL: "" };
    const raft = ["-R", `${crew.login}/raft`];
    const line = ["issue", "create", ...raft, "--title", "Leak", "--body", "x", "--sudo", crew.login.toUpperCase()];
    const ran = await target.admin.tongs([...line, "--json", "user.login,number"], { env });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining(`as ${crew.login}, by an administrator on`) });
    expect(ran.json()).toMatchObject({ user: { login: crew.login } });
    const repo = target.unique("dinghy");
    const made = await target.admin.tongs(["repo", "create", repo, "--sudo", crew.login, "--json", "full_name"], {
      env,
    });
    expect(made.json()).toEqual({ full_name: `${crew.login}/${repo}` });
    const star = ["star", "add", `${crew.login}/raft`, "--sudo", crew.login];
    expect(await target.admin.tongs(star, { env })).toMatchObject({ code: 0 });
    const [entry] = (await target.admin.tongs(["journal", "list", "--json"], { env })).json() as [{ number: number }];
    expect(entry).toMatchObject({ user: crew.login, administrator: null, command: "star add" });
    const undone = await target.admin.tongs(["journal", "undo", `${entry.number}`, "--yes"], { env });
    expect(undone).toMatchObject({ code: 0, stderr: expect.stringContaining(`as ${crew.login}, by`) });
    expect(await target.ask("GET", "/user/starred", undefined, crew)).toEqual([]);
  });

  it("is denied to others and not found for unknown users, before anything is written", async () => {
    const line = ["repo", "create", target.unique("buoy"), "--sudo"];
    const denied = expect.stringContaining(`Cannot act as ${target.admin.login}: Permission denied`);
    expect(await crew.tongs([...line, target.admin.login])).toMatchObject({ code: 4, stdout: "", stderr: denied });
    const nobody = target.unique("nobody");
    const unknown = expect.stringContaining(`User ${nobody} of --sudo not found on`);
    expect(await target.admin.tongs([...line, nobody])).toMatchObject({ code: 5, stdout: "", stderr: unknown });
    expect(await target.ask("GET", "/user/repos", undefined, crew)).toHaveLength(2);
  });
});
