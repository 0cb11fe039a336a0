import { beforeAll, describe, expect, it } from "vitest";
import { onSandbox } from "./on-sandbox.ts";

const sandbox = await onSandbox();
beforeAll(async () => {
  const post = (path: string, body: object) => sandbox.ask("POST", `/repos/mara/buoy${path}`, "mara", body);
  await sandbox.ask("POST", "/user/repos", "mara", { name: "buoy", auto_init: true });
  const workflow = "on: workflow_dispatch\njobs:\n  lamp:\n    runs-on: ubuntu-latest\n    steps: [{ run: true }]\n";
  for (const [branch, file, text] of [
    ["main", ".gitea/workflows/ci.yml", workflow],
    ["x", "x.txt", "x"],
    ["heads/x", "deep.txt", "deep"],
  ] as const) {
    await post("/branches", { new_branch_name: branch, old_ref_name: "main" });
    const content = Buffer.from(text).toString("base64");
    await post(`/contents/${file}`, { content, message: `Add ${file}`, branch });
  }
  // A tag of the name of a branch, at another commit.
  for (const [tag_name, target] of [
    ["v1", "x"],
    ["x", "main"],
  ])
    await post("/tags", { tag_name, target });
  await post("/releases", { tag_name: "v1", name: "One" });
  await post("/pulls", { head: "heads/x", base: "main", title: "Deep" });
});

const run = (line: readonly string[], stdin?: string) =>
  sandbox.run(line, { as: "mara", env: { TONGS_REPO: "mara/buoy" }, ...(stdin === undefined ? {} : { stdin }) });

/** Prints what the lines print; fails unless each succeeds. */
async function printed(...lines: string[]): Promise<string[]> {
  const all: string[] = [];
  for (const line of lines) {
    const { code, stdout, stderr } = await run(line.split(" "));
    all.push(code === 0 ? stdout.trim() : stderr);
  }
  return all;
}

describe("names of branches and tags", () => {
  it("can be full refs, as CI has them, wherever one is named", async () => {
    const commits = "--jq .[].commit.message";
    expect(
      await printed(
        "branch view refs/heads/x --jq .name",
        "branch view refs/heads/heads/x --jq .name",
        "release view refs/tags/v1 --jq .name",
        "tag view tags/v1 --jq .name",
        "pr create --head refs/heads/x -B heads/main -t X -b X --jq .number",
        "pr list --head mara:refs/heads/x --jq .[].number",
        "pr list --head refs/heads/heads/x --jq .[].number",
        "pr view refs/heads/x --jq .number",
        `commit list refs/heads/x --limit 1 ${commits}`,
        `commit list tags/x --limit 1 ${commits}`,
        "compare refs/heads/main...refs/heads/heads/x --jq .total_commits",
        "compare tags/v1..heads/main --jq .total_commits",
        "file list --ref refs/heads/x --jq .[].name",
        "file view x.txt --ref heads/x",
        "branch create refs/heads/y heads/x --jq .commit.message",
        "branch create y2 refs/tags/x --jq .commit.message",
        "tag create refs/tags/v2 refs/heads/x --jq .name",
        "release create tags/v3 --target refs/heads/x --notes three --jq .tag_name",
        "commit view refs/heads/x --jq .commit.message",
        "repo edit --default-branch refs/heads/main --jq .default_branch",
      ),
    ).toEqual(
      "x|heads/x|One|v1|2|2|1|2|Add x.txt|Add .gitea/workflows/ci.yml|1|0|.gitea\nREADME.md\nx.txt|x|Add x.txt|Add .gitea/workflows/ci.yml|v2|v3|Add x.txt|main".split(
        "|",
      ),
    );
  });

  it("can be full refs where runs are selected and started", async () => {
    await run(["workflow", "run", "ci.yml", "--ref", "refs/heads/main"]);
    expect(await printed("run list --branch refs/heads/main --jq .[].head_branch")).toEqual(["main"]);
    expect(await printed("run view refs/heads/main --jq .head_branch")).toEqual(["main"]);
  });

  it("of branch protections can be full refs, and a full ref of another kind creates nothing", async () => {
    expect(
      await printed(
        "branch protection create refs/heads/cc --jq .rule_name",
        "branch protection view refs/heads/cc --jq .rule_name",
        "branch protection delete refs/heads/cc --yes --jq .[].result",
      ),
    ).toEqual(["cc", "cc", "deleted"]);
    for (const line of [
      ["branch", "create", "refs/tags/zz"],
      ["tag", "create", "refs/heads/zz"],
      ["release", "create", "refs/heads/zz", "--notes", "x"],
    ]) {
      const { code, stderr } = await run(line);
      expect([code, stderr]).toEqual([2, expect.stringContaining("is the full name of a")]);
    }
  });

  it("are those that lists print on stdin, and of what is deleted", async () => {
    const names = async () => (await run(["branch", "list", "--jq", ".[].name"])).stdout;
    await run(["branch", "create", "refs/heads/heads/y"]);
    expect((await run(["branch", "rename", "heads/y", "heads/z"])).code).toBe(0);
    expect(await names()).toMatch(/^y$/m);
    expect((await run(["branch", "rename", "z", "refs/heads/heads/y"])).code).toBe(0);
    expect((await run(["branch", "delete", "heads/y", "--yes"])).code).toBe(0);
    expect(await names()).not.toContain("heads/y\n");
    const { code, stderr } = await run(["branch", "delete", "-", "--yes"], "refs/heads/y\nheads/y\ny2\n");
    // They are deleted at the same time, and each is said when it is done.
    const deleted = stderr.match(/Deleted branch \S+/g)?.toSorted();
    expect([code, deleted]).toEqual([11, ["Deleted branch y", "Deleted branch y2"]]);
  });
});
