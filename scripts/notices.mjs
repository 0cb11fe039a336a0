// The licenses of the libraries bundled into dist, which the bundler removes.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The notices for bundled modules: each package once, with its license. Throws if a package has none.
 * @param {readonly string[]} modules
 */
export function thirdPartyNotices(modules) {
  const folders = new Set(modules.flatMap((module) => packageFolder(module) ?? []));
  const notices = [...folders].map((folder) => notice(folder)).sort((one, other) => (one < other ? -1 : 1));
  return `tongs contains these packages:\n\n${[...new Set(notices)].join(`\n${"-".repeat(80)}\n\n`)}`;
}

/**
 * The directory of the package of a module; undefined for the sources of tongs.
 * @param {string} module
 */
function packageFolder(module) {
  const path = module.replace(/^\0/, "").replace(/\?.*$/, "");
  if (!/[\\/]node_modules[\\/]/.test(path)) return undefined;
  let folder = dirname(path);
  // Packages may have directories with a package.json that only sets the module type.
  while (!existsSync(join(folder, "package.json")) || manifest(folder).version === undefined) folder = dirname(folder);
  return folder;
}

/** @param {string} folder */
function manifest(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** @param {string} folder */
function notice(folder) {
  const { name, version, license, author, homepage } = manifest(folder);
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8").trim());
  if (texts.length === 0 && license === undefined) throw new Error(`${name} ${version} has no license.`);
  const by = typeof author === "object" ? author.name : author;
  const facts = [license, by, homepage].filter((fact) => fact !== undefined);
  return [`${name} ${version}`, ...(texts.length === 0 ? [facts.join("\n")] : texts)].join("\n\n").concat("\n");
}
