import { describe, expect, it } from "vitest";
import { tongs } from "../../support/tongs.ts";
import { zip } from "../../support/zip.ts";
import { type ArtifactServer, type Kept, serveArtifacts } from "./artifact-server.ts";

const docs = zip([{ name: "guide.md", content: "guide" }]);
const two: Kept[] = [
  { id: 13, name: "report", content: zip([{ name: "report.json", content: "{}" }]) },
  { id: 14, name: "docs", content: docs },
];

let server: ArtifactServer | undefined;

describe("artifact list, view and delete", () => {
  it("list artifacts of the repository, of a run or with a name", async () => {
    server = await serveArtifacts([...two, { id: 15, name: "docs", content: docs, run: 21 }]);
    const all = await server.run(["list"]);
    expect(all).toMatchObject({ code: 0 });
    expect(all.stdout).toContain(`14\tdocs\t${docs.length} B\t20\tavailable\t2026-11-21T09:53:48Z\n`);
    expect((await server.run(["list", "--run", "21", "--json", "id"])).json()).toEqual([{ id: 15 }]);
    expect((await server.run(["list", "--name", "report", "--json", "id"])).json()).toEqual([{ id: 13 }]);
    expect((await server.run(["list", "--run", "latest", "--json", "id"])).json()).toHaveLength(2);
  });

  it.each(["list", "download"])(
    "%s refuses the URL of a run in another repository or on another server",
    async (verb) => {
      server = await serveArtifacts(two);
      const other = await server.run([verb, "--run", `${server.api.url}/pilots/tooling/actions/runs/20`]);
      expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("is not a run of mara/harbor") });
      const elsewhere = await server.run([verb, "--run", "https://evil.example/mara/harbor/actions/runs/20"]);
      expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining("is on another server") });
      expect(server.api.lines()).toEqual([]);
    },
  );

  it("run download takes the repository from the URL of the run", async () => {
    server = await serveArtifacts(two);
    await tongs(["run", "download", `${server.api.url}/pilots/tooling/actions/runs/20`], { env: server.env });
    expect(server.api.lines()[0]).toBe("GET /api/v1/repos/pilots/tooling/actions/runs/20");
  });

  it("show an artifact", async () => {
    server = await serveArtifacts(two);
    expect(await server.run(["view", "13"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("title\treport"),
    });
    expect(await server.run(["view", "99"])).toMatchObject({ code: 5, stderr: expect.stringContaining("Artifact 99") });
  });

  it("delete artifacts after a confirmation, and report that an expired one stays in the list", async () => {
    server = await serveArtifacts([...two, { id: 15, name: "gone", content: docs, expired: true }]);
    expect(await server.run(["delete", "13"])).toMatchObject({ code: 2 });
    const ran = await server.run(["delete", "13", "15", "99", "--yes"]);
    expect(ran).toMatchObject({ code: 11, stderr: expect.stringContaining("stays in the list") });
    expect(server.api.lines().filter((line) => line.startsWith("DELETE"))).toEqual([
      "DELETE /api/v1/repos/mara/harbor/actions/artifacts/13",
      "DELETE /api/v1/repos/mara/harbor/actions/artifacts/15",
    ]);
  });
});
