import { describe, expect, it } from "vitest";
import { stackOf } from "../../../src/commands/pr/stack-chain.ts";
import { Interruption } from "../../../src/failure/interruption.ts";
import type { PullRequest } from "../../../src/forge/pulls.ts";
import { droppingProxy } from "../../support/dropping-proxy.ts";
import { killedAtEachRequest } from "../../support/killed.ts";
import { type OnSandbox, onSandbox } from "../on-sandbox.ts";

const at = (number: number, head: string, base: string, { fork = false, main = "main" } = {}) => {
  const repo = { default_branch: main, full_name: "mara/logs" };
  return {
    number,
    head: { ref: head, label: head, repo, repo_id: fork ? 2 : 1 },
    base: { ref: base, label: base, repo, repo_id: 1 },
  } as unknown as PullRequest;
};
const numbers = (pull: PullRequest, open: readonly PullRequest[]) => stackOf(pull, open).map(({ number }) => number);

describe("the stack of a pull request", () => {
  it("is what it is based on and what is based on it, from the bottom, and nothing beside it", () => {
    const [keel, mast, sail, other] = [
      at(1, "keel", "main"),
      at(2, "mast", "keel"),
      at(3, "sail", "mast"),
      at(4, "x", "main"),
    ];
    const all = [sail, other, mast, keel];
    for (const one of [keel, mast, sail]) expect(numbers(one, all)).toEqual([1, 2, 3]);
    expect(numbers(other, all)).toEqual([4]);
  });

  it("ends at bases that go round in a circle", () => {
    const circle = [at(1, "a", "b"), at(2, "b", "c"), at(3, "c", "a")];
    for (const one of circle) expect(numbers(one, circle).sort()).toEqual([1, 2, 3]);
  });

  it("is on no branch of a fork, and not on a pull request from the default branch", () => {
    const onFork = [at(1, "keel", "main", { fork: true }), at(2, "mast", "keel")];
    expect(numbers(onFork[1] as PullRequest, onFork)).toEqual([2]);
    const release = [at(1, "main", "release"), at(2, "keel", "main")];
    expect(numbers(release[1] as PullRequest, release)).toEqual([2]);
    expect(numbers(release[0] as PullRequest, release)).toEqual([1]);
  });
});

/** Each branch on the one before, with a pull request, in mara/logs. Returns the branches. */
async function openStack({ ask }: OnSandbox, branches: readonly string[]) {
  await ask("POST", "/user/repos", "mara", { name: "logs", auto_init: true, default_branch: "main" });
  for (const [index, name] of branches.slice(1).entries()) {
    const base = branches[index] ?? "";
    const file = { content: "eA==", message: name, branch: base, new_branch: name };
    await ask("POST", `/repos/mara/logs/contents/${name}.txt`, "mara", file);
    await ask("POST", "/repos/mara/logs/pulls", "mara", { title: name, head: name, base });
  }
  return branches;
}

it("pr merge --stack is resumed by the same line wherever it was killed, also after the last merge", async () => {
  const line = ["pr", "merge", "2", "--stack", "--style", "merge", "--delete-branch", "--yes", "-R", "mara/logs"];
  const kills = await killedAtEachRequest(line, async () => {
    const box = await onSandbox();
    await openStack(box, ["main", "a", "b", "c"]);
    return {
      ...box,
      world: { env: { TONGS_TOKEN: box.token("mara") } },
      async holds({ stderr }, { method, url }) {
        const pulls = (await box.ask("GET", "/repos/mara/logs/pulls?state=all&sort=oldest", "mara")).body;
        const states = (pulls as PullRequest[]).map(({ base, merged }) => `${base.ref} ${merged}`);
        expect(states, `${method} ${url}: ${stderr}`).toEqual(["main true", "main true", "main false"]);
        const found = await box.ask("GET", "/repos/mara/logs/branches/b", "mara");
        expect(found.status, `${method} ${url}: ${stderr}`).toBe(404);
      },
    };
  });
  expect(kills).toBeGreaterThan(10);
});

it("pr merge --stack that is interrupted right after a merge counts it, and names the branch that is left", async () => {
  const box = await onSandbox();
  await openStack(box, ["main", "a", "b", "c"]);
  const interruption = new AbortController();
  let isMerged = false;
  const proxy = await droppingProxy(box.url, {
    drops({ method, url = "" }) {
      if (isMerged && url.endsWith("/pulls/1")) interruption.abort(new Interruption("SIGINT"));
      isMerged ||= method === "POST" && url.endsWith("/pulls/1/merge");
      return false;
    },
  });
  const line = ["pr", "merge", "2", "--stack", "--style", "merge", "-d", "--yes", "-R", "mara/logs"];
  const world = { as: "mara", env: { TONGS_HOST: proxy.url }, signal: interruption.signal };
  const ran = await box.run(line, world);
  expect([ran.code, ran.stderr]).toEqual([130, expect.stringContaining("✓ Merged mara/logs#1 into main (merge)")]);
  expect(ran.stderr).toContain("Merged 1 of 2. When it can go on, run the same command again.\nNot deleted yet: a\n");
});

describe("tongs pr stack", () => {
  it("sends at most six requests for each pull request, with protected branches, too", async () => {
    const sandbox = await onSandbox();
    const { ask } = sandbox;
    const branches = await openStack(sandbox, ["main", "a", "b", "c"]);
    for (const rule_name of branches) {
      const rule = { rule_name, required_approvals: 1, enable_status_check: true, status_check_contexts: ["ci"] };
      expect((await ask("POST", "/repos/mara/logs/branch_protections", "mara", rule)).status).toBe(201);
    }
    const show = async () => {
      const before = sandbox.requests();
      const ran = await sandbox.run(["pr", "stack", "2", "-R", "mara/logs", "--json", "number,why"], { as: "mara" });
      expect(ran.json()).toEqual([1, 2, 3].map((number) => ({ number, why: "missing_approvals" })));
      return sandbox.requests() - before;
    };
    // For some time after a push, it is read again and again whether a pull request can be merged.
    await expect.poll(show).toBeLessThanOrEqual(3 * 6 + 2);
    const table = await sandbox.run(["pr", "stack", "2", "-R", "mara/logs"], { as: "mara" });
    expect(table.stdout).toContain("\tmissing approvals\n");
    const narrow = { as: "mara", terminal: true, columns: 50, env: { NO_COLOR: "1" } };
    const shown = (await sandbox.run(["pr", "stack", "2", "-R", "mara/logs"], narrow)).stdout;
    expect(shown).toMatch(/^ID {2}TITLE {2}.*WHY$/m);
    expect(shown.match(/missing approvals$/gm)).toHaveLength(3);
    for (const line of shown.split("\n")) expect(line.length).toBeLessThanOrEqual(50);
  });
});
