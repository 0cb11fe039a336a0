import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { emptyFolder } from "../support/tongs.ts";
import { addRunner, openStage, type Stage } from "./actions-stage.ts";
import { targetLacks } from "./support.ts";

const hasNoList = await targetLacks("GET /repos/{owner}/{repo}/actions/runners");
let stage: Stage;
let repo: string;
let label: string;

beforeAll(async () => {
  stage = await openStage();
  const { target, mara } = stage;
  repo = await stage.repository("checked", { "lamp/action.yml": "name: Lamp\n" });
  label = target.unique("berth");
  const on = (line: readonly string[], stdin = "") => mara.tongs([...line, "-R", repo], { stdin });
  await on(["secret", "set", "DEPLOY_KEY"], "not-a-secret");
  await on(["variable", "set", "QUAY", "--body", "north"]);
  const token = (await on(["runner", "token"])).stdout.trim();
  await addRunner(target, { token, name: label, labels: [label] });
});

/** What is found in a workflow of one job. */
async function check(runsOn: string, ...steps: readonly string[]): Promise<readonly unknown[]> {
  const cwd = emptyFolder();
  const lines = steps.map((step) => `      - ${step}\n`).join("");
  writeFileSync(join(cwd, "ci.yml"), `on: push\njobs:\n  a:\n    runs-on: ${runsOn}\n    steps:\n${lines}`);
  const ran = await stage.mara.tongs(["workflow", "check", "ci.yml", "--json"], { cwd, env: { TONGS_REPO: repo } });
  return (ran.json() as { line: number; severity: string; rule: string }[]).map((one) => [
    one.line,
    one.severity,
    one.rule,
  ]);
}

describe("workflow check", () => {
  it("finds what a server has of what a workflow names", async () => {
    const names = `run: \${{ secrets.deploy_key }} \${{ vars.QUAY }} \${{ github.ref }}`;
    const action = `uses: ${stage.target.url}/${repo}/lamp@main`;
    expect(await check(label, names, action)).toEqual(hasNoList ? [[4, "unchecked", "label"]] : []);
  });

  it("finds what it does not have, and does not call missing what nobody can list", async () => {
    const names = `run: \${{ secrets.NONE }} \${{ vars.NONE }}`;
    const found = await check(label, names, `uses: ${stage.target.url}/${repo}/lamp@v9`);
    expect(found.filter((one) => JSON.stringify(one) !== '[4,"unchecked","label"]')).toEqual([
      [6, "unchecked", "secret"],
      [6, "error", "variable"],
      [7, "error", "action"],
    ]);
  });
});
