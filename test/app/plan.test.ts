import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { askAsAdmin, onSandbox } from "../commands/on-sandbox.ts";
import { killedAtEachRequest } from "../support/killed.ts";
import { now, packageServer } from "../support/oci-registry.ts";
import { emptyFolder } from "../support/tongs.ts";

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
