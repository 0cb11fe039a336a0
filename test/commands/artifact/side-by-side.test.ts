import { setTimeout as pause } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { emptyFolder } from "../../support/tongs.ts";
import { zip } from "../../support/zip.ts";
import { type ArtifactServer, type Storage, serveArtifacts, usual } from "./artifact-server.ts";

const docs = zip([{ name: "guide.md", content: "guide" }]);
const nine = Array.from({ length: 9 }, (_, index) => ({ id: index + 1, name: `a${index}`, content: docs }));

let server: ArtifactServer | undefined;

describe("parallel artifact downloads", () => {
  it.each([
    [1, ["--jobs", "1"]],
    [3, ["--jobs", "3"]],
    [4, []],
  ])("are limited to %i with %j", async (jobs, flags) => {
    let [under, most] = [0, 0];
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    // The first ones wait until there are as many as may be.
    server = await serveArtifacts(nine, async () => {
      under += 1;
      most = Math.max(most, under);
      if (under === jobs) open();
      await gate;
      under -= 1;
      return "usual" as const;
    });
    await server.run(["download", "--run", "20", ...flags], { cwd: emptyFolder() });
    expect(most).toBe(jobs);
  });

  it("request the next addresses meanwhile, but not with one job", async () => {
    const signed = () => server?.api.lines().filter((line) => line.endsWith("/zip")).length ?? 0;
    // Sends nothing until so many addresses were requested, or a timeout.
    const holding =
      (addresses: number): Storage =>
      async () => {
        for (let tries = 0; signed() < addresses && tries < 400; tries += 1) await pause(5);
        held.push(signed());
        return "usual" as const;
      };
    const held: number[] = [];
    server = await serveArtifacts(nine, holding(4));
    expect(await server.run(["download", "--run", "20", "--jobs", "2"], { cwd: emptyFolder() })).toMatchObject({
      code: 0,
    });
    expect(held[0]).toBeGreaterThanOrEqual(4);
    held.length = 0;
    server = await serveArtifacts(nine, holding(0));
    await server.run(["download", "--run", "20", "--jobs", "1"], { cwd: emptyFolder() });
    expect(held).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("show their progress on a terminal", async () => {
    server = await serveArtifacts([{ id: 14, name: "docs", content: docs }], async (seen, response, kept) => {
      const { headers, body } = usual(seen, kept);
      response.writeHead(200, headers);
      response.write((body as Buffer).subarray(0, 50));
      await pause(250);
      response.end((body as Buffer).subarray(50));
      return undefined;
    });
    const ran = await server.run(["download", "14"], { cwd: emptyFolder(), terminal: true, columns: 120 });
    expect(stripVTControlCharacters(ran.stderr)).toMatch(/docs +█+░* +(50|121) B of 121 B \((41|100) %\)/);
  });
});
