import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { debianPackage, pkgbuild } from "../../scripts/packages.mjs";

const top = join(import.meta.dirname, "../..");
const folder = () => mkdtempSync(join(tmpdir(), "tongs-packages-"));
const has = (program: string) => spawnSync(program, ["--version"]).status === 0;
const why = has("dpkg-deb") ? "" : " (skipped: there is no dpkg-deb here)";

/** Writes a list of licenses as the build does, unless it has. */
function writeNotices(): void {
  if (existsSync(join(top, "dist", "THIRD-PARTY-NOTICES.txt"))) return;
  mkdirSync(join(top, "dist"), { recursive: true });
  writeFileSync(join(top, "dist", "THIRD-PARTY-NOTICES.txt"), "tongs contains these packages:\n");
}

describe("the Debian package", () => {
  it.skipIf(why !== "")(`has the program, man pages, completions and licenses${why}`, () => {
    const made = folder();
    const program = join(made, "program");
    writeFileSync(program, "#!/bin/sh\necho tongs\n");
    writeNotices();
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
  it("names each program that was built, with its checksum", () => {
    const sum = "ab".repeat(32);
    const recipe = pkgbuild({ "tongs-linux-x64": sum, "tongs-darwin-arm64": "cd".repeat(32) });
    expect(recipe).toContain("arch=(x86_64)\n");
    expect(recipe).toContain(`sha256sums_x86_64=("${sum}")`);
    expect(recipe).not.toContain("darwin");
  });

  it("installs the program, man pages, completions and licenses", () => {
    writeNotices();
    const [srcdir, pkgdir] = [folder(), folder()];
    writeFileSync(join(srcdir, "PKGBUILD"), pkgbuild({ "tongs-linux-x64": "ab".repeat(32) }));
    writeFileSync(join(srcdir, "tongs-linux-x64"), "#!/bin/sh\necho tongs\n");
    // As makepkg does it, with any folder of the checkout.
    const env = { PATH: process.env["PATH"], CARCH: "x86_64", startdir: join(top, "bin"), srcdir, pkgdir };
    const made = spawnSync("bash", ["--norc", "-euc", '. "$srcdir/PKGBUILD"; package'], { env, encoding: "utf8" });
    expect(made).toMatchObject({ status: 0, stderr: "" });
    expect(spawnSync(join(pkgdir, "usr/bin/tongs"), { encoding: "utf8" }).stdout).toBe("tongs\n");
    for (const path of [
      "man/man1/tongs-pr.1",
      "man/man7/tongs-scripting.7",
      "bash-completion/completions/tongs",
      "zsh/site-functions/_tongs",
      "fish/vendor_completions.d/tongs.fish",
      "licenses/tongs/LICENSE",
      "licenses/tongs/THIRD-PARTY-NOTICES.txt",
    ]) {
      expect(readFileSync(join(pkgdir, "usr/share", path)).length, path).toBeGreaterThan(20);
    }
  });
});
