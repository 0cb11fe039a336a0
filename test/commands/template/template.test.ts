import { describe, expect, it } from "vitest";
import { type Cassette, cassette } from "../../support/cassette.ts";

let player: Cassette;

async function run(labels: readonly string[], ...line: readonly string[]) {
  player = await cassette("templates", labels);
  return player.run(["template", ...line]);
}

describe("templates", () => {
  it("of .gitignore files are listed and printed", async () => {
    const listed = await run(["gitignore templates", "gitignore template"], "gitignore", "list", "--limit", "2");
    expect(listed.stdout).toBe("AL\nActionscript\n");
    const go = await player.run(["template", "gitignore", "view", "Go"]);
    expect(go.stdout).toContain("\n*.exe\n");
  });

  it("of licenses are listed and printed", async () => {
    const listed = await run(["licenses", "license"], "license", "list", "--json", "key");
    expect(listed.json()).toContainEqual({ key: "MIT" });
    expect((await player.run(["template", "license", "view", "MIT"])).stdout).toMatch(/^MIT License\n/);
  });

  it("of labels are listed and shown", async () => {
    const listed = await run(["label templates", "label template: Default"], "label", "list");
    expect(listed.stdout).toBe("Advanced\nDefault\n");
    const shown = await player.run(["template", "label", "view", "Default"]);
    expect(shown.stdout.split("\n")[0]).toBe("bug\tee0701\t\tSomething is not working");
  });

  it("are named in another spelling if the name is not known", async () => {
    const ran = await run(["license: another case", "licenses"], "license", "view", "mit");
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("Did you mean: MIT?") });
  });

  it("are not found if nothing is similar", async () => {
    const ran = await run(["label template: unknown", "label templates"], "label", "view", "Nautical");
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("Label template Nautical not found") });
  });
});
