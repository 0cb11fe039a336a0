import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const top = join(import.meta.dirname, "..", "..");
const folder = mkdtempSync(join(tmpdir(), "tongs-lint-"));
cpSync(join(top, "biome.json"), join(folder, "biome.json"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The lint errors of these files, as `rule path`. */
function lint(files: Readonly<Record<string, string>>): string[] {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const biome = join(top, "node_modules", ".bin", "biome");
  const args = ["lint", "--vcs-enabled=false", "--max-diagnostics=none", "--reporter=github", "src"];
  const { stdout } = spawnSync(biome, args, { cwd: folder, encoding: "utf8" });
  return [...stdout.matchAll(/title=lint\/\w+\/(\w+),file=([^,]+),/g)].map(
    ([, rule, path = ""]) => `${rule} ${path.slice(path.lastIndexOf("src/"))}`,
  );
}

describe("the linter", () => {
  it("rejects imports from a floor above, and paths in commands, of code and of types, and accepts imports from a floor below", () => {
    const upwards: [string, string][] = [
      ["src/failure/x.ts", "../text/safe.ts"],
      ["src/http/x.ts", "../output/output.ts"],
      ["src/forge/x.ts", "../git/git.ts"],
      ["src/command/x.ts", "../app/context.ts"],
      ["src/app/x.ts", "../commands/index.ts"],
      ["src/docs/man/x.ts", "../../commands/index.ts"],
      ["src/metrics/x.ts", "../output/output.ts"],
      ["src/metrics/decode/x.ts", "../../http/client.ts"],
      ["src/commands/label/x.ts", "../../http/path.ts"],
      ["src/sandbox/x.ts", "../http/client.ts"],
      ["src/sandbox/api/x.ts", "../../forge/pulls.ts"],
    ];
    const downwards: [string, string][] = [
      ["src/sandbox/api/y.ts", "../http/route.ts"],
      ["src/sandbox/y.ts", "../failure/failure.ts"],
      ["src/metrics/decode/y.ts", "../../text/json.ts"],
      ["src/app/y.ts", "../command/spec.ts"],
      ["src/commands/pr/y.ts", "../../metrics/inputs.ts"],
      ["src/commands/api/y.ts", "../../http/path.ts"],
    ];
    const code = (target: string) => `import { x } from "${target}";\n\nexport const y = x;\n`;
    const type = (target: string) => `import type { X } from "${target}";\n\nexport type Y = X;\n`;
    const files = [...upwards, ...downwards].flatMap(([path, target]) => [
      [path, code(target)],
      [path.replace(".ts", "-type.ts"), type(target)],
    ]);
    const refused = upwards.flatMap(([path]) => [path, path.replace(".ts", "-type.ts")]);
    const found = lint(Object.fromEntries(files)).filter((line) => line.startsWith("noRestrictedImports "));
    expect(found.sort()).toEqual(refused.map((path) => `noRestrictedImports ${path}`).sort());
  });

  it("rejects import cycles, also of types only", () => {
    const files = {
      "src/text/a.ts": 'import type { B } from "./b.ts";\n\nexport interface A {\n  readonly b?: B;\n}\n',
      "src/text/b.ts": 'import type { A } from "./a.ts";\n\nexport interface B {\n  readonly a?: A;\n}\n',
    };
    expect(lint(files)).toEqual(
      expect.arrayContaining(["noImportCycles src/text/a.ts", "noImportCycles src/text/b.ts"]),
    );
  });
});
