import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const scripts = "../../scripts/packages.mjs";
const { debianPackage, pkgbuild } = (await import(scripts)) as {
  debianPackage(target: string, program: string, folder: string): string;
  pkgbuild(sums: Readonly<Record<string, string>>): string;
};

const top = join(import.meta.dirname, "../..");
const folder = () => mkdtempSync(join(tmpdir(), "tongs-packages-"));
const has = (program: string) => spawnSync(program, ["--version"]).status === 0;
const why = has("dpkg-deb") ? "" : " (skipped: there is no dpkg-deb here)";

describe("the Debian package", () => {
  it.skipIf(why !== "")(`has the program, man pages, completions and licenses${why}`, () => {
    const made = folder();
    const program = join(made, "program");
    writeFileSync(program, "#!/bin/sh\necho tongs\n");
    if (!existsSync(join(top, "dist", "THIRD-PARTY-NOTICES.txt"))) {
      mkdirSync(join(top, "dist"), { recursive: true });
      writeFileSync(join(top, "dist", "THIRD-PARTY-NOTICES.txt"), "tongs contains these packages:\n");
    }
    const file = debianPackage("linux-x64", program, made);
    const root = join(made, "unpacked");
    expect(spawnSync("dpkg-deb", ["-x", file, root]).status).toBe(0);
    expect(spawnSync(join(root, "usr/bin/tongs"), { encoding: "utf8" }).stdout).toBe("tongs\n");
    for (const path of [
      "share/man/man1/tongs-pr.1.gz",
      "share/man/man7/tongs-scripting.7.gz",
      "share/bash-completion/completions/tongs",
      "share/zsh/vendor-completions/_tongs",
      "share/fish/vendor_completions.d/tongs.fish",
      "share/doc/tongs/copyright",
      "share/doc/tongs/THIRD-PARTY-NOTICES.txt",
    ]) {
      expect(readFileSync(join(root, "usr", path)).length, path).toBeGreaterThan(20);
    }
    const control = spawnSync("dpkg-deb", ["--field", file], { encoding: "utf8" }).stdout;
    expect(control).toContain("Package: tongs\n");
    expect(control).toContain("Architecture: amd64\n");
    expect(spawnSync("dpkg-deb", ["--contents", file], { encoding: "utf8" }).stdout).not.toMatch(
      / (?!root\/root)\w+\/\w+ +\d/,
    );
  });
});

describe("the recipe for Arch Linux", () => {
  it("names each program that was built, with its checksum, and is valid shell", () => {
    const sum = "ab".repeat(32);
    const recipe = pkgbuild({ "tongs-linux-x64": sum, "tongs-darwin-arm64": "cd".repeat(32) });
    expect(recipe).toContain("arch=(x86_64)\n");
    expect(recipe).toContain(`sha256sums_x86_64=("${sum}")`);
    expect(recipe).not.toContain("darwin");
    expect(recipe).toContain('"$pkgdir/usr/share/man/man7" "$startdir"/man/*.7');
    const file = join(folder(), "PKGBUILD");
    writeFileSync(file, recipe);
    expect(spawnSync("bash", ["-n", file], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  });
});
