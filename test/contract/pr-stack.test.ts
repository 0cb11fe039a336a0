import { beforeAll, describe, expect, it } from "vitest";
import { type Checkout, cloneOf } from "./checkout.ts";
import { openTarget, type Person } from "./support.ts";

const target = await openTarget();
let mara: Person;
let repo: string;
let clone: Checkout;

beforeAll(async () => {
  mara = await target.person("mara");
  repo = `${mara.login}/masts`;
  await target.ask("POST", "/user/repos", { name: "masts", auto_init: true, default_branch: "main" }, mara);
  clone = await cloneOf(target, mara, repo);
});

/** A branch with a commit, on top of the current one, and its pull request. */
async function stacked(branch: string) {
  await clone.git("switch", "-q", "-c", branch);
  await clone.commit(`Add ${branch}`, { [`${branch}.txt`]: `${branch}\n` });
  const ran = await clone.tongs(["pr", "create", "--stack", "--fill", "--push"]);
  expect(ran.code, ran.stderr).toBe(0);
  return ran.stderr;
}

describe("a stack of pull requests", () => {
  it("is made by pr create --stack, each on the branch of the one that it is built on", async () => {
    expect(await stacked("keel")).toContain(
      "keel has the commits of no open pull request with a branch here: the base is main",
    );
    expect(await stacked("mast")).toContain(`mast is stacked on ${repo}#1 (keel)`);
    expect(await stacked("sail")).toContain(`(mast)`);
    await clone.git("switch", "-q", "mast");
    expect(await stacked("flag")).toContain(`(mast)`);
    await clone.git("switch", "-q", "--detach", "main");
    await clone.git("switch", "-q", "-c", "other");
    expect(await stacked("other-pull")).toContain("the base is main");
    const pulls = (await target.ask("GET", `/repos/${repo}/pulls?state=open`, undefined, mara)) as {
      readonly number: number;
      readonly base: { readonly ref: string };
    }[];
    const bases = Object.fromEntries(pulls.map(({ number, base }) => [number, base.ref]));
    expect(bases).toEqual({ 1: "main", 2: "keel", 3: "mast", 4: "mast", 5: "main" });
  });

  it("is not based on a pull request whose branch is elsewhere, and says so", async (test) => {
    if (target.kind === "sandbox") return test.skip("the sandbox takes no pushes to refs/for");
    const jonas = await target.person("jonas");
    const reader = await cloneOf(target, jonas, repo);
    await reader.git("switch", "-q", "-c", "lamp");
    await reader.commit("Add lamp", { "lamp.txt": "x\n" });
    const lamp = await reader.tongs(["pr", "create", "--agit", "--fill", "--json", "number"]);
    const { number } = lamp.json() as { readonly number: number };
    await clone.git("fetch", "-q", "origin", `refs/pull/${number}/head`);
    await clone.git("switch", "-q", "-c", "wick", "FETCH_HEAD");
    await clone.commit("Add wick", { "wick.txt": "x\n" });
    const made = await clone.tongs(["pr", "create", "--stack", "--fill", "--push"]);
    expect(made.stderr).toContain("with a branch here: the base is main");
    await clone.tongs(["pr", "close", "6", "7"]);
  });

  it("is shown from the bottom, with checks and why each cannot be merged, from any of them", async () => {
    await clone.tongs(["commit", "status", "set", "mast", "--state", "failure", "--context", "ci/build"]);
    await clone.tongs(["pr", "ready", "3", "--undo"]);
    for (const selected of ["1", "4", "sail"]) {
      const ran = await clone.tongs(["pr", "stack", selected, "--json", "number,base.ref,checks"]);
      expect(ran.code, ran.stderr).toBe(0);
      expect((ran.json() as { number: number }[]).map(({ number }) => number)).toEqual(
        expect.arrayContaining([1, 2, 3, 4]),
      );
    }
    const shown = await clone.tongs(["pr", "stack", "1", "--json"]);
    const rows = shown.json() as { number: number; why: string; checks: string }[];
    expect(rows.map(({ number }) => number).slice(0, 2)).toEqual([1, 2]);
    expect(rows.find(({ number }) => number === 3)).toMatchObject({ why: "draft" });
    expect(rows.find(({ number }) => number === 2)?.checks).toContain("failed");
    await clone.git("switch", "-q", "keel");
    expect((await clone.tongs(["pr", "stack"])).stdout).toMatch(/^1\tAdd keel\tkeel\tmain\topen\t/);
    expect((await clone.tongs(["pr", "stack", "5", "--jq", ".[].number"])).stdout).toBe("5\n");
  });

  it("has no closed ones, and is not made where the branch is not known", async () => {
    await clone.tongs(["pr", "close", "5"]);
    expect(await clone.tongs(["pr", "stack", "5"])).toMatchObject({ code: 9 });
    const line = ["pr", "create", "--stack", "--fill", "--head", "unknown"];
    expect(await clone.tongs(line)).toMatchObject({ code: 2, stderr: expect.stringContaining("not in this clone") });
    expect((await clone.tongs(["pr", "create", "--stack", "--base", "main", "--fill"])).code).toBe(2);
    expect((await clone.tongs(["pr", "create", "--agit", "--fill", "--topic", "a\nb"])).code).toBe(2);
  });
});
