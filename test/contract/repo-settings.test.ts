import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { freshPublicKey } from "../support/ssh-key.ts";
import { emptyFolder } from "../support/tongs.ts";
import { openTarget, type Person } from "./support.ts";

const target = await openTarget();
let mara: Person;
let jonas: Person;
let buoy: string;

beforeAll(async () => {
  mara = await target.person("mara");
  jonas = await target.person("jonas");
  buoy = `${mara.login}/buoy`;
  await target.ask("POST", "/user/repos", { name: "buoy", auto_init: true, default_branch: "main" }, mara);
});

const words = async (person: Person, ...line: string[]) => (await person.tongs(line)).stdout.trim();

describe("settings of repositories", () => {
  it("are edited field by field, and what the server ignores is an error", async () => {
    const edited = await mara.tongs([
      ...["repo", "edit", buoy, "--description", "Marks the channel", "--website", "https://example.org"],
      ...["--no-allow-merge-commits", "--default-merge-style", "squash", "--no-has-wiki", "--template"],
      ...["--add-topic", "tides,sailing", "--json"],
    ]);
    expect([edited.code, edited.stderr]).toEqual([0, expect.stringContaining("allow_merge_commits")]);
    expect(edited.json()).toMatchObject({
      description: "Marks the channel",
      website: "https://example.org",
      allow_merge_commits: false,
      default_merge_style: "squash",
      has_wiki: false,
      template: true,
    });
    // Forgejo 7.0 leaves the topics out of the record.
    expect([undefined, ["sailing", "tides"]]).toContainEqual((edited.json() as { topics?: string[] }).topics);
    expect((await mara.tongs(["repo", "topic", "list", buoy, "--json"])).json()).toEqual(["sailing", "tides"]);
    const emptied = await mara.tongs(["repo", "edit", buoy, "--description", "", "--topic", "lamp", "--json"]);
    expect(emptied.json()).toMatchObject({ description: "", website: "https://example.org" });
    expect((await mara.tongs(["repo", "topic", "list", buoy, "--json"])).json()).toEqual(["lamp"]);
    const ignored = await mara.tongs(["repo", "edit", buoy, "--default-branch", "nowhere", "--description", "New"]);
    expect([ignored.code, ignored.stderr]).toEqual([1, expect.stringContaining("did not apply default_branch")]);
    expect(await words(mara, "repo", "view", buoy, "--jq", ".description")).toBe("New");
    expect((await mara.tongs(["repo", "edit", buoy])).code).toBe(2);
    expect((await jonas.tongs(["repo", "edit", buoy, "--description", "Mine"])).code).toBe(4);
    const id = await words(mara, "repo", "view", buoy, "--jq", ".id");
    expect(await words(mara, "repo", "view", "--id", id, "--jq", ".full_name")).toBe(buoy);
  });

  it("include topics, one by one", async () => {
    const on = ["-R", buoy];
    const added = await mara.tongs(["repo", "topic", "add", "Harbor", "-bad", ...on]);
    // A word that begins with a hyphen is read as a flag.
    expect(added.code).toBe(2);
    const some = await mara.tongs(["repo", "topic", "add", "-", ...on], { stdin: "Harbor\nnot good\nlight\n" });
    expect([some.code, some.stderr]).toEqual([11, expect.stringContaining("'not good' is not a valid topic")]);
    expect((await mara.tongs(["repo", "topic", "list", buoy, "--json"])).json()).toEqual(
      expect.arrayContaining(["harbor", "light"]),
    );
    const removed = await mara.tongs(["repo", "topic", "remove", "harbor", "fog", ...on]);
    expect([removed.code, removed.stderr]).toEqual([0, expect.stringContaining(`fog is not a topic of ${buoy}`)]);
    expect((await mara.tongs(["repo", "topic", "list", buoy])).stdout).not.toContain("harbor");
  });

  it("include collaborators with their permissions", async () => {
    const on = ["-R", buoy];
    const nobody = target.unique("nobody");
    const added = await mara.tongs(["repo", "collaborator", "add", jonas.login, nobody, "-p", "read", ...on]);
    expect([added.code, added.stderr]).toEqual([11, expect.stringContaining(`User ${nobody} not found`)]);
    expect(await words(mara, "repo", "collaborator", "list", buoy, "--jq", ".[].login")).toBe(jonas.login);
    const permission = ["repo", "collaborator", "permission", jonas.login, ...on, "--jq", ".permission"];
    expect(await words(mara, ...permission)).toBe("read");
    await mara.tongs(["repo", "collaborator", "add", jonas.login, "-p", "admin", ...on]);
    expect(await words(mara, ...permission)).toBe("admin");
    expect((await mara.tongs(["repo", "collaborator", "check", jonas.login, ...on])).code).toBe(0);
    expect((await mara.tongs(["repo", "collaborator", "remove", jonas.login, ...on])).code).toBe(0);
    expect((await mara.tongs(["repo", "collaborator", "check", jonas.login, ...on])).code).toBe(1);
    const unknown = await mara.tongs(["repo", "collaborator", "permission", nobody, ...on]);
    expect([unknown.code, unknown.stderr]).toEqual([5, expect.stringContaining(`User ${nobody} not found`)]);
  });

  it("include the archive and the name, whose old form leads to the new one", async () => {
    for (const name of ["quay", "slip"]) {
      await target.ask("POST", "/user/repos", { name, auto_init: true, default_branch: "main" }, mara);
    }
    const [quay, slip] = [`${mara.login}/quay`, `${mara.login}/slip`];
    const archived = await mara.tongs(["repo", "archive", quay, `${mara.login}/nowhere`]);
    expect(archived.code).toBe(11);
    expect(await words(mara, "repo", "view", quay, "--jq", ".archived")).toBe("true");
    expect((await mara.tongs(["repo", "unarchive", quay])).code).toBe(0);
    const taken = await mara.tongs(["repo", "rename", "slip", "-R", quay]);
    expect([taken.code, taken.stderr]).toEqual([9, expect.stringContaining(`Repository ${slip} already exists`)]);
    const same = await mara.tongs(["repo", "rename", "quay", "-R", quay]);
    expect([same.code, same.stderr]).toEqual([0, expect.stringMatching(/^No change: \S+ has this name\n$/)]);
    const renamed = await mara.tongs(["repo", "rename", "pier", "-R", quay]);
    expect([renamed.code, renamed.stderr]).toEqual([0, expect.stringContaining(`${quay} redirects to`)]);
    expect(await words(mara, "repo", "view", quay, "--jq", ".name")).toBe("pier");
    const again = await mara.tongs(["repo", "rename", "jetty", "-R", quay]);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining(`was renamed to ${mara.login}/pier`)]);
  });

  it("have forks, stargazers and languages", async () => {
    await jonas.tongs(["repo", "fork", buoy]);
    await jonas.tongs(["star", buoy]);
    expect(await words(mara, "repo", "forks", buoy, "--jq", ".[].owner.login")).toBe(jonas.login);
    expect(await words(mara, "repo", "stargazers", buoy, "--jq", ".[].login")).toBe(jonas.login);
    expect((await mara.tongs(["repo", "language", buoy, "--json"])).json()).toEqual({});
  });

  it("are brought up to date as forks, and conflicts are told", async () => {
    await mara.tongs(["repo", "create", "wharf", "--init"]);
    const [parent, fork] = [`${mara.login}/wharf`, `${jonas.login}/wharf`];
    await jonas.tongs(["repo", "fork", parent]);
    const put = (who: Person, path: string, text: string) =>
      who.tongs(["file", "put", path, "-", "-m", path, "-R", who === mara ? parent : fork], { stdin: text });
    const sync = (...flags: readonly string[]) => jonas.tongs(["repo", "sync", fork, ...flags, "--json"]);
    const first = await sync();
    if (first.code === 5) {
      expect(first.stderr).toContain("unknown_operation");
      return;
    }
    expect(first.json()).toEqual({ merge_type: "up-to-date" });
    await put(mara, "a.txt", "a\n");
    if (target.software === "gitea" && !target.isGitea("1.25.0")) {
      const refused = await sync("--ff-only");
      return expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining("This needs Gitea 1.25")]);
    }
    expect((await sync("--ff-only")).json()).toEqual({ merge_type: "fast-forward" });
    await put(jonas, "b.txt", "b\n");
    await put(mara, "c.txt", "c\n");
    const diverged = await sync("--ff-only");
    expect([diverged.code, diverged.stderr]).toEqual([9, expect.stringContaining("Cannot fast-forward")]);
    if (!target.has("POST", "/repos/{owner}/{repo}/merge-upstream")) {
      expect((await sync()).code).toBe(9);
      return;
    }
    expect((await sync()).json()).toEqual({ merge_type: "merge" });
    expect((await jonas.tongs(["file", "view", "c.txt", "-R", fork])).stdout).toBe("c\n");
    await put(jonas, "d.txt", "theirs\n");
    await put(mara, "d.txt", "ours\n");
    const conflict = await sync();
    expect([conflict.code, conflict.stderr]).toEqual([9, expect.stringContaining("conflict")]);
    expect((await sync("--branch", "no-such")).code).toBe(5);
    expect((await mara.tongs(["repo", "sync", parent])).code).toBe(9);
    expect((await mara.tongs(["repo", "sync", fork])).code).toBe(4);
  });

  it("are watched and unwatched, and have licenses where the server looks for them", async () => {
    expect((await jonas.tongs(["repo", "watch", buoy])).code).toBe(0);
    expect(await words(mara, "repo", "watchers", buoy, "--jq", ".[].login")).toContain(jonas.login);
    expect(await words(jonas, "repo", "list", "--watched", "--jq", ".[].full_name")).toContain(buoy);
    expect(await words(mara, "repo", "list", jonas.login, "--watched", "--jq", ".[].full_name")).toContain(buoy);
    expect((await jonas.tongs(["repo", "unwatch", buoy])).stderr).toContain(`Stopped watching ${buoy}`);
    expect((await jonas.tongs(["repo", "unwatch", buoy])).stderr).toContain(`You were not watching ${buoy}`);
    if (target.kind === "sandbox") return;
    const licenses = await mara.tongs(["repo", "license", buoy, "--json"]);
    expect(licenses.code).toBe(target.has("GET", "/repos/{owner}/{repo}/licenses") ? 0 : 5);
  });

  it("move to another owner, who accepts or rejects", async ({ skip }) => {
    if (target.kind === "sandbox") skip("the sandbox has no transfers");
    await target.ask("POST", "/user/repos", { name: "dinghy", auto_init: true, default_branch: "main" }, mara);
    const dinghy = `${mara.login}/dinghy`;
    const start = ["repo", "transfer", jonas.login, "-R", dinghy, "--yes"];
    const asked = await mara.tongs(start);
    expect([asked.code, asked.stderr]).toEqual([0, expect.stringContaining("Requested the transfer")]);
    const twice = await mara.tongs(start);
    expect([twice.code, twice.stderr]).toEqual([9, expect.stringContaining("is already pending")]);
    expect((await jonas.tongs(["repo", "transfer", "reject", dinghy])).code).toBe(0);
    const none = await jonas.tongs(["repo", "transfer", "reject", dinghy]);
    expect([none.code, none.stderr]).toEqual([5, expect.stringContaining(`No transfer of ${dinghy} is pending`)]);
    await mara.tongs(start);
    const accepted = await jonas.tongs(["repo", "transfer", "accept", dinghy]);
    expect([accepted.code, accepted.stdout]).toEqual([0, `${target.url}/${jonas.login}/dinghy\n`]);
    const org = target.unique("lighters");
    await jonas.tongs(["org", "create", org]);
    await jonas.tongs(["team", "create", `${org}/crew`]);
    const moved = await jonas.tongs([
      ...["repo", "transfer", org, "-R", `${jonas.login}/dinghy`, "--team", "crew", "--yes"],
    ]);
    expect([moved.code, moved.stderr]).toEqual([
      0,
      expect.stringContaining(`Transferred ${jonas.login}/dinghy to ${org}`),
    ]);
    expect((await jonas.tongs(["repo", "team", "check", "crew", "-R", `${org}/dinghy`])).code).toBe(0);
    const nobody = target.unique("nobody");
    const unknown = await jonas.tongs(["repo", "transfer", nobody, "-R", `${org}/dinghy`, "--yes"]);
    expect([unknown.code, unknown.stderr]).toEqual([5, expect.stringContaining(`organization ${nobody} not found`)]);
    await target.ask("DELETE", `/repos/${org}/dinghy`, undefined, jonas);
    await target.ask("DELETE", `/orgs/${org}`, undefined, jonas);
  });

  it("have deploy keys", async ({ skip }) => {
    if (target.kind === "sandbox") skip("the sandbox has no deploy keys");
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "ci.pub"), `${freshPublicKey()} ci\n`);
    const added = await mara.tongs(["repo", "deploy-key", "add", "ci.pub", "-R", buoy], { cwd });
    expect(added.code).toBe(0);
    const id = added.stdout.trim();
    const viewed = await mara.tongs(["repo", "deploy-key", "view", id, "-R", buoy, "--json"]);
    expect(viewed.json()).toMatchObject({ title: "ci", read_only: true });
    expect(await words(mara, "repo", "deploy-key", "list", buoy, "--jq", ".[].title")).toBe("ci");
    const again = await mara.tongs(["repo", "deploy-key", "add", "ci.pub", "-t", "two", "-R", buoy], { cwd });
    expect(again.code).toBe(13);
    const deleted = await mara.tongs(["repo", "deploy-key", "delete", id, "999999", "-R", buoy, "--yes"]);
    expect([deleted.code, deleted.stderr]).toEqual([11, expect.stringContaining("Deploy key 999999 not found")]);
  });

  it("have an avatar", async ({ skip }) => {
    if (target.kind === "sandbox") skip("the sandbox has no avatars");
    const image = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "anchor.png"), Buffer.from(image, "base64"));
    const address = () => words(mara, "repo", "view", buoy, "--jq", ".avatar_url");
    expect((await mara.tongs(["repo", "avatar", "set", "anchor.png", buoy], { cwd })).code).toBe(0);
    expect(await address()).toContain("/repo-avatars/");
    expect((await mara.tongs(["repo", "avatar", "delete", buoy, "--yes"])).code).toBe(0);
    expect(await address()).toBe("");
  });

  it("have push mirrors", async ({ skip }) => {
    if (target.kind === "sandbox") skip("the sandbox has no mirrors");
    const on = ["-R", buoy];
    const address = `${target.url}/${mara.login}/nowhere.git`;
    const added = await mara.tongs(
      ["repo", "mirror", "add", address, "--remote-username", "mara", "--remote-password-file", "-", ...on],
      { stdin: "not-a-secret\n" },
    );
    if (added.code === 13 && /mirror/i.test(added.stderr)) skip("the server does not allow mirrors");
    expect([added.code, added.stdout]).toEqual([0, expect.stringMatching(/^remote_mirror_/)]);
    const name = added.stdout.trim();
    expect(await words(mara, "repo", "mirror", "view", name, ...on, "--jq", ".remote_address")).toContain(
      "nowhere.git",
    );
    const synced = await mara.tongs(["repo", "mirror", "sync", buoy]);
    expect([synced.code, synced.stderr]).toEqual([1, expect.stringContaining("1 of 1 push mirrors")]);
    expect(synced.stderr + synced.stdout).not.toContain("not-a-secret");
    expect((await mara.tongs(["repo", "mirror", "list", buoy, "--jq", "length"])).stdout).toBe("1\n");
    const deleted = await mara.tongs(["repo", "mirror", "delete", name, "remote_mirror_none", ...on, "--yes"]);
    expect([deleted.code, deleted.stderr]).toEqual([11, expect.stringContaining("remote_mirror_none not found")]);
    expect((await mara.tongs(["repo", "mirror", "pull", buoy])).code).toBe(13);

    // One that works: an empty repository of the same account.
    await target.ask("POST", "/user/repos", { name: "echo" }, mara);
    const login = ["--remote-username", mara.login, "--remote-password-file", "-"];
    const echo = `${mara.login}/echo`;
    const second = ["repo", "mirror", "add", `${target.url}/${echo}.git`, ...login, ...on];
    expect((await mara.tongs(second, { stdin: mara.password })).code).toBe(0);
    const done = await mara.tongs(["repo", "mirror", "sync", buoy]);
    expect(done.code, done.stderr).toBe(0);
    const isEmpty = () => words(mara, "repo", "view", echo, "--jq", ".empty");
    await expect.poll(isEmpty, { interval: 500 }).toBe("false");
  });

  it("are copied: from a template, and from another server", async ({ skip }) => {
    if (target.kind === "sandbox") skip("the sandbox has no templates and migrations");
    await mara.tongs(["repo", "edit", buoy, "--template"]);
    const made = await mara.tongs(["repo", "generate", buoy, "tugboat", "--git-content", "--topics", "-d", "Tug"]);
    expect([made.code, made.stdout]).toEqual([0, `${target.url}/${mara.login}/tugboat\n`]);
    const twice = await mara.tongs(["repo", "generate", buoy, "tugboat"]);
    expect([twice.code, twice.stderr]).toEqual([9, expect.stringContaining("tugboat already exists")]);
    const none = await mara.tongs(["repo", "generate", `${mara.login}/tugboat`, "barge"]);
    expect([none.code, none.stderr]).toEqual([9, expect.stringContaining("is not a template")]);

    const address = `${target.url}/${buoy}.git`;
    const copied = await mara.tongs(["repo", "migrate", address, "--repo-name", "copy", "--description", "A copy"]);
    if (copied.code === 13 && /not allowed/.test(copied.stderr)) skip("the server does not migrate from itself");
    expect([copied.code, copied.stdout]).toEqual([0, `${target.url}/${mara.login}/copy\n`]);
    expect(await words(mara, "repo", "view", `${mara.login}/copy`, "--jq", ".empty")).toBe("false");
    const taken = await mara.tongs(["repo", "migrate", address, "--repo-name", "copy"]);
    expect([taken.code, taken.stderr]).toEqual([9, expect.stringContaining("copy already exists")]);
    const mirror = await mara.tongs(["repo", "migrate", address, "--repo-name", "twin", "--mirror"]);
    expect(mirror.code).toBe(0);
    expect((await mara.tongs(["repo", "mirror", "pull", `${mara.login}/twin`])).code).toBe(0);
  });
});
