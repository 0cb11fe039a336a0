import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const top = join(import.meta.dirname, "..", "..");
const folder = join(top, ".gitea", "workflows");

interface Workflow {
  readonly on: unknown;
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly uses?: string; readonly run?: string }[] }>
  >;
}

function workflow(name: string): Workflow {
  return parse(readFileSync(join(folder, name), "utf8")) as Workflow;
}

const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps);
const runsOf = (name: string) => stepsOf(workflow(name)).flatMap(({ run }) => run ?? []);

describe("the workflows of CI", () => {
  it("run npm scripts and files that exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(top, "package.json"), "utf8")) as { scripts: object };
    for (const name of readdirSync(folder)) {
      const lines = runsOf(name).join("\n");
      for (const [, script = ""] of lines.matchAll(/npm run ([\w:]+)/g)) expect(scripts, name).toHaveProperty([script]);
      for (const [, file = ""] of lines.matchAll(/(?:bash|node) ([\w./-]+\/[\w.]+)/g))
        expect(existsSync(join(top, file)), `${name}: ${file}`).toBe(true);
    }
  });

  it("lint in a job of its own, and keep downloaded packages between runs", () => {
    const ci = workflow("ci.yml");
    expect(ci.jobs["lint"]?.steps.map(({ run }) => run)).toContain("npm run lint");
    const setups = stepsOf(ci).filter(({ uses }) => uses?.startsWith("actions/setup-node@"));
    expect(setups).toHaveLength(2);
    for (const setup of setups) expect(setup).toMatchObject({ with: { cache: "npm" } });
  });

  it("build, test and pack a release of each version tag, with checksums", () => {
    expect(workflow("release.yml").on).toEqual({ push: { tags: ["v*"] } });
    const lines = runsOf("release.yml");
    const order = [
      ".ci/run",
      "build:standalone",
      "sizes.mjs",
      "build:packages",
      "npm pack",
      "SHA256SUMS",
      "release create",
    ];
    expect(order.map((part) => lines.findIndex((line) => line.includes(part)))).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});
