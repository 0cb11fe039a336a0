import { beforeAll, describe, expect, it } from "vitest";
import type { Ran } from "../support/tongs.ts";
import { openStage, type Stage } from "./actions-stage.ts";
import { targetLacks } from "./support.ts";

/**
 * Forgejo before 12 and Gitea before 1.24 have no records of runs and workflows, only of the jobs that a runner took
 * (docs/server-differences.md, "Runs and jobs").
 */
const hasOnlyTasks =
  (await targetLacks("GET /repos/{owner}/{repo}/actions/runs")) &&
  (await targetLacks("GET /repos/{owner}/{repo}/actions/workflows"));

const release = `
name: Release
on:
  workflow_dispatch:
    inputs:
      version: { description: Version to release, required: true, type: string }
      channel: { required: true, default: stable, type: choice, options: [stable, beta] }
jobs:
  pack:
    runs-on: ubuntu-latest
    steps:
      - run: test "\${{ inputs.version }} \${{ inputs.channel }}" = "1.4.0 beta"
`;
const wreck = `
name: Wreck
on: { workflow_dispatch: {}, push: { branches: [nowhere] } }
jobs:
  sink:
    runs-on: ubuntu-latest
    steps:
      - run: exit 1
`;

let stage: Stage;
let repo: string;
/** The number of the failed run, as `#1`. */
let failed = "#1";
const on = (...line: string[]): Promise<Ran> => stage.mara.tongs(line, { env: { TONGS_REPO: repo } });
const lacks = (since: string) => ({
  code: 5,
  stdout: "",
  stderr: expect.stringContaining(`Available since ${since}.`),
});
const never = (since: string) => lacks(`Gitea ${since}. Forgejo 17.0 does not have it`);

describe.skipIf(!hasOnlyTasks)("a server without records of runs", () => {
  let hasTasks: boolean;

  beforeAll(async () => {
    stage = await openStage();
    hasTasks = stage.target.has("GET", "/repos/{owner}/{repo}/actions/tasks");
    repo = await stage.repository("harbor", { ".gitea/workflows/release.yml": release });
    await stage.write(repo, { ".gitea/workflows/wreck.yml": wreck });
  });

  it("lists, selects and watches its tasks, where it has those", async () => {
    if (!hasTasks) {
      for (const line of [["list"], ["view", "#1"], ["watch", "latest"], ["jobs", "#1"]]) {
        expect(await on("run", ...line), line.join(" ")).toMatchObject(lacks("Gitea 1.23 and Forgejo 8.0"));
      }
      return;
    }
    expect((await on("workflow", "run", "wreck.yml", "--watch")).code).toBe(12);
    const [newest] = (await on("run", "list", "--json", "run_number")).json() as { run_number: number }[];
    const run_number = newest?.run_number ?? 0;
    failed = `#${run_number}`;
    expect((await on("run", "watch", failed, "--interval", "1")).code).toBe(12);
    const rows = (await on("run", "list", "--json")).json();
    expect(rows).toMatchObject([
      { name: "sink", run_number, event: "workflow_dispatch", head_branch: "main", status: "failure" },
    ]);
    const of = async (...flags: string[]) =>
      ((await on("run", "list", "--json", "run_number", ...flags)).json() as unknown[]).length;
    expect(
      await of("--status", "failure", "--branch", "main", "--event", "workflow_dispatch", "--workflow", "wreck.yml"),
    ).toBe(1);
    expect([
      await of("--status", "success"),
      await of("--branch", "side"),
      await of("--workflow", "release.yml"),
    ]).toEqual([0, 0, 0]);
    for (const name of [failed, "latest", "main", `${stage.target.url}/${repo}/actions/runs/${run_number}`]) {
      expect((await on("run", "view", name, "--json", "run_number")).json(), name).toEqual({ run_number });
    }
    expect((await on("run", "jobs", failed, "--json", "name,status")).json()).toEqual([
      { name: "sink", status: "failure" },
    ]);
    expect((await on("run", "list", "--actor", "@me")).code).toBe(5);
    expect((await stage.jonas.tongs(["run", "list", "-R", repo])).code).toBe(0);
  });

  it("dispatches a workflow with inputs, and watches it, where it can", async () => {
    const line = ["workflow", "run", "release.yml", "-f", "channel=beta"];
    if (!stage.target.has("POST", "/repos/{owner}/{repo}/actions/workflows/{workflowname}/dispatches")) {
      expect(await on(...line, "-f", "version=1.4.0")).toMatchObject(lacks("Gitea 1.24 and Forgejo 8.0"));
      return;
    }
    expect(await on(...line)).toMatchObject({ code: 13, stderr: expect.stringContaining("version is required") });
    const odd = await on("workflow", "run", "release.yml", "-f", "version=1", "-f", "channel=odd");
    expect(odd).toMatchObject({ code: 13, stderr: expect.stringContaining("channel must be one of stable, beta") });
    expect((await on("workflow", "run", "absent.yml")).code).toBe(5);
    expect((await on(...line, "-f", "version=1.4.0", "--ref", "absent")).code).toBe(5);
    const ran = await on(...line, "-f", "version=1.4.0", "--watch");
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^http\S+\/actions\/runs\/\d+\n/) });
    expect((await on("run", "list", "--limit", "1", "--jq", ".[0] | {event, status}")).json()).toEqual({
      event: "workflow_dispatch",
      status: "success",
    });
    const denied = await stage.jonas.tongs([...line, "-f", "version=1.4.0", "-R", repo]);
    expect(denied.code).toBe(4);
  });

  it("says of everything else since when which server has it", async () => {
    for (const [since, line] of [
      ["1.24", ["workflow", "list"]],
      ["1.24", ["workflow", "view", "wreck.yml"]],
      ["1.24", ["workflow", "disable", "wreck.yml"]],
      ["1.24", ["workflow", "enable", "Wreck"]],
      ["1.25", ["run", "list", "--user"]],
    ] as const) {
      expect(await on(...line), line.join(" ")).toMatchObject(never(since));
    }
    for (const line of [["list"], ["view", "1"], ["delete", "1", "--yes"]]) {
      expect(await on("artifact", ...line), line.join(" ")).toMatchObject(lacks("Gitea 1.24 and Forgejo 16.0"));
    }
    for (const [since, line] of [
      ["Gitea 1.25 and Forgejo 16.0", ["run", "logs", failed]],
      ["Gitea 1.25 and Forgejo 16.0", ["run", "why", failed]],
      ["Gitea 1.26. Forgejo 17.0 does not have it", ["run", "rerun", failed]],
      ["Gitea 1.25 and Forgejo 16.0", ["run", "delete", failed, "--yes"]],
    ] as const) {
      expect(await on(...line), line.join(" ")).toMatchObject(lacks(hasTasks ? since : "Gitea 1.23 and Forgejo 8.0"));
    }
    if (!hasTasks) return;
    const page = `${stage.target.url}/${repo}/actions/runs/${failed.slice(1)}`;
    for (const verb of ["cancel", "approve"]) {
      expect(await on("run", verb, failed)).toMatchObject({ code: 5, stderr: expect.stringContaining(page) });
    }
  });
});
