// Bundles the sources into dist, by the code splitting of rolldown; as CommonJS, because Node starts it faster.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { nativeLibraries, top } from "./setup.mjs";

const { version } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));

/** @type {import("rolldown").InputOptions} */
const input = {
  cwd: top,
  platform: "node",
  external: nativeLibraries,
  transform: { target: "node20", define: { TONGS_VERSION: JSON.stringify(version) } },
};

/**
 * Each group becomes one file: the matching modules with their static imports, except modules of earlier groups. Without
 * groups, a command loads sixty files, and opening a file takes longer than reading it.
 */
const groups = [
  // What --version and --help need.
  { name: "main", test: sources("main") },
  // The command table, and what all commands import.
  {
    name: "commands",
    test: sources(
      "app/(run|define)|commands/index|command/(route|global-flags)|output/(output|report-failure)|failure/.*|text/(nearest|words)",
    ),
  },
  { name: "execute", test: sources("app/execute") },
  // The connection to a server, and the operations that most commands use.
  { name: "server", test: sources("app/open-context|forge/(pulls|comments|listings)") },
  // What most commands for pull requests share.
  { name: "pull", test: sources("commands/pr/(find|shared)|git/refs|forge/reviews") },
  // The decoder of readings and what prints them: a call between files costs more than most of their functions.
  {
    name: "readings",
    test: sources("metrics/(decode/(?!reading)|formats/|stream/|series/(?!spans)|reading-writer).*"),
  },
  // Help, and the errors for command lines that select no command.
  { name: "help", test: sources("app/help") },
];

/**
 * Matches source files by their path below src, without the extension.
 * @param {string} paths
 */
function sources(paths) {
  return new RegExp(String.raw`[\\/]src[\\/](${paths.replaceAll("/", String.raw`[\\/]`)})\.ts$`);
}

/**
 * commander imports node:child_process for subcommands that are programs. tongs has none, and loading it takes 2 ms.
 * @type {import("rolldown").Plugin}
 */
const noSubcommandPrograms = {
  name: "no-subcommand-programs",
  resolveId: (id, importer) =>
    id === "node:child_process" && /[\\/]node_modules[\\/]commander[\\/]/.test(importer ?? "") ? "\0nothing" : null,
  load: (id) => (id === "\0nothing" ? "export default {};" : null),
};

/**
 * Source maps are for the sources of tongs: those of libraries would be half of the package.
 * @type {import("rolldown").Plugin}
 */
const noMapsOfLibraries = {
  name: "no-maps-of-libraries",
  transform: (code, id) => (/[\\/]node_modules[\\/]/.test(id) ? { code, map: { mappings: "" } } : null),
};

/**
 * `import text from "FILE?raw"` is the text of a file, as in vite.
 * @type {import("rolldown").Plugin}
 */
export const rawText = {
  name: "raw-text",
  async resolveId(id, importer) {
    if (!id.endsWith("?raw")) return null;
    const file = id.slice(0, -"?raw".length);
    if (file.startsWith(".")) return `${join(dirname(importer ?? ""), file)}?raw`;
    // Not by the exports of the package, which do not name its license.
    return `${join(top, "node_modules", file)}?raw`;
  },
  load: (id) =>
    id.endsWith("?raw")
      ? {
          code: `export default ${JSON.stringify(readFileSync(id.slice(0, -"?raw".length), "utf8"))};`,
          moduleType: "js",
        }
      : null,
};

/**
 * The name of a library's package, which names its file better than `dist` or `index`.
 * @param {string | null | undefined} module
 */
function packageName(module) {
  return /.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?([^\\/]+)/.exec(module ?? "")?.[1];
}

/** The worker threads and the process of the keyring, which src/system finds in dist as in the sources. */
const workers = Object.fromEntries(
  ["unbounded", "datagrams", "keyring"].map((name) => [`workers/${name}`, `src/system/workers/${name}.js`]),
);

/**
 * How the program is bundled into a directory: main.js, the workers, a file for each command, and those they share.
 * @param {string} dist
 * @returns {import("rolldown").WatchOptions & { output: import("rolldown").OutputOptions }}
 */
export function programOptions(dist) {
  return {
    ...input,
    input: { main: "src/main.ts", ...workers },
    plugins: [noSubcommandPrograms, rawText, noMapsOfLibraries],
    output: {
      dir: dist,
      format: "cjs",
      // The names of functions are kept for stack traces.
      minify: { mangle: { keepNames: { function: true, class: true } } },
      sourcemap: true,
      sourcemapExcludeSources: true,
      // Code from the cache of Node 20 (see bin/code-cache.js) cannot import.
      dynamicImportInCjs: false,
      // V8 reads a file faster that has only ASCII characters.
      charset: "ascii",
      chunkFileNames: ({ name, facadeModuleId }) => `${packageName(facadeModuleId) ?? name}-[hash].js`,
      entryFileNames: "[name].js",
      codeSplitting: { groups },
    },
  };
}

/**
 * Bundles the program into a directory. Returns the paths of all bundled modules.
 * @param {string} dist
 */
export async function bundleProgram(dist) {
  const { output, ...options } = programOptions(dist);
  const bundle = await rolldown(options);
  const { output: files } = await bundle.write(output);
  await bundle.close();
  return files.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
}

/**
 * Bundles a module and its imports into one file.
 * @param {string} entry
 * @param {string} file
 * @param {{ format?: "cjs" | "esm", define?: Record<string, string>, plugins?: import("rolldown").Plugin[] }} [options]
 */
export async function bundleFile(entry, file, { format = "cjs", define = {}, plugins = [] } = {}) {
  const transform = { ...input.transform, define: { ...input.transform?.define, ...define } };
  const bundle = await rolldown({ ...input, transform, input: entry, plugins: [rawText, ...plugins] });
  await bundle.write({ file, format, minify: true, codeSplitting: false });
  await bundle.close();
}

/**
 * Bundles modules of the sources into one file in a directory, loads it and returns the exports of all.
 * @param {readonly string[]} modules
 * @param {string} folder
 */
export async function loadSources(modules, folder) {
  const entry = "tongs:entry";
  const lines = modules.map((module) => `export * from ${JSON.stringify(join(top, module))};`);
  /** @type {import("rolldown").Plugin} */
  const plugin = {
    name: "entry",
    resolveId: (id) => (id === entry ? id : null),
    load: (id) => (id === entry ? lines.join("\n") : null),
  };
  const file = join(folder, "sources.cjs");
  await bundleFile(entry, file, { plugins: [plugin] });
  return createRequire(file)(file);
}
