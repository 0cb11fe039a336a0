// Makes packages of standalone programs, which npm run build:standalone has built: npm run build:packages. Writes, beside
// the programs, a Debian package for each glibc program, and recipes for Arch Linux (PKGBUILD) and for a container image.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { top } from "./setup.mjs";

const { version, description, license } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
/** @type {Record<string, readonly [debian: string, arch: string]>} */
const architectures = { "linux-x64": ["amd64", "x86_64"], "linux-arm64": ["arm64", "aarch64"] };

/** The completion scripts, with the places where the shells look for them. */
const completions = {
  "tongs.bash": "share/bash-completion/completions/tongs",
  _tongs: "share/zsh/vendor-completions/_tongs",
  "tongs.fish": "share/fish/vendor_completions.d/tongs.fish",
};

/**
 * Builds a Debian package from a program; returns its path. Throws if dpkg-deb is missing or fails.
 * @param {string} target
 * @param {string} program
 * @param {string} folder
 */
export function debianPackage(target, program, folder) {
  const [architecture] = architectures[target] ?? [];
  const scratch = mkdtempSync(join(tmpdir(), "tongs-deb-"));
  try {
    const root = join(scratch, "root");
    installInto(join(root, "usr"), program);
    mkdirSync(join(root, "DEBIAN"));
    const size = Math.ceil(bytesBelow(root) / 1024);
    const control = [
      "Package: tongs",
      `Version: ${version}`,
      `Architecture: ${architecture}`,
      "Maintainer: the tongs authors <tongs@example.org>",
      `Installed-Size: ${size}`,
      "Depends: libc6 (>= 2.17)",
      "Recommends: git, ca-certificates",
      "Section: utils",
      "Priority: optional",
      `Description: ${description}`,
    ];
    writeFileSync(join(root, "DEBIAN", "control"), `${control.join("\n")}\n`);
    const file = join(folder, `tongs_${version}_${architecture}.deb`);
    const built = spawnSync("dpkg-deb", ["--root-owner-group", "-Zgzip", "--build", root, file], { encoding: "utf8" });
    if (built.status !== 0) throw new Error(`dpkg-deb failed: ${built.error?.message ?? built.stderr}`);
    return file;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * Copies a program with its man pages, completions and licenses below a prefix.
 * @param {string} prefix
 * @param {string} program
 */
function installInto(prefix, program) {
  /** @type {(from: string, to: string, mode?: number) => void} */
  const copy = (from, to, mode = 0o644) => {
    mkdirSync(join(prefix, to, ".."), { recursive: true });
    cpSync(from, join(prefix, to));
    chmodSync(join(prefix, to), mode);
  };
  copy(program, "bin/tongs", 0o755);
  for (const [name, path] of Object.entries(completions)) copy(join(top, "completions", name), path);
  copy(join(top, "LICENSE"), "share/doc/tongs/copyright");
  copy(join(top, "dist", "THIRD-PARTY-NOTICES.txt"), "share/doc/tongs/THIRD-PARTY-NOTICES.txt");
  for (const page of readdirSync(join(top, "man"))) {
    const packed = gzipSync(readFileSync(join(top, "man", page)), { level: 9 });
    // The last character of the name is the section.
    const folder = join(prefix, "share/man", `man${page.at(-1)}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${page}.gz`), packed, { mode: 0o644 });
  }
}

/** @param {string} folder */
function bytesBelow(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.reduce((sum, entry) => sum + readFileSync(join(entry.parentPath, entry.name)).length, 0);
}

/**
 * A recipe for Arch Linux, which packs the program beside it with the man pages, completions and licenses of the
 * checkout.
 * @param {Readonly<Record<string, string>>} sums
 */
export function pkgbuild(sums) {
  /** @type {(arch: string, target: string) => string[]} */
  const sourcesOf = (arch, target) =>
    sums[`tongs-${target}`] === undefined
      ? []
      : [`source_${arch}=("tongs-${target}")`, `sha256sums_${arch}=("${sums[`tongs-${target}`]}")`];
  const arches = Object.entries(architectures).flatMap(([target, [, arch]]) =>
    sums[`tongs-${target}`] === undefined ? [] : [{ arch, target }],
  );
  return [
    "# Run makepkg in this folder of a checkout, which has the man pages, completions and licenses.",
    "pkgname=tongs",
    `pkgver=${version}`,
    "pkgrel=1",
    `pkgdesc="${description}"`,
    `arch=(${arches.map(({ arch }) => arch).join(" ")})`,
    `license=("${license}")`,
    'depends=("glibc")',
    'optdepends=("git: clone, check out and push")',
    "# The program contains its data behind its code.",
    'options=("!strip" "!debug")',
    ...arches.flatMap(({ arch, target }) => sourcesOf(arch, target)),
    "",
    "package() {",
    `  case "$CARCH" in ${arches.map(({ arch, target }) => `${arch}) program=tongs-${target} ;;`).join(" ")} esac`,
    '  install -Dm755 "$srcdir/$program" "$pkgdir/usr/bin/tongs"',
    '  install -Dm644 -t "$pkgdir/usr/share/man/man1" "$startdir"/../man/*.1',
    '  install -Dm644 -t "$pkgdir/usr/share/man/man7" "$startdir"/../man/*.7',
    ...Object.entries(completions).map(
      ([name, path]) =>
        `  install -Dm644 "$startdir/../completions/${name}" "$pkgdir/usr/${path.replace("vendor-completions", "site-functions")}"`,
    ),
    '  install -Dm644 -t "$pkgdir/usr/share/licenses/tongs" "$startdir/../LICENSE" "$startdir/../dist/THIRD-PARTY-NOTICES.txt"',
    "}",
    "",
  ].join("\n");
}

/** A recipe for a small container image for CI: the musl program, its C and C++ libraries, and certificates. */
export const containerfile = [
  "# Build in the folder of the programs: docker build -f Containerfile -t tongs .",
  "FROM alpine AS libraries",
  "RUN apk add --no-cache libstdc++ ca-certificates && mkdir -p /image/lib /image/usr/lib /image/etc/ssl/certs /image/tmp \\",
  "  && cp -L /lib/ld-musl-*.so.1 /image/lib/ && cp -L /usr/lib/libstdc++.so.6 /usr/lib/libgcc_s.so.1 /image/usr/lib/ \\",
  "  && cp -L /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/",
  "",
  "FROM scratch",
  "COPY --from=libraries /image /",
  "COPY tongs-linux-x64-musl /tongs",
  "ENV HOME=/tmp",
  "USER 65534",
  'ENTRYPOINT ["/tongs"]',
  "",
].join("\n");

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = join(top, "standalone");
  if (!existsSync(join(folder, "SHA256SUMS"))) {
    console.error("There are no standalone programs: run npm run build:standalone before.");
    process.exit(2);
  }
  const lines = readFileSync(join(folder, "SHA256SUMS"), "utf8").trim().split("\n");
  const sums = Object.fromEntries(lines.map((line) => line.split("  ").reverse()));
  writeFileSync(join(folder, "PKGBUILD"), pkgbuild(sums));
  writeFileSync(join(folder, "Containerfile"), containerfile);
  console.log("standalone/PKGBUILD, standalone/Containerfile");
  if (spawnSync("dpkg-deb", ["--version"]).status !== 0) {
    console.log("Skipped the Debian packages: there is no dpkg-deb here");
  } else {
    for (const target of Object.keys(architectures).filter((name) => sums[`tongs-${name}`] !== undefined)) {
      console.log(debianPackage(target, join(folder, `tongs-${target}`), folder).slice(top.length + 1));
    }
  }
}
