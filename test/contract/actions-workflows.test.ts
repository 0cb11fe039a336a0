import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, type Ran } from "../support/tongs.ts";
import { openStage, type Stage, uploadStep } from "./actions-stage.ts";
import { targetLacks, targetSoftware } from "./support.ts";

// What Forgejo and Gitea before 1.25 have of these is in actions-tasks.test.ts and actions-forgejo.test.ts.
const isOther = (await targetSoftware()) === "forgejo" || (await targetLacks("GET /repos/{owner}/{repo}/actions/runs"));
let stage: Stage;
let repo: string;
const on = (...line: string[]): Promise<Ran> => stage.mara.tongs(line, { env: { TONGS_REPO: repo } });
const runCount = async () => ((await on("run", "list", "--all", "--json", "id")).json() as unknown[]).length;

/** Reads the boolean from the event, because some runners treat a true boolean in `inputs` as false. */
const release = (steps: string) => `
name: Release
run-name: "Release \${{ inputs.version }}"
on:
  workflow_dispatch:
    inputs:
      version: { description: Version to release, required: true, type: string }
      channel: { required: true, default: stable, type: choice, options: [stable, beta] }
      loud: { type: boolean, default: false }
      berths: { type: number }
jobs:
  pack:
    runs-on: ubuntu-latest
    steps:
      - run: echo "packing \${{ inputs.version }} for \${{ inputs.channel }} (\${{ github.event.inputs.loud }})"${steps}
`;
const broken = `
name: Wreck
on: { workflow_dispatch: {}, push: { branches: [nowhere] } }
jobs:
  sink:
    runs-on: ubuntu-latest
    steps:
      - run: exit 1
`;

beforeAll(async () => {
  stage = await openStage();
  const steps = [
    uploadStep(stage.target, "cargo", "list.txt", "herring"),
    uploadStep(stage.target, "log", "day.txt", "calm"),
  ];
  repo = await stage.repository("harbor", {
    ".gitea/workflows/release.yml": release(steps.join("")),
    ".gitea/workflows/wreck.yml": broken,
  });
});

describe.skipIf(isOther)("workflows", () => {
  it("are listed, and viewed by file and by name", async () => {
    const rows = (await on("workflow", "list", "--json", "id,name,state")).json();
    expect(rows).toEqual([
      { id: "release.yml", name: "Release", state: "active" },
      { id: "wreck.yml", name: "Wreck", state: "active" },
    ]);
    for (const name of ["release.yml", "Release", ".gitea/workflows/release.yml"]) {
      const shown = (await on("workflow", "view", name, "--json", "id,path")).json();
      expect(shown, name).toEqual({ id: "release.yml", path: ".gitea/workflows/release.yml" });
    }
    expect((await on("workflow", "view", "absent.yml")).code).toBe(5);
  });

  it("do not run while they are disabled", async () => {
    const state = async () =>
      ((await on("workflow", "view", "wreck.yml", "--json", "state")).json() as { state: string }).state;
    expect((await on("workflow", "disable", "Wreck")).code).toBe(0);
    expect(await state()).toBe("disabled_manually");
    const refused = await on("workflow", "run", "wreck.yml");
    expect(refused).toMatchObject({ code: 9, stderr: expect.stringContaining("workflow is disabled") });
    expect((await on("workflow", "enable", "wreck.yml")).code).toBe(0);
    expect(await state()).toBe("active");
    expect((await stage.jonas.tongs(["workflow", "disable", "wreck.yml", "-R", repo])).code).toBe(4);
  });

  it("are not run with inputs that do not match their declaration", async () => {
    const before = await runCount();
    for (const [fields, words] of [
      [[], "version is required"],
      [["version=1", "chanel=beta"], "unknown input 'chanel' (did you mean channel?)"],
      [["version=1", "channel=odd"], "channel must be one of stable, beta"],
      [["version=1", "loud=maybe"], "loud must be true or false"],
      [["version=1", "berths=many"], "berths must be a number"],
    ] as const) {
      const ran = await on("workflow", "run", "Release", ...fields.flatMap((field) => ["-f", field]));
      expect(ran).toMatchObject({ code: 13, stdout: "", stderr: expect.stringContaining(words) });
    }
    expect((await on("workflow", "run", "release.yml", "-f", "version=1", "--ref", "absent")).code).toBe(5);
    expect((await on("workflow", "run", "absent.yml")).code).toBe(5);
    expect(await runCount()).toBe(before);
  });

  it("are watched until they fail, with exit code 12", async () => {
    const ran = await on("workflow", "run", "wreck.yml", "--watch");
    expect(ran).toMatchObject({ code: 12, stdout: expect.stringMatching(/^http\S+\/actions\/runs\/\d+\n/) });
  });
});

describe.skipIf(isOther)("a dispatched run", () => {
  let id: string;
  const folder = emptyFolder();
  const artifacts = async () =>
    (await on("artifact", "list", "--run", id, "--json", "id,name")).json() as { id: number; name: string }[];

  beforeAll(async () => {
    const line = ["workflow", "run", "release.yml", "--inputs-file", "-", "-f", "channel=beta", "--collect", folder];
    const stdin = "version: 1.4.0\nloud: true\n";
    const ran = await stage.mara.tongs(line, { stdin, env: { TONGS_REPO: repo } });
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    const [page = ""] = ran.stdout.split("\n");
    expect(page).toMatch(/\/actions\/runs\/\d+$/);
    id = String(((await on("run", "view", page, "--json", "id")).json() as { id: number }).id);
  });

  it("has the printed URL and received the inputs", async () => {
    const run = (await on("run", "view", id, "--json", "event,actor.login,display_title")).json();
    expect(run).toEqual({
      event: "workflow_dispatch",
      actor: { login: stage.mara.login },
      display_title: "Release 1.4.0",
    });
    const said = await on("run", "logs", id, "--grep", "^packing", "--no-timestamps");
    expect(said.stdout).toBe("packing 1.4.0 for beta (true)\n");
  });

  it("has its artifacts downloaded, each in a directory of its name", async () => {
    expect(readFileSync(join(folder, "cargo", "list.txt"), "utf8")).toBe("herring\n");
    expect(readFileSync(join(folder, "log", "day.txt"), "utf8")).toBe("calm\n");
  });

  it("lists, shows, downloads and deletes its artifacts", async () => {
    const listed = await artifacts();
    expect(listed.map(({ name }) => name)).toEqual(["cargo", "log"]);
    const [cargo, log] = listed.map((one) => String(one.id));
    const shown = (await on("artifact", "view", cargo ?? "", "--json", "name,expired,workflow_run.id")).json();
    expect(shown).toEqual({ name: "cargo", expired: false, workflow_run: { id: Number(id) } });
    const [one, other] = [emptyFolder(), emptyFolder()];
    expect((await on("artifact", "download", "--run", id, "--name", "log", "--dir", one)).code).toBe(0);
    expect(readFileSync(join(one, "day.txt"), "utf8")).toBe("calm\n");
    expect((await on("artifact", "download", cargo ?? "", "--zip", "--dir", other)).code).toBe(0);
    expect(readFileSync(join(other, "cargo.zip")).subarray(0, 2).toString()).toBe("PK");
    expect((await on("artifact", "download", "--run", id, "--name", "cargos")).code).toBe(5);
    expect((await on("artifact", "delete", log ?? "", "987654321", "--yes")).code).toBe(11);
    expect((await artifacts()).map(({ name }) => name)).toEqual(["cargo"]);
    expect((await stage.jonas.tongs(["artifact", "delete", cargo ?? "", "--yes", "-R", repo])).code).toBe(4);
  });

  it("leaves the newest artifact of a name to download after a rerun", async ({ skip }) => {
    if (!stage.target.has("POST", "/repos/{owner}/{repo}/actions/runs/{run}/rerun")) skip("no operation to rerun");
    const before = Math.max(...(await artifacts()).map((one) => one.id));
    expect((await on("run", "rerun", id)).code).toBe(0);
    expect((await on("run", "watch", id, "--interval", "1")).code).toBe(0);
    const after = (await artifacts()).filter(({ name }) => name === "cargo").map((one) => one.id);
    // Gitea 1.26 replaces it.
    const keeps = stage.target.isGitea("1.27");
    expect(after).toHaveLength(keeps ? 2 : 1);
    if (keeps) expect(Math.max(...after)).toBeGreaterThan(before);
    const dir = emptyFolder();
    const ran = await on("artifact", "download", "--run", id, "--name", "cargo", "--dir", dir, "--json");
    expect(ran.code).toBe(0);
    expect(JSON.stringify(ran.json())).toContain(String(Math.max(...after)));
  });
});
