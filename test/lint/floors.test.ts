import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { budgetProblems, floorProblems } from "../../scripts/floors.mjs";

const top = join(import.meta.dirname, "..", "..");
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A directory with these files. */
function sources(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "tongs-lint-"));
  folders.push(folder);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** The ways to import from a module. */
const forms: Readonly<Record<string, (target: string) => string>> = {
  code: (target) => `import { x } from "${target}";\n\nexport const y = x;\n`,
  type: (target) => `import type { X } from "${target}";\n\nexport type Y = X;\n`,
  export: (target) => `export { x } from "${target}";\n`,
  all: (target) => `export * from "${target}";\n`,
  later: (target) => `export const y = () => import("${target}");\n`,
  "type-of": (target) => `export type Y = typeof import("${target}");\n`,
};

/** The files with a problem, of one file for each import in each form. */
function refused(imports: readonly (readonly [string, string])[]): string[] {
  const files = imports.flatMap(([path, target]) =>
    Object.entries(forms).map(([form, code]) => [path.replace(".ts", `-${form}.ts`), code(target)]),
  );
  return floorProblems(sources(Object.fromEntries(files))).map((line) => line.slice(0, line.indexOf(":")));
}

const inEachForm = (paths: readonly string[]) =>
  paths.flatMap((path) => Object.keys(forms).map((form) => path.replace(".ts", `-${form}.ts`)));

describe("the floors", () => {
  it("refuse imports from a floor above or beside, of code and of types", () => {
    const upwards = [
      ["src/failure/x.ts", "../text/safe.ts"],
      ["src/http/x.ts", "../output/output.ts"],
      ["src/http/x-net.ts", "node:net"],
      ["src/forge/x.ts", "../git/git.ts"],
      ["src/output/x.ts", "../prompts/prompter.ts"],
      ["src/command/x.ts", "../app/context.ts"],
      ["src/app/x.ts", "../commands/index.ts"],
      ["src/app/x-metrics.ts", "../metrics/inputs.ts"],
      ["src/docs/man/x.ts", "../../commands/index.ts"],
      ["src/metrics/x.ts", "../output/output.ts"],
      ["src/metrics/decode/x.ts", "../../http/client.ts"],
      ["src/commands/label/x.ts", "../../http/path.ts"],
      ["src/commands/label/x-main.ts", "../../main.ts"],
      ["src/sandbox/serve.ts", "../http/client.ts"],
      ["src/sandbox/api/x.ts", "../../metrics/inputs.ts"],
      ["src/text/x.ts", "../new-floor/x.ts"],
    ] as const;
    expect(refused(upwards).sort()).toEqual(inEachForm(upwards.map(([path]) => path)).sort());
  });

  it("refuse imports between nouns, and upwards inside the sandbox", () => {
    const sideways = [
      ["src/commands/label/x.ts", "../milestone/list.ts"],
      ["src/commands/admin/org/x.ts", "../../user/list.ts"],
      ["src/commands/compare.ts", "./pr/commits.ts"],
      ["src/commands/label/x-index.ts", "../index.ts"],
      ["src/sandbox/state/x.ts", "../api/labels.ts"],
      ["src/sandbox/http/x.ts", "../serializers/issues.ts"],
    ] as const;
    const names = inEachForm(sideways.map(([path]) => path));
    expect(refused(sideways).sort()).toEqual(names.sort());
  });

  it("allow imports from a floor below", () => {
    const downwards = [
      ["src/sandbox/api/y.ts", "../http/route.ts"],
      ["src/sandbox/api/y-failure.ts", "../../failure/failure.ts"],
      ["src/metrics/decode/y.ts", "../../text/json.ts"],
      ["src/app/y.ts", "../command/spec.ts"],
      ["src/text/y.ts", "node:net"],
      ["src/commands/pr/y.ts", "../../metrics/inputs.ts"],
      ["src/commands/admin/org/y.ts", "../user/list.ts"],
      ["src/commands/label/y.ts", "../activity.ts"],
      ["src/commands/api/y.ts", "../../http/path.ts"],
    ] as const;
    expect(refused(downwards)).toEqual([]);
  });

  it("allow the sandbox operations and records of src/forge, and no function", () => {
    const folder = sources({
      "src/forge/labels.ts":
        "export interface Label {}\nexport const labelEdit = {};\nexport function labelsApi() {}\n",
      "src/sandbox/api/data.ts":
        'import { type Label, labelEdit } from "../../forge/labels.ts";\nexport type X = Label;\nexport { labelEdit };\n',
      "src/sandbox/api/call.ts":
        'import { labelEdit, labelsApi } from "../../forge/labels.ts";\nlabelsApi(labelEdit);\n',
      "src/sandbox/api/all.ts": 'import * as labels from "../../forge/labels.ts";\nexport const x = labels;\n',
    });
    expect(floorProblems(folder).sort()).toEqual(
      ["all", "call"].map(
        (name) =>
          `src/sandbox/api/${name}.ts: src/sandbox may import operations, records, facts and scopes of src/forge, but none of its functions (src/forge/labels.ts)`,
      ),
    );
  });
});

describe("the linter", () => {
  it("refuses import cycles, also of types only", () => {
    const folder = sources({
      "src/text/a.ts": 'import type { B } from "./b.ts";\n\nexport interface A {\n  readonly b?: B;\n}\n',
      "src/text/b.ts": 'import type { A } from "./a.ts";\n\nexport interface B {\n  readonly a?: A;\n}\n',
    });
    cpSync(join(top, "biome.json"), join(folder, "biome.json"));
    const biome = join(top, "node_modules", ".bin", "biome");
    const args = ["lint", "--vcs-enabled=false", "--max-diagnostics=none", "--reporter=github", "src"];
    const { stdout } = spawnSync(biome, args, { cwd: folder, encoding: "utf8" });
    const found = [...stdout.matchAll(/title=lint\/\w+\/(\w+),file=([^,]+),/g)].map(
      ([, rule, path = ""]) => `${rule} ${path.slice(path.lastIndexOf("src/"))}`,
    );
    expect(found).toEqual(expect.arrayContaining(["noImportCycles src/text/a.ts", "noImportCycles src/text/b.ts"]));
  });

  it("refuse a path of the API outside src/forge, but not in examples and comments", () => {
    const named = {
      "src/app/text.ts": 'export const x = "/repos/{owner}/{repo}";\n',
      "src/sandbox/single.ts": "export const x = '/users/{username}';\n",
      "src/commands/root.ts": 'export const x = "/api/v1/user";\n',
      "src/commands/pattern.ts": "export const x = /^\\/api\\/v1\\/teams/;\n",
    };
    const allowed = {
      "src/forge/labels.ts": 'export const x = "/orgs/{org}/labels";\n',
      "src/commands/example.ts": 'export const x = ["Read it", "tongs api \'/repos/{owner}/{repo}\'"];\n',
      "src/commands/comment.ts": '/** Reads `"/repos/{owner}"`. */\nexport const x = "/api/v1/";\n',
    };
    const reason = "only src/forge names a path of the API";
    const problems = floorProblems(sources({ ...named, ...allowed }));
    expect(problems.sort()).toEqual(
      Object.keys(named)
        .map((file) => `${file}: ${reason}`)
        .sort(),
    );
  });
});

describe("the budgets", () => {
  it("refuse lines beyond them, folders without one, and questions outside of the plan engine", () => {
    const folder = sources({
      "src/app/x.ts": "1;\n2;\n3;\n",
      "src/commands/pr/ask.ts": 'import { batch } from "../../app/batch.ts";\n',
      "src/commands/pr/known.ts": "prompt.confirmAction({});\n",
      "src/commands/pr/generated/x.ts": "1;\n".repeat(9),
      "src/commands/star/x.ts": "1;\n",
      "test/x.ts": "1;\n",
    });
    const lines = { "src/app": 2, "src/commands/pr": 2, test: 1 };
    expect(budgetProblems(folder, { lines, ownQuestions: ["src/commands/pr/known.ts"] })).toEqual([
      expect.stringContaining("src/app has 3 lines, and its budget is 2"),
      "src/commands/star has no budget in scripts/budgets.json",
      expect.stringContaining("src/commands/pr/ask.ts: a question and work on many belong to the plan engine"),
    ]);
  });
});
