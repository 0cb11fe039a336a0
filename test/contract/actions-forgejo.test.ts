import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, type Ran } from "../support/tongs.ts";
import { openStage, type Stage, uploadStep } from "./actions-stage.ts";
import { targetLacks, targetSoftware } from "./support.ts";

// What Gitea has of these is in actions.test.ts and actions-workflows.test.ts, in its own records.
const isOther =
  (await targetSoftware()) === "gitea" || (await targetLacks("GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs"));

const release = (steps: string) => `
name: Release
on:
  workflow_dispatch:
    inputs:
      version: { description: Version to release, required: true, type: string }
jobs:
  pack:
    runs-on: ubuntu-latest
    steps:
      - run: echo "packing \${{ inputs.version }}"${steps}
`;
const wreck = `
name: Wreck
on: { workflow_dispatch: {}, push: { branches: [nowhere] } }
jobs:
  sink:
    runs-on: ubuntu-latest
    steps:
      - run: |
          sleep 1
          echo "Error: the crane is stuck"
          sleep 1
          exit 3
`;
const waits = (label: string) => `
name: Far away
on: workflow_dispatch
jobs:
  train:
    runs-on: ${label}
    steps:
      - run: echo never
`;

let stage: Stage;
let repo: string;
let label: string;
const folder = emptyFolder();
const on = (...line: string[]): Promise<Ran> => stage.mara.tongs(line, { env: { TONGS_REPO: repo } });
const idOf = async (...line: string[]) => String(((await on(...line, "--json", "id")).json() as { id: number }).id);

describe.skipIf(isOther)("runs of a Forgejo with records of them", () => {
  /** The IDs of the run that failed, and of the one that succeeded after it. */
  let failed: string;
  let passed: string;

  beforeAll(async () => {
    stage = await openStage();
    label = stage.target.unique("gpu");
    const steps = [
      uploadStep(stage.target, "cargo", "list.txt", "herring"),
      uploadStep(stage.target, "log", "day.txt", "calm"),
    ];
    repo = await stage.repository("harbor", {
      ".gitea/workflows/release.yml": release(steps.join("")),
      ".gitea/workflows/wreck.yml": wreck,
      ".gitea/workflows/far.yml": waits(label),
    });
    expect((await on("workflow", "run", "wreck.yml", "--watch")).code).toBe(12);
    failed = await idOf("run", "view", "latest");
    const line = ["workflow", "run", "release.yml", "-f", "version=1.4.0", "--collect", folder];
    const ran = await on(...line);
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^http\S+\/actions\/runs\/\d+\n/) });
    passed = await idOf("run", "view", ran.stdout.split("\n")[0] ?? "");
  });

  it("are listed by each filter in the server's own records", async () => {
    const rows = (await on("run", "list", "--json", "id,index_in_repo,workflow_id,trigger_event,status")).json();
    const trigger_event = "workflow_dispatch";
    expect(rows).toEqual([
      { id: Number(passed), index_in_repo: 2, workflow_id: "release.yml", trigger_event, status: "success" },
      { id: Number(failed), index_in_repo: 1, workflow_id: "wreck.yml", trigger_event, status: "failure" },
    ]);
    const of = async (...flags: string[]) =>
      ((await on("run", "list", "--json", "id", ...flags)).json() as { id: number }[]).map(({ id }) => String(id));
    expect(await of("--status", "failure", "--branch", "main", "--event", "workflow_dispatch")).toEqual([failed]);
    expect(await of("--workflow", "release.yml", "--actor", "@me", "--status", "success")).toEqual([passed]);
    expect([await of("--branch", "side"), await of("--workflow", "far.yml")]).toEqual([[], []]);
  });

  it("are selected by ID, number, branch and latest, with their jobs and logs", async () => {
    for (const name of [passed, "#2", "main", "latest"]) {
      expect(await idOf("run", "view", name), name).toBe(passed);
    }
    const jobs = (await on("run", "jobs", "#1", "--json", "name,status")).json();
    expect(jobs).toEqual([{ name: "sink", status: "failure" }]);
    expect((await on("run", "watch", "#1", "--interval", "1")).code).toBe(12);
    const found = await on("run", "logs", "#1", "--grep", "crane is stuck$", "--no-timestamps");
    expect(found.stdout).toBe("Error: the crane is stuck\n");
    const said = await on("run", "logs", passed, "--grep", "^packing", "--no-timestamps");
    expect(said.stdout).toBe("packing 1.4.0\n");
    const why = (await on("run", "why", failed, "--json", "failures")).json();
    expect(why).toMatchObject({
      failures: [{ job: "sink", lines: expect.arrayContaining(["Error: the crane is stuck"]) }],
    });
  });

  it("have their artifacts listed, shown, downloaded and deleted", async () => {
    expect(readFileSync(join(folder, "cargo", "list.txt"), "utf8")).toBe("herring\n");
    const artifacts = async () =>
      (await on("artifact", "list", "--run", passed, "--json", "id,name")).json() as { id: number; name: string }[];
    const ids = new Map((await artifacts()).map(({ id, name }) => [name, String(id)]));
    expect([...ids.keys()].sort()).toEqual(["cargo", "log"]);
    const [cargo = "", log = ""] = [ids.get("cargo"), ids.get("log")];
    const shown = (await on("artifact", "view", cargo, "--json", "name,run_id")).json();
    expect(shown).toEqual({ name: "cargo", run_id: Number(passed) });
    const dir = emptyFolder();
    expect((await on("artifact", "download", "--run", passed, "--name", "log", "--dir", dir)).code).toBe(0);
    expect(readFileSync(join(dir, "day.txt"), "utf8")).toBe("calm\n");
    expect((await on("artifact", "delete", log, "987654321", "--yes")).code).toBe(11);
    expect((await artifacts()).map(({ name }) => name)).toEqual(["cargo"]);
    expect((await stage.jonas.tongs(["artifact", "delete", cargo, "--yes", "-R", repo])).code).toBe(4);
  });

  it("wait for a runner, are cancelled, and deleted once they have ended", async () => {
    const waiting = await idOf("workflow", "run", "far.yml");
    expect((await on("run", "why", waiting)).stdout).toContain(`train is waiting for a runner with ${label}`);
    expect((await on("run", "watch", waiting, "--timeout", "2", "--interval", "1")).code).toBe(8);
    expect((await stage.jonas.tongs(["run", "cancel", waiting, "-R", repo])).code).toBe(4);
    expect((await on("run", "delete", waiting, "--yes")).code).toBe(9);
    expect((await on("run", "cancel", waiting)).code).toBe(0);
    expect((await on("run", "view", waiting, "--json", "status")).json()).toEqual({ status: "cancelled" });
    expect((await on("run", "delete", waiting, failed, "--yes")).code).toBe(0);
    expect((await on("run", "view", failed)).code).toBe(5);
  });

  it("cannot be rerun or approved, nor their workflows be listed or disabled, which is said with the releases", async () => {
    const canRerun = !(await targetLacks("POST /repos/{owner}/{repo}/actions/runs/{run}/rerun"));
    for (const [words, line] of [
      ["Gitea 1.24. Forgejo 17.0 does not have it", ["workflow", "list"]],
      ["Gitea 1.24. Forgejo 17.0 does not have it", ["workflow", "disable", "wreck.yml"]],
      ["Gitea 1.26 and Forgejo 17.0.", ["run", "rerun", passed]],
      ["Gitea 28. Forgejo 17.0 does not have it", ["run", "approve", passed]],
      ["Gitea 1.25. Forgejo 17.0 does not have it", ["run", "list", "--user"]],
    ] as const) {
      if (line[1] === "rerun" && canRerun) continue;
      expect(await on(...line), line.join(" ")).toMatchObject({
        code: 5,
        stderr: expect.stringContaining(`Available since ${words}`),
      });
    }
  });
});
