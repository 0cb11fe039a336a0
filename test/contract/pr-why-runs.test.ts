import { beforeAll, describe, expect, it } from "vitest";
import { openStage, type Stage } from "./actions-stage.ts";
import { targetLacks } from "./support.ts";

const workflow = `
name: Check
on: { pull_request: {} }
jobs:
  depth:
    runs-on: ubuntu-latest
    steps:
      - name: Sound the depth
        run: |
          echo "nine metres"
          sleep 2
      - name: Lift
        run: |
          sleep 1
          echo "Error: the crane is stuck"
          sleep 1
          exit 3
  paint:
    runs-on: ubuntu-latest
    steps:
      - run: echo painted
`;

let stage: Stage;
let repo: string;
beforeAll(async () => {
  stage = await openStage();
  repo = await stage.repository("crane", { ".gitea/workflows/check.yml": workflow });
});

interface Explained {
  readonly reasons: readonly {
    readonly code: string;
    readonly checks: readonly {
      readonly context: string;
      readonly state: string;
      readonly url: string;
      readonly run_id: number | null;
      readonly lines: readonly string[];
    }[];
  }[];
}

/** Whether the server has the logs of the jobs of a run. */
const hasLogs = !(await targetLacks("GET /repos/{owner}/{repo}/actions/runs/{run}/jobs"));

const ask = (method: string, path: string, body?: unknown) =>
  stage.target.ask(method, `/repos/${repo}${path}`, body, stage.mara);

describe("pr why with a failed run", () => {
  let pull: string;
  beforeAll(async () => {
    const content = Buffer.from("heavy\n").toString("base64");
    const files = [{ operation: "create", path: "load.txt", content }];
    await ask("POST", "/contents", { message: "Load", branch: "main", new_branch: "load", files });
    const { number } = (await ask("POST", "/pulls", { head: "load", base: "main", title: "Load" })) as {
      number: number;
    };
    pull = `${number}`;
    // Of the checks that match a pattern, Forgejo counts only the first one, so each check has its own pattern here.
    const status_check_contexts = ["Check / depth *", "Check / paint *"];
    const rule = { enable_push: true, enable_status_check: true, status_check_contexts };
    await ask("POST", "/branch_protections", { rule_name: "main", ...rule });
    const checks = await stage.mara.tongs(["pr", "checks", pull, "--watch", "--interval", "1", "-R", repo]);
    expect(checks.code, checks.stdout + checks.stderr).toBe(12);
  });

  it("names the failed job's run and the lines that tell why, and no other check", async () => {
    const ran = await stage.mara.tongs(["pr", "why", pull, "--json", "-R", repo]);
    expect(ran.code).toBe(1);
    const { reasons } = ran.json() as Explained;
    expect(reasons.map(({ code }) => code)).toEqual(["checks_failed"]);
    expect(reasons[0]?.checks).toHaveLength(1);
    const [check] = reasons[0]?.checks ?? [];
    expect(check).toMatchObject({ context: expect.stringMatching(/^Check \/ depth /), state: "failure" });
    expect(check?.url).toContain(`${stage.target.url}/${repo}/actions/runs/`);
    if (!hasLogs) return expect(check).toMatchObject({ run_id: null, lines: [] });
    expect(check?.lines).toContain("Error: the crane is stuck");
    // Gitea 1.25 gives no steps, and the lines are those of the whole job.
    const hasSteps = stage.target.isGitea("1.26.0-dev");
    if (hasSteps) expect(check?.lines).not.toContain("nine metres");
    const why = await stage.mara.tongs(["run", "why", `${check?.run_id}`, "--json", "failures", "-R", repo]);
    const failure = { job: "depth", step: hasSteps ? "Lift" : null, lines: check?.lines };
    expect(why.json()).toMatchObject({ failures: [failure] });
  });

  it("and the refused merge print them on a terminal", async () => {
    const shown = await stage.mara.tongs(["pr", "why", pull, "-R", repo], { env: { NO_COLOR: "1" }, terminal: true });
    expect(shown.stdout).toContain("Required checks failed: Check / depth");
    const merge = await stage.mara.tongs(["pr", "merge", pull, "--style", "merge", "-R", repo]);
    expect([merge.code, merge.stderr]).toEqual([9, expect.stringContaining("Required checks failed: Check / depth")]);
    if (hasLogs) expect(shown.stdout).toContain("Error: the crane is stuck");
  });
});
