import { describe, expect, it } from "vitest";
import { cassette } from "../../support/cassette.ts";
import { type Handler, serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";
import { unknownRoute } from "../run/forge.ts";

const name = "forgejo-16-quota";
const staff = { name: "staff", rules: [] };
const made = { "GET /api/v1/admin/quota/groups/staff": staff };

/** What GET /user/quota of a Forgejo 10 was for a user in a group, which has no name there, and neither has its rule. */
const inUnnamedGroup = {
  used: {
    size: {
      repos: { public: 51740, private: 25587 },
      git: { LFS: 0 },
      assets: { attachments: { issues: 0, releases: 0 }, artifacts: 0, packages: { all: 0 } },
    },
  },
  groups: [{ rules: [{ limit: 1, subjects: ["size:all"] }] }],
};

/** Runs a command against recorded exchanges, all of which it must ask for. */
async function on(
  labels: readonly string[],
  line: readonly string[],
  answers: Readonly<Record<string, unknown>> = made,
) {
  const player = await cassette(name, labels, { made: answers });
  const ran = await player.run(["quota", ...line]);
  const writes = player.lines().filter((sent) => !sent.startsWith("GET "));
  await player.close();
  return { ...ran, writes };
}

/** Runs a command against a server with this answer to GET /user/quota; `check` is what the server says itself. */
async function within(groups: unknown, line: readonly string[], { check = true, used = 0 } = {}) {
  const size = {
    repos: { public: 0, private: 0 },
    git: { LFS: 0 },
    assets: { attachments: { issues: 0, releases: 0 }, artifacts: used, packages: { all: 0 } },
  };
  const handler: Handler = ({ url }) => ({ body: url.includes("/check") ? check : { used: { size }, groups } });
  const server = await serve(handler);
  const ran = await tongs(["quota", ...line], { env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" } });
  await server.close();
  return { ...ran, lines: server.lines() };
}

describe("quota rule", () => {
  it("creates a rule with a size as people write it", async () => {
    const line = ["rule", "create", "all-1g", "--max-size", "1 GiB", "--subject", "size:all"];
    const ran = await on(["rule create"], line);
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: "all-1g\n" });
    const unlimited = ["rule", "create", "git", "--max-size", "unlimited", "-s", "size:git:all,size:git:lfs"];
    expect((await on(["rule create, two subjects"], unlimited)).code).toBe(0);
  });

  it("lists, views and edits rules", async () => {
    expect((await on(["rules"], ["rule", "list"])).stdout).toBe(
      "all-1g\t1.0 GiB\tsize:all\ngit\tunlimited\tsize:git:all, size:git:lfs\nnosub\t1 B\t\n",
    );
    expect((await on(["rule view"], ["rule", "view", "all-1g"])).stdout).toContain("limit\t1.0 GiB\n");
    const edit = ["rule", "edit", "all-1g", "--max-size", "2G"];
    expect((await on(["rule view", "rule edit"], edit)).stderr).toContain("Updated quota rule all-1g (limit)");
    const subjects = ["rule", "edit", "git", "--subject", "size:repos:all"];
    const git = { "GET /api/v1/admin/quota/rules/git": { name: "git", limit: -1 } };
    expect((await on(["rule edit, subjects"], subjects, git)).code).toBe(0);
  });

  it("deletes a rule that no group has", async () => {
    const answers = { "GET /api/v1/admin/quota/rules/zero": { name: "zero", limit: 0 } };
    const ran = await on(["groups", "rule delete"], ["rule", "delete", "zero", "--yes", "--json"], answers);
    expect(ran.json()).toEqual([{ rule: "zero", result: "deleted" }]);
    expect(ran, ran.stderr).toMatchObject({ code: 0, writes: ["DELETE /api/v1/admin/quota/rules/zero"] });
  });

  it("does not delete a rule in use: the server would take it from its groups", async () => {
    const ran = await on(["rule view", "groups"], ["rule", "delete", "all-1g", "--yes"]);
    expect(ran).toMatchObject({ code: 9, writes: [] });
    expect(ran.stderr).toContain("Quota rule all-1g is in use by group guests2");
    expect(ran.stderr).toContain("tongs quota group rule remove guests2 all-1g");
  });

  it("an unknown rule is not found, also where the server would delete it", async () => {
    for (const line of [
      ["view", "nope"],
      ["delete", "nope", "--yes"],
      ["edit", "nope", "--max-size", "1"],
    ]) {
      const ran = await on(["rule view, unknown"], ["rule", ...line]);
      expect(ran).toMatchObject({ code: 5, writes: [], stderr: expect.stringContaining("Quota rule nope not found") });
    }
  });

  it("a name that is taken is refused", async () => {
    const line = ["rule", "create", "all-1g", "--max-size", "1", "--subject", "size:all"];
    expect(await on(["rule create, same name"], line)).toMatchObject({
      code: 9,
      stderr: expect.stringContaining("rule already exists"),
    });
  });

  it.each([
    [
      ["rule", "create", "x", "--max-size", "a lot", "-s", "size:all"],
      "must be a size such as 500M or 2G, not 'a lot'",
    ],
    [
      ["rule", "create", "x", "--max-size", "8192T", "-s", "size:all"],
      "--max-size must be less than 8192T, not '8192T'",
    ],
    [["rule", "edit", "x", "--max-size", "9223372036854775807"], "--max-size must be less than 8192T"],
    [["check", "9007199254740992"], "SIZE must be less than 8192T"],
    [["rule", "create", "x", "--max-size", "1G", "-s", "size:banana"], "Invalid value 'size:banana' for --subject"],
    [["rule", "create", "x", "--max-size", "1G"], "--subject is required"],
    [["rule", "create", "x", "-s", "size:all"], "--max-size is required"],
    [["rule", "edit", "x"], "Nothing to change"],
    [["group", "edit", "x"], "Nothing to change"],
    [["check", "much"], "SIZE must be a size such as 500M or 2G, not 'much'"],
    [["check", "--subject", "size:banana"], "Invalid value 'size:banana' for --subject"],
    [["view", "mara", "--org", "tidewater"], "Specify only one of USER or --org"],
  ])("refuses %j before anything is sent", async (line, words) => {
    const ran = await on([], line, {});
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  });
});

describe("a limit of 2^53 bytes or more, as others can set it", () => {
  const text = '{"name":"huge","limit":9223372036854775807,"subjects":["size:all"]}';
  const run = async (...line: readonly string[]) => {
    const server = await serve(({ method, url }) => {
      if (method === "DELETE") return { status: 204 };
      if (url.includes("/quota/groups")) return json("[]");
      if (url.endsWith("/user/quota"))
        return json(JSON.stringify(inUnnamedGroup).replace('{"limit":1', '{"limit":9223372036854775807'));
      if (method === "PATCH") return json(text.replace("9223372036854775807", "1024"));
      return json(/\/rules\b(?!\/)/.test(url) ? `[${text}]` : text);
    });
    const ran = await tongs(["quota", ...line], { env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" } });
    await server.close();
    return { ...ran, writes: server.lines().filter((sent) => !sent.startsWith("GET ")) };
  };
  const json = (body: string) => ({ headers: { "content-type": "application/json" }, body });

  it("is shown, and exact in JSON", async () => {
    const listed = await run("rule", "list");
    expect(listed, listed.stderr).toMatchObject({ code: 0, stdout: "huge\t8388608 TiB\tsize:all\n" });
    expect((await run("rule", "list", "--json", "limit")).stdout).toContain("9223372036854775807");
    expect((await run("rule", "view", "huge")).stdout).toContain("limit\t8388608 TiB\n");
    expect((await run("view")).stdout).toContain("all\t76 KiB of 8388608 TiB\n");
    expect((await run("check", "1G")).code).toBe(0);
  });

  it("can be lowered, and its rule deleted", async () => {
    const edited = await run("rule", "edit", "huge", "--max-size", "1K");
    expect(edited, edited.stderr).toMatchObject({ code: 0, writes: ["PATCH /api/v1/admin/quota/rules/huge"] });
    const deleted = await run("rule", "delete", "huge", "--yes");
    expect(deleted, deleted.stderr).toMatchObject({ code: 0, writes: ["DELETE /api/v1/admin/quota/rules/huge"] });
  });
});

describe("quota group", () => {
  it("lists, views, creates and deletes groups", async () => {
    expect((await on(["groups"], ["group", "list"])).stdout).toBe("staff\t\nguests2\tall-1g, fresh\ng3\tnope\n");
    expect((await on(["group view"], ["group", "view", "guests2"])).stdout).toContain("all-1g\t2.0 GiB for size:all\n");
    const zero = { "GET /api/v1/admin/quota/rules/zero": { name: "zero", limit: 0 } };
    expect((await on(["group create, zero"], ["group", "create", "zero", "--rule", "zero"], zero)).stdout).toBe(
      "zero\n",
    );
    expect((await on(["group delete"], ["group", "delete", "staff", "--yes"])).code).toBe(0);
  });

  it("is not created with a rule that does not exist, which the server would make with a limit of 0", async () => {
    const ran = await on(["rule view, unknown"], ["group", "create", "g3", "--rule", "nope"]);
    expect(ran).toMatchObject({ code: 5, writes: [], stderr: expect.stringContaining("Quota rule nope not found") });
    const added = await on(["rule view, unknown"], ["group", "rule", "add", "staff", "nope"]);
    expect(added).toMatchObject({ code: 5, writes: [], stderr: expect.stringContaining("Quota rule nope not found") });
  });

  it("an unknown group is not found", async () => {
    for (const line of [
      ["view", "nope"],
      ["user", "add", "nope", "alice"],
      ["rule", "remove", "nope", "all-1g"],
    ]) {
      const ran = await on(["group view, unknown"], ["group", ...line]);
      expect(ran).toMatchObject({ code: 5, writes: [], stderr: expect.stringContaining("Quota group nope not found") });
    }
    const ran = await on(["group delete, unknown"], ["group", "delete", "nope", "--yes"]);
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("Quota group nope not found") });
  });

  it("gets and loses rules", async () => {
    expect((await on(["rule view", "group add rule"], ["group", "rule", "add", "staff", "all-1g"])).code).toBe(0);
    const has = { "GET /api/v1/admin/quota/groups/staff": { name: "staff", rules: [{ name: "all-1g", limit: 1 }] } };
    const again = await on(["rule view", "group add rule, again"], ["group", "rule", "add", "staff", "all-1g"], has);
    expect([again.code, again.stderr]).toEqual([
      0,
      expect.stringContaining("Rule all-1g is already in quota group staff"),
    ]);
    expect((await on(["group remove rule"], ["group", "rule", "remove", "staff", "all-1g"])).code).toBe(0);
    const line = ["group", "rule", "remove", "staff", "all-1g"];
    const none = await on(["group remove rule, again", "rule view"], line);
    expect([none.code, none.stderr]).toEqual([0, expect.stringContaining("Rule all-1g is not in quota group staff")]);
    const edit = ["group", "edit", "staff", "--add-rule", "all-1g", "--json", "name"];
    expect((await on(["rule view", "group add rule"], edit)).json()).toEqual({ name: "staff" });
    const removed = await on(["group remove rule"], ["group", "edit", "staff", "--remove-rule", "all-1g"], has);
    expect(removed.stderr).toContain("Updated quota group staff (rules)");
  });

  it("gets no rule if another that it is to lose is not in it", async () => {
    const edit = ["group", "edit", "staff", "--add-rule", "all-1g", "--remove-rule", "git"];
    for (const line of [edit, [...edit, "--dry-run"]]) {
      const ran = await on(["rule view"], line);
      const said = "Rule git in quota group staff not found: nothing was changed";
      expect(ran).toMatchObject({ code: 5, writes: [], stderr: expect.stringContaining(said) });
    }
  });

  it("gets and loses users", async () => {
    expect((await on(["group users"], ["group", "user", "list", "staff", "--json", "login"])).json()).toEqual([
      { login: "alice" },
    ]);
    expect((await on(["group add user"], ["group", "user", "add", "staff", "alice"])).code).toBe(0);
    const again = await on(["group add user, again", "group users"], ["group", "user", "add", "staff", "alice"]);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("alice is already in quota group staff")]);
    const unknown = await on(["group add user, unknown"], ["group", "user", "add", "staff", "nobody"]);
    expect(unknown).toMatchObject({ code: 5, stderr: expect.stringContaining("User nobody not found") });
    expect((await on(["group remove user"], ["group", "user", "remove", "staff", "alice"])).code).toBe(0);
    const user = { ...made, "GET /api/v1/users/alice": { id: 2, login: "alice" } };
    const line = ["group", "user", "remove", "staff", "alice"];
    const none = await on(["group remove user, again", "group users, none"], line, user);
    expect([none.code, none.stderr]).toEqual([0, expect.stringContaining("alice is not in quota group staff")]);
  });
});

describe("quota view", () => {
  it("has what is used and allowed by subject", async () => {
    const ran = await on(["user quota (admin)"], ["view", "alice"]);
    expect(ran.stdout).toContain("groups\tstaff\nall\t0 B of 2.0 GiB\ngit:all\t0 B of 2.0 GiB for size:all\n");
  });

  it("says that no group limits you, or an organization", async () => {
    const own = await on(["own quota"], ["view"]);
    expect(own.stdout).toContain("groups\tnone: the default limit of the server applies\nall\t4.6 KiB\n");
    expect(own.stdout).toContain("\nassets:artifacts\t792 B\n");
    expect((await on(["org quota"], ["view", "--org", "acme", "--json", "groups"])).json()).toEqual({ groups: [] });
  });

  it("shows the limits of groups that have no names, as of yourself and of an organization", async () => {
    for (const [path, line] of [
      ["/api/v1/user/quota", []],
      ["/api/v1/orgs/acme/quota", ["--org", "acme"]],
    ] as const) {
      const ran = await on([], ["view", ...line], { [`GET ${path}`]: inUnnamedGroup });
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      expect(ran.stdout).toContain("groups\t1 (the server does not tell names)\nall\t76 KiB of 1 B\n");
      const check = await on([], ["check", "500", ...line], { [`GET ${path}`]: inUnnamedGroup });
      const said = "500 B does not fit; left: 0 B (1 B for size:all)";
      expect(check).toMatchObject({ code: 1, stderr: expect.stringContaining(said) });
      const json = await on([], ["view", "--json", "groups", ...line], { [`GET ${path}`]: inUnnamedGroup });
      expect(json.json()).toEqual({ groups: inUnnamedGroup.groups });
    }
  });

  it("says of an unknown user that there is none", async () => {
    const ran = await on(["user quota (admin), unknown"], ["view", "nobody"]);
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("User nobody not found") });
  });

  it("lists what uses the quota", async () => {
    const end = { "GET /api/v1/user/quota/artifacts": [], "GET /api/v1/orgs/acme/quota/artifacts": [] };
    expect((await on(["own quota artifacts"], ["artifact", "list"], end)).stdout).toBe("hello-zip\t132 B\n");
    const ofOrg = await on(["org quota artifacts"], ["artifact", "list", "--org", "acme"], end);
    expect(ofOrg.stdout).toBe("app-zip\t130 B\n");
    expect((await on(["own quota attachments"], ["attachment", "list", "--json"])).json()).toEqual([]);
    expect((await on(["own quota packages"], ["package", "list", "--json"])).json()).toEqual([]);
    const used = (label: string, kind: string) => on([label], [kind, "list", "--json"]);
    expect((await used("own quota attachments, one", "attachment")).json()).toMatchObject([{ name: "small.txt" }]);
    expect((await used("own quota packages, one", "package")).json()).toMatchObject([
      { name: "tide", type: "Generic" },
    ]);
    for (const kind of ["attachment", "package"]) {
      const none = { [`GET /api/v1/orgs/acme/quota/${kind}s`]: [{ name: "map.png", size: 2048 }] };
      expect((await on([], [kind, "list", "--org", "acme"], none)).stdout).toBe("map.png\t2.0 KiB\n");
    }
  });
});

describe("quota check", () => {
  it("asks the server where no size is given", async () => {
    expect((await on(["own quota check"], ["check"])).code).toBe(0);
    const org = ["check", "--org", "acme", "--subject", "size:repos:all"];
    expect((await on(["org quota check"], org)).code).toBe(0);
    const full = await on(["alice quota check"], ["check"]);
    expect(full).toMatchObject({ code: 1, stderr: expect.stringContaining("The quota is used up (size:all)") });
  });

  const rule = (limit: number, ...subjects: string[]) => ({ name: `${limit}`, limit, subjects });

  it.each([
    ["the size just fits", [rule(1000, "size:all")], ["900"], 0],
    ["a byte more does not", [rule(1000, "size:all")], ["901"], 1],
    ["a rule of the whole limits its parts", [rule(1000, "size:all")], ["901", "-s", "size:git:lfs"], 1],
    ["a rule of a part does not limit others", [rule(1, "size:git:lfs"), rule(-1, "size:all")], ["5G"], 0],
    ["all rules of a group count", [rule(-1, "size:all"), rule(50, "size:git:all")], ["51", "-s", "size:git:lfs"], 1],
    [
      "subjects of a rule count together",
      [rule(150, "size:git:lfs", "size:assets:artifacts")],
      ["51", "-s", "size:git:lfs"],
      1,
    ],
    ["without a rule nothing is allowed", [rule(1000, "size:git:lfs")], ["1", "-s", "size:assets:artifacts"], 1],
  ])("computes whether a size fits: %s", async (_case, rules, line, code) => {
    const ran = await within([{ name: "staff", rules }], ["check", ...line], { used: 100 });
    expect(ran, ran.stderr).toMatchObject({ code, lines: ["GET /api/v1/user/quota"] });
  });

  it("one group that allows it is enough", async () => {
    const groups = [10, 1000].map((limit) => ({ name: `g${limit}`, rules: [rule(limit, "size:all")] }));
    const ran = await within(groups, ["check", "500"]);
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("500 B fits; left: 1000 B (rule 1000:") });
  });

  it("without a group, only what the server says is known, which is said", async () => {
    const ran = await within([], ["check", "5G"], { check: false });
    const said = "No quota group limits you: the server's default applies, which it does not tell";
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(said) });
  });
});

it("a server without quotas, or that has turned them off, is told by name", async () => {
  const answers =
    (version: string): Handler =>
    ({ url }) =>
      url.endsWith("/version") ? { body: { version } } : unknownRoute;
  const run = async (version: string) => {
    const server = await serve(answers(version), { saysVersion: true });
    const ran = await tongs(["quota", "view"], { env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" } });
    await server.close();
    return ran;
  };
  const off = await run("16.0.0+gitea-1.22.0");
  expect(off).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("an administrator can turn it on: [quota] ENABLED"),
  });
  const old = await run("8.0.0+gitea-1.22.0");
  expect(old).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(/This needs Forgejo 9\.0; 127\.0\.0\.1:\d+ is 8\.0/),
  });
});
