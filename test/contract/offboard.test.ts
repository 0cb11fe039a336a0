import { writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { droppingProxy } from "../support/dropping-proxy.ts";
import { emptyFolder, type World } from "../support/tongs.ts";
import { openTarget, type Person } from "./support.ts";

const target = await openTarget();
let heir: Person;
const run = (line: readonly string[], world?: World) => target.admin.tongs(["user", "offboard", ...line], world);

/** Somebody who has a key, a private repository with an assigned issue, a team and a review request. */
interface Leaver extends Person {
  readonly org: string;
}

beforeAll(async () => {
  heir = await target.person("heir");
});
const isServer = () => target.kind === "server";

async function publicKey(): Promise<string> {
  const { publicKey: made } = await import("node:crypto").then(({ generateKeyPairSync }) =>
    generateKeyPairSync("ed25519"),
  );
  const raw = made.export({ format: "der", type: "spki" }).subarray(-32);
  const field = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  return `ssh-ed25519 ${Buffer.concat([field(Buffer.from("ssh-ed25519")), field(raw)]).toString("base64")}`;
}

async function leaver(name: string): Promise<Leaver> {
  const person = await target.person(name);
  const org = target.unique(`${name}-org`);
  await target.ask("POST", "/orgs", { username: org });
  const teams = (await target.ask("GET", `/orgs/${org}/teams`)) as { id: number }[];
  // Owners, as everybody there.
  for (const login of [person.login, heir.login]) await target.ask("PUT", `/teams/${teams[0]?.id}/members/${login}`);
  await target.ask("POST", `/orgs/${org}/repos`, { name: "dock", auto_init: true, private: true });
  await target.ask("PUT", `/repos/${org}/dock/collaborators/${person.login}`, { permission: "write" });
  await target.ask("POST", `/repos/${org}/dock/issues`, { title: "Assigned", assignees: [person.login] });
  await target.ask("POST", `/repos/${org}/dock/contents/a.txt`, { content: "YQ==", message: "a", new_branch: "topic" });
  await target.ask("POST", `/repos/${org}/dock/pulls`, { title: "Reviewed", head: "topic", base: "main" });
  await target.ask("POST", `/repos/${org}/dock/pulls/2/requested_reviewers`, { reviewers: [person.login] });
  // The sandbox transfers no repositories.
  if (isServer()) {
    await target.ask("POST", "/user/repos", { name: `${name}-boat`, auto_init: true, private: true }, person);
    await target.ask(
      "POST",
      `/repos/${person.login}/${name}-boat/issues`,
      { title: "Own", assignees: [person.login] },
      person,
    );
  }
  await target.ask("POST", "/user/keys", { title: "laptop", key: await publicKey() }, person);
  return { ...person, org };
}

const logins = (users: unknown) => ((users ?? []) as { login: string }[]).map(({ login }) => login);

describe("user offboard", () => {
  it("shows the plan and changes nothing, then does all of it once", async () => {
    const { login, org } = await leaver("walker");
    const plan = await run([login, "--to", heir.login, "--plan", "--json", "step,target,action"]);
    expect(plan).toMatchObject({ code: 0 });
    const steps = plan.json() as { step: string; target?: string; action: string }[];
    expect(new Set(steps.map(({ action }) => action))).toEqual(new Set(["plan"]));
    const hasTokens =
      target.has("GET", "/admin/users/{username}/tokens") && target.software === "forgejo" && target.kind === "server";
    const names = steps.map(({ step }) => step).filter((step) => step !== "token");
    const expected = isServer()
      ? ["block", "key", "grant", "issue", "issue", "review", "repository", "collaborator", "organization"]
      : ["block", "key", "issue", "review", "collaborator", "organization"];
    expect(names).toEqual(expected);
    if (hasTokens) expect(steps.map(({ step }) => step)).toContain("token");
    expect(await target.ask("GET", `/users/${login}`)).toMatchObject({ prohibit_login: false });

    const cwd = emptyFolder();
    const ran = await run([login.toUpperCase(), "--to", heir.login, "--yes", "--json", "step,action,reason"], { cwd });
    expect(ran).toMatchObject({ code: 0 });
    expect((ran.json() as typeof steps).map(({ action }) => action)).toEqual(steps.map(() => "done"));
    expect(await target.ask("GET", `/users/${login}`)).toMatchObject({ prohibit_login: true });
    expect(await target.ask("GET", `/users/${login}/keys`)).toEqual([]);
    expect(await target.ask("GET", `/users/${login}/orgs`)).toEqual([]);
    const issue = (await target.ask("GET", `/repos/${org}/dock/issues/1`)) as { assignees: unknown };
    expect(logins(issue.assignees)).toEqual([heir.login]);
    if (isServer()) {
      const boat = `/repos/${heir.login}/walker-boat`;
      expect(await target.ask("GET", boat)).toMatchObject({ owner: { login: heir.login } });
      const { assignees } = (await target.ask("GET", `${boat}/issues/1`)) as { assignees: unknown };
      expect(logins(assignees)).toEqual([heir.login]);
    }
    const pull = (await target.ask("GET", `/repos/${org}/dock/pulls/2`)) as { requested_reviewers: unknown };
    expect(logins(pull.requested_reviewers)).toEqual([heir.login]);

    const again = await run([login, "--to", heir.login, "--yes", "--json"], { cwd });
    expect(again).toMatchObject({ code: 0 });
    expect(again.json()).toEqual([]);
  });

  it("stops the last owner of an organization, names it first, and deletes who may go", async () => {
    const [stays, goes] = [await target.person("stays"), await target.person("goes")];
    const org = target.unique("alone");
    await target.ask("POST", "/orgs", { username: org }, stays);
    const cwd = emptyFolder();
    const file = join(cwd, "leavers.yml");
    const row = ({ login }: Person) => `  ${login}: {email: ${login}@example.org}\n`;
    writeFileSync(file, `delete: true\nusers:\n${row(goes)}${row(stays)}`);
    const plan = await run(["--file", file, "--plan", "--json"], { cwd });
    expect(plan).toMatchObject({ code: 11 });
    const reason = expect.stringContaining(`last owner of ${org}`);
    expect((plan.json() as unknown[])[0]).toEqual({ user: stays.login, step: "stop", action: "stopped", reason });
    const ran = await run(["--file", file, "--yes"], { cwd });
    expect(ran).toMatchObject({ code: 11, stderr: expect.stringContaining(`last owner of ${org}`) });
    expect(await target.ask("GET", `/users/${stays.login}`)).toMatchObject({ prohibit_login: false });
    await expect(target.ask("GET", `/users/${goes.login}`)).rejects.toThrow("404");
    const alone = await run([stays.login, "--yes"], { cwd: emptyFolder() });
    expect(alone).toMatchObject({ code: 9 });
    // Another owner comes, and the rest is done.
    const teams = (await target.ask("GET", `/orgs/${org}/teams`)) as { id: number }[];
    await target.ask("PUT", `/teams/${teams[0]?.id}/members/${heir.login}`);
    const resumed = await run(["--file", file, "--yes"], { cwd });
    expect(resumed).toMatchObject({ code: 0 });
    await expect(target.ask("GET", `/users/${stays.login}`)).rejects.toThrow("404");
    await target.ask("DELETE", `/orgs/${org}`);
  });

  it("takes no renamed account for one that an earlier run deleted", async () => {
    const { login } = await target.person("before");
    const now = target.unique("after");
    const { id } = (await target.ask("GET", `/users/${login}`)) as { id: number };
    await target.ask("POST", `/admin/users/${login}/rename`, { new_username: now });
    const cwd = emptyFolder();
    const file = join(cwd, "leavers.yml");
    const offboard = (row: string) => {
      writeFileSync(file, `delete: true\nusers: {${target.unique("mistyped")}: ${row}}`);
      return run(["--file", file, "--yes"], { cwd });
    };
    const rows = [`{id: ${id}}`, `{email: ${login}@example.org}`];
    const isRenamed = { code: 2, stderr: expect.stringContaining(`is named ${now} now`) };
    for (const row of rows) expect(await offboard(row), row).toMatchObject(isRenamed);
    // The sandbox does not redirect from old names.
    if (isServer()) expect(await run([login, "--delete", "--yes"], { cwd })).toMatchObject(isRenamed);
    await target.ask("DELETE", `/admin/users/${now}`);
    for (const row of rows) expect(await offboard(row), row).toMatchObject({ code: 0 });
    expect(await run([login, "--delete", "--yes"], { cwd })).toMatchObject({ code: 5 });
  });

  it("takes collaborators out of a repository that is handed over meanwhile, and whose owner is deleted", async ({
    skip,
  }) => {
    if (!isServer()) skip("the sandbox transfers no repositories");
    const [owner, one, other] = [await target.person("own"), await target.person("one"), await target.person("other")];
    await target.ask("POST", "/user/repos", { name: "own-boat", auto_init: true, private: true }, owner);
    for (const { login } of [one, other]) {
      const path = `/repos/${owner.login}/own-boat/collaborators/${login}`;
      await target.ask("PUT", path, { permission: "admin" }, owner);
    }
    const cwd = emptyFolder();
    const file = join(cwd, "leavers.yml");
    const row = ({ login }: Person, more = "") => `  ${login}: {email: ${login}@example.org${more}}\n`;
    const all = `${row(owner, ", delete: true")}${row(one)}${row(other)}`;
    writeFileSync(file, `to: ${heir.login}\nusers:\n${all}`);
    const ran = await run(["--file", file, "--yes"], { cwd });
    // A step between the transfer and the deletion can find the repository at neither name.
    if (ran.code === 11) {
      const resumed = await run(["--file", file, "--yes"], { cwd });
      expect(resumed.code, resumed.stderr).toBe(0);
    } else expect(ran.code, ran.stderr).toBe(0);
    expect(logins(await target.ask("GET", `/repos/${heir.login}/own-boat/collaborators`))).toEqual([]);
    await expect(target.ask("GET", `/users/${owner.login}`)).rejects.toThrow("404");
  });

  it("hands nothing over to somebody who cannot read it, and says how they can", async () => {
    const person = await target.person("closed");
    const org = target.unique("closed-org");
    await target.ask("POST", "/orgs", { username: org });
    await target.ask("POST", `/orgs/${org}/repos`, { name: "dock", auto_init: true, private: true });
    await target.ask("PUT", `/repos/${org}/dock/collaborators/${person.login}`, { permission: "write" });
    await target.ask("POST", `/repos/${org}/dock/issues`, { title: "Assigned", assignees: [person.login] });
    const line = [person.login, "--to", heir.login];
    const plan = await run([...line, "--plan", "--json", "reason"]);
    const add = `tongs repo collaborator add ${heir.login} -R ${org}/dock --permission read`;
    expect(plan.code).toBe(9);
    expect((plan.json() as { reason: string }[])[0]?.reason).toContain(`run ${add}`);
    const issue = (): Promise<unknown> => target.ask("GET", `/repos/${org}/dock/issues/1`);
    expect(logins(((await issue()) as { assignees: unknown }).assignees)).toEqual([person.login]);
    // Nor does the command for one issue lose the assignee.
    if (isServer()) {
      const edit = ["--add-assignee", heir.login, "--remove-assignee", person.login];
      expect((await target.admin.tongs(["issue", "edit", "1", "-R", `${org}/dock`, ...edit])).code).not.toBe(0);
      expect(logins(((await issue()) as { assignees: unknown }).assignees)).toEqual([person.login]);
    }
    expect((await target.admin.tongs(add.split(" ").slice(1))).code).toBe(0);
    expect(await run([...line, "--yes"], { cwd: emptyFolder() })).toMatchObject({ code: 0 });
    expect(logins(((await issue()) as { assignees: unknown }).assignees)).toEqual([heir.login]);
    expect(await target.ask("GET", `/repos/${org}/dock/collaborators`)).toMatchObject([{ login: heir.login }]);
  });

  it("names what is wrong in the file, and sends nothing", async () => {
    const cwd = emptyFolder();
    const file = join(cwd, "leavers.yml");
    writeFileSync(
      file,
      `users:\n  ${target.unique("nobody")}: {}\n  ${target.admin.login}: {to: ${target.unique("none")}}\n`,
    );
    const ran = await run(["--file", file, "--plan"], { cwd });
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toMatch(/leavers\.yml:2:3: .*is no user of the server/);
    expect(ran.stderr).toMatch(/leavers\.yml:3:3: .*is the account that you are signed in with/);
    expect(ran.stderr).toMatch(/leavers\.yml:3:3: .*who is no user or organization of the server/);
  });

  it("ends well through a proxy that drops every fifth answer", async () => {
    const proxy = await droppingProxy(target.url);
    const names = ["ebb", "flow", "neap", "spring"];
    const people = [];
    for (const name of names) people.push(await leaver(name));
    const cwd = emptyFolder();
    const env = { TONGS_HOST: proxy.url };
    const file = join(cwd, "leavers.yml");
    const rows = people.map(({ login }) => `  ${login}: {email: ${login}@example.org}\n`);
    writeFileSync(file, `to: ${heir.login}\nusers:\n${rows.join("")}`);
    let ran = await run(["--file", file, "--yes"], { cwd, env });
    for (let runs = 0; ran.code !== 0 && runs < 20; runs += 1) {
      expect([6, 7, 11], ran.stderr).toContain(ran.code);
      ran = await run(["--file", file, "--yes"], { cwd, env });
    }
    expect(ran.code, ran.stderr).toBe(0);
    for (const { login, org } of people) {
      expect(await target.ask("GET", `/users/${login}`)).toMatchObject({ prohibit_login: true });
      expect(await target.ask("GET", `/users/${login}/keys`)).toEqual([]);
      expect(await target.ask("GET", `/users/${login}/orgs`)).toEqual([]);
      const issue = (await target.ask("GET", `/repos/${org}/dock/issues/1`)) as { assignees: unknown };
      expect(logins(issue.assignees)).toEqual([heir.login]);
      const pull = (await target.ask("GET", `/repos/${org}/dock/pulls/2`)) as { requested_reviewers: unknown };
      expect(logins(pull.requested_reviewers)).toEqual([heir.login]);
      if (isServer()) expect(await target.ask("GET", `/users/${login}/repos`)).toEqual([]);
    }
  });

  it("goes on where the answer to an assignment is lost each time", async () => {
    const isAssignment = ({ method, url = "" }: IncomingMessage) =>
      method !== "GET" && /\/issues\/\d+(\/assignees)?$/.test(url);
    const proxy = await droppingProxy(target.url, { drops: isAssignment });
    const { login, org } = await leaver("slack");
    const cwd = emptyFolder();
    const env = { TONGS_HOST: proxy.url };
    const line = [login, "--to", heir.login, "--yes"];
    let ran = await run(line, { cwd, env });
    for (let runs = 0; ran.code !== 0 && runs < 5; runs += 1) ran = await run(line, { cwd, env });
    expect(ran.code, ran.stderr).toBe(0);
    const issue = (await target.ask("GET", `/repos/${org}/dock/issues/1`)) as { assignees: unknown };
    expect(logins(issue.assignees)).toEqual([heir.login]);
  });
});
