import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { askAsAdmin, onSandbox } from "../commands/on-sandbox.ts";
import { droppingProxy } from "../support/dropping-proxy.ts";
import { killedAtEachRequest } from "../support/killed.ts";
import { now, packageServer } from "../support/oci-registry.ts";
import { emptyFolder, tongs } from "../support/tongs.ts";

describe("a plan is resumed by the same line wherever it was killed:", () => {
  /** A sandbox and a folder with a file. */
  const scene = async (name: string, text: string) => {
    const box = await onSandbox();
    const cwd = emptyFolder();
    writeFileSync(join(cwd, name), text);
    return { box, world: { cwd, env: { TONGS_TOKEN: box.token("harbormaster") } } };
  };

  it("label import", async () => {
    const line = ["label", "import", "labels.csv", "-R", "mara/harbor", "--prune", "--yes"];
    const kills = await killedAtEachRequest(line, async () => {
      const { box, world } = await scene("labels.csv", "name,color\nbug,00ff00\nnew,0000ff\n");
      const holds = async () => {
        const labels = (await askAsAdmin(box, "GET", "/repos/mara/harbor/labels")) as { name: string; color: string }[];
        expect(labels.map(({ name, color }) => `${name} ${color}`).sort()).toEqual(["bug 00ff00", "new 0000ff"]);
      };
      return { url: box.url, close: box.close, world, holds };
    });
    expect(kills).toBeGreaterThan(3);
  });

  it("policy apply", async () => {
    const text = "defaults:\n  settings: {description: Quay}\n  labels:\n    p1: ff0000\n    p2: 00ff00\n";
    const line = ["policy", "apply", "policy.yml", "--repo", "mara/harbor", "--yes"];
    const kills = await killedAtEachRequest(line, async () => {
      const { box, world } = await scene("policy.yml", text);
      const holds = async () => {
        expect(await askAsAdmin(box, "GET", "/repos/mara/harbor")).toMatchObject({ description: "Quay" });
        const labels = (await askAsAdmin(box, "GET", "/repos/mara/harbor/labels?limit=50")) as { name: string }[];
        expect(labels.filter(({ name }) => /^p[12]$/.test(name))).toHaveLength(2);
      };
      return { url: box.url, close: box.close, world, holds };
    });
    expect(kills).toBeGreaterThan(3);
  });

  it("package prune", async () => {
    const line = ["package", "prune", "--owner", "mara", "--keep", "1", "--yes"];
    const kills = await killedAtEachRequest(line, async () => {
      const server = await packageServer();
      for (const [index, version] of ["1.0", "1.1", "1.2"].entries())
        server.add(`generic/charts@${version}`, 90 - index);
      return {
        url: server.url,
        close: server.close,
        world: { now },
        holds: () => expect(server.left()).toEqual(["charts@1.2"]),
      };
    });
    expect(kills).toBeGreaterThan(3);
  });
});

describe("a plan that deletes what another process has deleted meanwhile is done:", () => {
  it.each([
    ["label import", "set.csv", "name,color\nbug,00ff00\n", ["label", "import", "set.csv", "--prune"]],
    ["policy apply", "set.yml", "prune: true\ndefaults:\n  labels: {bug: 00ff00}\n", ["policy", "apply", "set.yml"]],
  ])("%s", async (_what, name, text, line) => {
    const box = await onSandbox();
    const proxy = await droppingProxy(box.url, { drops: () => false, misses: ({ method }) => method === "DELETE" });
    const cwd = emptyFolder();
    writeFileSync(join(cwd, name), text);
    const place = line[0] === "label" ? "-R" : "--repo";
    const ran = await box.run([...line, place, "mara/harbor", "--yes"], { cwd, env: { TONGS_HOST: proxy.url } });
    expect([ran.stderr, ran.code]).toEqual([expect.stringMatching(/[Dd]elete/), 0]);
  });

  it("package prune", async () => {
    const server = await packageServer(({ method }) =>
      method === "DELETE" ? { status: 404, body: { message: "package does not exist" } } : undefined,
    );
    for (const version of ["1.0", "1.1"]) server.add(`generic/charts@${version}`, 90);
    const line = ["package", "prune", "--owner", "mara", "--keep", "1", "--yes"];
    const ran = await tongs(line, { now, env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" } });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("was already deleted") });
  });
});
