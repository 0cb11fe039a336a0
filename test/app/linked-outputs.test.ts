import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { kebab } from "../../src/command/flags.ts";
import { allCommands } from "../../src/command/write-help.ts";
import { table } from "../../src/commands/index.ts";
import { serveArtifacts } from "../commands/artifact/artifact-server.ts";
import { atEnd } from "../support/at-end.ts";
import { emptyFolder, tongs } from "../support/tongs.ts";
import { zip } from "../support/zip.ts";

/** A clone of a repository that has a link into its own .git. */
function hostileClone(): string {
  const cwd = emptyFolder();
  mkdirSync(join(cwd, ".git/hooks"), { recursive: true });
  symlinkSync(".git/hooks", join(cwd, "dist"));
  return cwd;
}

const message = (link: string) => `'${link}' is a symbolic link; files are not written through it`;

/** A line for each argument and flag that names a file or directory to write. */
async function linesTo(path: string): Promise<string[][]> {
  const commands = await allCommands(table);
  return commands.flatMap(({ words, command: { args, flags } }) => {
    const required = Object.values(args).filter(({ count }) => count === "one" || count === "many");
    const others = required.filter(({ names }) => names !== "output file").map(() => "1");
    const asArgs = Object.values(args).filter(({ names }) => names === "output file");
    const asFlags = Object.entries(flags).filter(([, one]) => one.names === "output file" && one.form === "value");
    const fill = required.map(({ names }) => (names === "output file" ? "-" : "1"));
    return [
      ...asArgs.map(() => [...words, ...others, path]),
      ...asFlags.map(([key]) => [...words, ...fill, `--${kebab(key)}`, path]),
    ];
  });
}

describe("a relative path to write to", () => {
  it("leads through no symbolic link, whatever command writes there", async () => {
    const cwd = hostileClone();
    const lines = await linesTo("dist/new");
    expect(lines.length).toBeGreaterThan(20);
    for (const line of lines) {
      const ran = await tongs(line, { cwd, env: { TONGS_HOST: "http://127.0.0.1:1", TONGS_TOKEN: "not-a-secret" } });
      expect([ran.code, ran.stderr], line.join(" ")).toEqual([2, expect.stringContaining(message("dist"))]);
      expect(ran.stderr).toContain(join(cwd, ".git/hooks/new"));
    }
    expect(readdirSync(join(cwd, ".git/hooks"))).toEqual([]);
  });

  it("is no link itself, unless it is absolute", async () => {
    const content = zip([{ name: "post-checkout", content: "#!/bin/sh\n", mode: 0o100755 }]);
    const server = await serveArtifacts([{ id: 14, name: "docs", content, etag: '"one"' }]);
    atEnd(() => server.close());
    const cwd = hostileClone();
    mkdirSync(join(cwd, "sub"));
    const download = (dir: string, from = cwd) => server.run(["download", "14", "-D", dir], { cwd: from });
    for (const [dir, link, from] of [
      ["dist", "dist", cwd],
      ["./dist/", "dist", cwd],
      ["dist/../out", "dist", cwd],
      ["../dist", "../dist", join(cwd, "sub")],
    ] as const) {
      expect(await download(dir, from), dir).toMatchObject({ code: 2, stderr: expect.stringContaining(message(link)) });
    }
    expect(readdirSync(join(cwd, ".git/hooks"))).toEqual([]);
    expect((await download("../out", join(cwd, "sub"))).code).toBe(0);
    expect(readFileSync(join(cwd, "out/post-checkout"), "utf8")).toBe("#!/bin/sh\n");
    expect((await download(join(cwd, "dist"))).code).toBe(0);
    expect(readdirSync(join(cwd, ".git/hooks"))).toEqual(["post-checkout"]);
  });
});
