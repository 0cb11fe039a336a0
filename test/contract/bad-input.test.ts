import { beforeAll, describe, expect, it } from "vitest";
import type { Ran } from "../support/tongs.ts";
import { openTarget, type Person } from "./support.ts";

const target = await openTarget();
let mara: Person;
let repo: string;

beforeAll(async () => {
  mara = await target.person("mara");
  repo = await newRepo("wreck");
});

/** A repository with a branch `side`, that has a commit of its own, and two issues. */
async function newRepo(name: string): Promise<string> {
  await target.ask("POST", "/user/repos", { name, auto_init: true, default_branch: "main" }, mara);
  const path = `${mara.login}/${name}`;
  const change = {
    content: Buffer.from("a\n").toString("base64"),
    message: "Side",
    branch: "main",
    new_branch: "side",
  };
  await target.ask("POST", `/repos/${path}/contents/side.txt`, change, mara);
  for (const title of ["One", "Two"]) await target.ask("POST", `/repos/${path}/issues`, { title }, mara);
  return path;
}

const on = (line: readonly string[], where = repo, stdin = ""): Promise<Ran> =>
  mara.tongs(line, { env: { TONGS_REPO: where }, stdin });

describe("an archived repository", () => {
  let archived: string;
  beforeAll(async () => {
    archived = await newRepo("museum");
    await target.ask("PATCH", `/repos/${archived}`, { archived: true }, mara);
  });

  it.each([
    ["issue", "create", "--title", "Three"],
    ["issue", "comment", "1", "--body", "Late"],
    ["issue", "dependency", "add", "1", "2"],
    ["pr", "create", "--head", "side", "--base", "main", "--title", "Late"],
    ["branch", "create", "late"],
    ["branch", "delete", "side", "--yes"],
    ["branch", "protection", "create", "main"],
    ["tag", "create", "late"],
    ["tag", "protection", "create", "v*", "--whitelist-usernames", "mara"],
    ["file", "put", "late.txt", "-", "-m", "Late"],
    ["file", "delete", "side.txt", "--branch", "side", "-m", "Late", "--yes"],
  ])("refuses %s %s with 9, and says why", async (...line) => {
    // Issues of the sandbox depend on no others.
    if (target.kind === "sandbox" && line[1] === "dependency") return;
    const named = line.map((word) => (word === "mara" ? mara.login : word));
    const ran = await on(named, archived, "late\n");
    if (line[0] === "tag" && line[1] === "protection" && !target.has("POST", "/repos/{owner}/{repo}/tag_protections")) {
      expect([ran.code, ran.stdout, ran.stderr]).toEqual([
        5,
        "",
        expect.stringContaining("Gitea 1.23 and Forgejo 8.0"),
      ]);
      return;
    }
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([9, "", expect.stringMatching(/archived/i)]);
  });

  it("is read as any other", async () => {
    expect((await on(["issue", "list", "--jq", "length"], archived)).stdout).toBe("2\n");
    expect((await on(["file", "view", "README.md"], archived)).code).toBe(0);
  });
});

describe("a renamed repository", () => {
  it("is found by its old name, with the query and for writes, too", async () => {
    const old = await newRepo("sloop");
    await target.ask("PATCH", `/repos/${old}`, { name: "cutter" }, mara);
    await target.ask("PATCH", `/repos/${mara.login}/cutter/issues/2`, { state: "closed" }, mara);
    const closed = await on(["issue", "list", "--state", "closed", "--json", "title"], old);
    expect([closed.code, closed.json()]).toEqual([0, [{ title: "Two" }]]);
    const made = await on(["issue", "create", "--title", "Three", "--json", "number"], old);
    expect([made.code, made.json()]).toEqual([0, { number: 3 }]);
    expect((await on(["issue", "close", "3"], old)).code).toBe(0);
  });
});

describe("a branch that was deleted", () => {
  it("is not found, by any command that takes one", async () => {
    await target.ask("DELETE", `/repos/${repo}/branches/side`, undefined, mara);
    for (const line of [
      ["branch", "view", "side"],
      ["branch", "create", "again", "side"],
      ["branch", "delete", "side", "--yes"],
      ["commit", "list", "side"],
      ["commit", "view", "side"],
      ["file", "list", "--ref", "side"],
      ["file", "view", "side.txt", "--ref", "side"],
      ["compare", "main...side"],
      ["release", "create", "v1", "--target", "side", "--notes", "x"],
      ["tag", "create", "v1", "side"],
    ]) {
      const ran = await on(line);
      expect([line.join(" "), ran.code, ran.stdout]).toEqual([line.join(" "), 5, ""]);
    }
    expect((await on(["release", "list", "--json"])).json()).toEqual([]);
    expect((await on(["tag", "list", "--json"])).json()).toEqual([]);
  });
});

describe("a name that does not exist", () => {
  it.each([
    ["--label", "no-such-label"],
    ["--milestone", "no-such-milestone"],
    ["--assignee", "no-such-user"],
  ])("is an error for %s, and nothing is created or changed", async (flag, name) => {
    const created = await on(["issue", "create", "--title", "Never", flag, name]);
    expect([created.code, created.stdout, created.stderr]).toEqual([13, "", expect.stringContaining(`'${name}'`)]);
    const [add, remove] =
      flag === "--milestone" ? [flag] : [flag.replace("--", "--add-"), flag.replace("--", "--remove-")];
    for (const edit of [add, flag === "--label" ? remove : undefined]) {
      if (edit === undefined) continue;
      const edited = await on(["issue", "edit", "1", "--title", "Never", edit, name]);
      expect([edited.code, edited.stderr]).toEqual([13, expect.stringContaining(`'${name}'`)]);
    }
    expect((await on(["issue", "list", "--state", "all", "--jq", "map(.title)"])).json()).toEqual(["Two", "One"]);
  });

  it("is an error for an issue, a comment, a repository and an owner", async () => {
    for (const line of [
      ["issue", "view", "999"],
      ["issue", "close", "999"],
      ["issue", "edit", "999", "--title", "x"],
      ["issue", "comment", "999", "--body", "x"],
      ["issue", "pin", "999"],
      ["issue", "dependency", "list", "999"],
      ["issue", "block", "add", "1", "999"],
      ["comment", "view", "999999"],
      ["label", "edit", "no-such", "--color", "ff0000"],
      ["label", "delete", "no-such", "--yes"],
      ["milestone", "view", "no-such"],
      ["milestone", "close", "no-such"],
      ["release", "view", "no-such"],
      ["release", "download", "no-such"],
      ["tag", "view", "no-such"],
      ["tag", "delete", "no-such", "--yes"],
      ["branch", "protection", "view", "no-such"],
      ["tag", "protection", "view", "no-such"],
      ["file", "view", "no-such.txt"],
      ["file", "get", "no-such.txt"],
      ["file", "delete", "no-such.txt", "-m", "x", "--yes"],
      ["issue", "list", "-R", `${mara.login}/no-such`],
    ]) {
      const ran = await on(line);
      expect([line.join(" "), ran.code, ran.stdout]).toEqual([line.join(" "), 5, ""]);
    }
  });
});
