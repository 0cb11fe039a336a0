import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const top = join(import.meta.dirname, "../..");
const copied = [
  ...["src", "scripts", "man", "docs", "proto", "test/support", "test/sandbox", "test/data/releases"],
  "test/commands/on-sandbox.ts",
  ...["package.json", "tsconfig.json", "biome.json", "vitest.config.mts"],
];
/** The files of the noun, made by CONTRIBUTING's page "Add a noun"; the fourth is its line in the table. */
const written = {
  "quota-rules.ts.txt": "src/forge/quota-rules.ts",
  "quota-rule.ts.txt": "src/commands/quota-rule/quota-rule.ts",
  "quota-rule.test.ts.txt": "test/commands/quota-rule/quota-rule.test.ts",
};
const line = `  "quota-rule": noun("Manage quota rules", () => import("./quota-rule/quota-rule.ts")),
`;

let copy: string;
const text = (path: string) => readFileSync(join(copy, path), "utf8");
/** Runs Node in the copy, and returns what it printed if it failed. */
function problems(...args: readonly string[]): string | undefined {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8" });
  return status === 0 ? undefined : stdout + stderr;
}

/** Adds a field to labels: to the description of a release, of which sources are generated, and in one line of the record. */
function addField(name: string): void {
  const described = "test/data/releases/gitea-1.27.3.json";
  const release = JSON.parse(text(described)) as { records: Record<string, Record<string, string>> };
  for (const record of ["Label", "CreateLabelOption", "EditLabelOption"]) {
    const fields = release.records[record];
    if (fields !== undefined) fields[name] = "string";
  }
  writeFileSync(join(copy, described), JSON.stringify(release));
  const field = `  ${name}: { shape: string, flag: "color in the dark", isColor: true },\n`;
  writeFileSync(
    join(copy, "src/forge/labels.ts"),
    text("src/forge/labels.ts").replace(/^ {2}description: /m, `${field}$&`),
  );
  cpSync(join(top, "test/data/noun/color-dark.test.ts.txt"), join(copy, "test/commands/label/color-dark.test.ts"));
}

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "tongs-noun-"));
  for (const path of copied) cpSync(join(top, path), join(copy, path), { recursive: true });
  symlinkSync(join(top, "node_modules"), join(copy, "node_modules"), "junction");
  for (const [name, path] of Object.entries(written)) cpSync(join(top, "test/data/noun", name), join(copy, path));
  const index = text("src/commands/index.ts");
  writeFileSync(join(copy, "src/commands/index.ts"), index.replace(/^ {2}label: /m, `${line}$&`));
  addField("color_dark");
  const { lines, ...rest } = JSON.parse(text("scripts/budgets.json")) as { lines: Record<string, number> };
  const raised = Object.entries(lines).map(([folder, count]) => [folder, count + 120]);
  const budgets = { lines: { ...Object.fromEntries(raised), "src/commands/quota-rule": 120 }, ...rest };
  writeFileSync(join(copy, "scripts/budgets.json"), JSON.stringify(budgets));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

it("a noun takes four files and 120 lines, and a field of a label one line, and both work", () => {
  const lines = [...Object.values(written).map(text), line].reduce((sum, file) => sum + file.split("\n").length - 1, 0);
  expect(lines).toBeLessThanOrEqual(120);
  const generate = (step: string) => `await (await import("./scripts/generate/${step}.mjs")).generate();`;
  const steps = ["operations", "docs", "coverage"].map(generate).join("\n");
  expect(problems("--input-type=module", "--eval", steps)).toBeUndefined();
  expect(text("man/tongs-quota-rule.1")).toContain("quota\\-rule create");
  expect(text("package.json")).toContain('"man/tongs-quota-rule.1"');
  expect(text("docs/coverage.md")).toMatch(/\| `\/admin\/quota\/rules` \| forgejo \| .*`quota-rule list`/);
  expect(problems("scripts/floors.mjs")).toBeUndefined();
  const biome = ["node_modules/@biomejs/biome/bin/biome", "check", "--vcs-enabled=false"];
  expect(problems(...biome, ...Object.values(written), "src/commands/index.ts")).toBeUndefined();
  expect(problems("node_modules/typescript/bin/tsc", "--noEmit")).toBeUndefined();
  expect(
    problems(
      "node_modules/vitest/vitest.mjs",
      "run",
      "--project",
      "unit",
      "test/commands/quota-rule/",
      "test/commands/label/",
    ),
  ).toBeUndefined();
});
