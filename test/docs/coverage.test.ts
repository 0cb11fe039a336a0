import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const top = join(import.meta.dirname, "../..");

interface Row {
  readonly method: string;
  readonly path: string;
  readonly commands: readonly string[];
  readonly reason: string | undefined;
}

const generator = "../../scripts/generate/coverage.mjs";
const { coverage, coveragePage, reasons } = (await import(generator)) as {
  readonly reasons: ReadonlyMap<string, string>;
  coverage(): Promise<readonly Row[]>;
  coveragePage(rows: readonly Row[]): string;
};

describe("docs/coverage.md", async () => {
  const rows = await coverage();

  it("is up to date with the commands; `npm run generate` updates it", () => {
    const committed = readFileSync(join(top, "docs/coverage.md"), "utf8");
    expect(committed === coveragePage(rows), "run: npm run generate").toBe(true);
  });

  it("has a command or a reason for every operation, and no reason beside a command", () => {
    const named = (found: readonly Row[]) => found.map(({ method, path }) => `${method} ${path}`);
    expect(named(rows.filter(({ commands, reason }) => commands.length === 0 && reason === undefined))).toEqual([]);
    expect(named(rows.filter(({ commands, reason }) => commands.length > 0 && reason !== undefined))).toEqual([]);
    expect(reasons.size, "operations that no release describes").toBe(rows.filter(({ reason }) => reason).length);
  });

  it("finds the requests of functions at all levels, and those after a fallback", () => {
    const commandsOf = (method: string, path: string) =>
      rows.find((row) => row.method === method && row.path === path)?.commands ?? [];
    expect(commandsOf("POST", "/orgs/{org}/hooks")).toContain("hook create");
    expect(commandsOf("POST", "/repos/{owner}/{repo}/hooks")).toContain("hook create");
    expect(commandsOf("POST", "/repos/{owner}/{repo}/pulls/{index}/merge")).toEqual(["pr merge"]);
    expect(commandsOf("GET", "/user/actions/runs")[0]).toBe("run list");
    expect(commandsOf("GET", "/users/{username}/tokens").length).toBeLessThan(5);
  });

  it("has a command for every operation that the description of the service names", () => {
    const service = readFileSync(join(top, "test/data/service-operations.txt"), "utf8").trim().split("\n");
    const shape = (line: string) => line.replace(/\{[^}]*\}/g, "{}");
    const shapes = new Set(service.map(shape));
    const named = rows.filter(({ method, path }) => shapes.has(shape(`${method} ${path}`)));
    expect(named.length).toBe(service.length);
    const missing = named.filter(({ commands }) => commands.length === 0);
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});
