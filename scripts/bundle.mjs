// How the sources become the files of dist. See build.mjs.
import { readFileSync } from "node:fs";
import { Module } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";

/** A module that so many commands need goes into the core. */
const shared = 3;
const start = "src/main.ts";
const running = "src/command/run.ts";
const execution = "src/command/execute.ts";

const common = {
  bundle: true,
  minify: true,
  platform: "node",
  target: "node20",
  write: false,
  legalComments: "none",
  logLevel: "warning",
};

/** Every file of dist by its name, help aside. */
export async function bundleFiles(top) {
  const esbuild = await import("esbuild");
  const settings = { ...common, absWorkingDir: top, define: { TONGS_VERSION: JSON.stringify(versionOf(top)) } };
  const graph = await readGraph(esbuild, settings);
  const plan = planned(graph);
  const files = new Map();
  const add = (name, text) => files.set(name, inPlace(text));

  for (const [name, members] of plan.groups) {
    add(`${name}.js`, await group(esbuild, settings, { top, plan, name, members }));
  }
  for (const [name, text] of await commands(esbuild, settings, { top, plan })) add(name, text);
  for (const [name, file] of plan.libraries) {
    const stdin = { contents: `module.exports = require(${JSON.stringify(name)});`, resolveDir: join(top, "src") };
    const built = await esbuild.build({ ...settings, stdin, format: "cjs" });
    add(file, built.outputFiles[0].text);
  }
  return files;
}

/** Bundles a source file whole, runs it, and returns what it exports. */
export async function bundleToRun(top, source) {
  const esbuild = await import("esbuild");
  const define = { TONGS_VERSION: JSON.stringify(versionOf(top)) };
  const entryPoints = [source];
  const built = await esbuild.build({ ...common, absWorkingDir: top, define, entryPoints, format: "cjs" });
  const file = join(top, "dist", "run.js");
  const module = new Module(file);
  module.filename = file;
  module.paths = [join(top, "node_modules")];
  module._compile(built.outputFiles[0].text, file);
  return module.exports;
}

function versionOf(top) {
  return JSON.parse(readFileSync(join(top, "package.json"), "utf8")).version;
}

/** What imports what: for each file its static imports, and what it imports when it is needed. */
async function readGraph(esbuild, settings) {
  const options = { ...settings, entryPoints: [start], outdir: "dist", splitting: true, format: "esm", metafile: true };
  const { metafile } = await esbuild.build(options);
  const graph = new Map();
  for (const [file, { imports }] of Object.entries(metafile.inputs)) {
    const inside = imports.filter(({ external }) => !external);
    const dynamic = inside.filter(({ kind }) => kind === "dynamic-import");
    graph.set(file, {
      static: inside.filter(({ kind }) => kind !== "dynamic-import").map(({ path }) => path),
      dynamic: dynamic.map(({ path, original }) => ({ path, original })),
    });
  }
  return graph;
}

/** Which file of dist each module goes to. */
function planned(graph) {
  const needs = (file, found = new Set()) => {
    if (found.has(file)) return found;
    found.add(file);
    for (const next of graph.get(file).static) needs(next, found);
    return found;
  };
  const own = (file) => file.startsWith("src/");
  const dynamic = [...graph.values()].flatMap((file) => file.dynamic);
  const lazy = [...new Set(dynamic.map(({ path }) => path))].filter(own);
  const uses = new Map();
  for (const entry of lazy.filter((file) => file.startsWith("src/commands/"))) {
    for (const file of needs(entry)) uses.set(file, (uses.get(file) ?? 0) + 1);
  }
  const often = [...uses].filter(([file, count]) => count >= shared && !lazy.includes(file)).map(([file]) => file);

  const groups = new Map();
  const grouped = (file) => [...groups.values()].some((members) => members.has(file));
  const add = (name, files) => groups.set(name, new Set([...files].filter((file) => own(file) && !grouped(file))));
  add("main", needs(start));
  add("run", needs(running));
  add("core", [...needs(execution), ...often]);
  const entries = new Map(lazy.filter((file) => !grouped(file)).map((file) => [file, entryName(file)]));
  const libraries = new Map(
    dynamic.filter(({ path }) => !own(path)).map(({ original }) => [original, `npm-${plain(original)}.js`]),
  );
  return { groups, entries, libraries };
}

/** `src/commands/pr/view.ts` is `pr-view`. */
function entryName(file) {
  return plain(file.replace(/^src\/(commands\/)?/, "").replace(/\.ts$/, ""));
}

function plain(name) {
  return name.replace(/[^\w.-]+/g, "-").replace(/^-/, "");
}

/** A module's name inside its group. */
function key(file) {
  return file.replace(/^src\//, "").replace(/\.ts$/, "");
}

/** One file for a group of modules. Its exports are the modules by name; the one that starts the program is run. */
async function group(esbuild, settings, { top, plan, name, members }) {
  const lines = [...members]
    .filter((file) => file !== start)
    .map((file) => `get ${JSON.stringify(key(file))}() { return require(${JSON.stringify(`./${file}`)}); }`);
  const contents = `module.exports = {\n${lines.join(",\n")}\n};\n${members.has(start) ? `require("./${start}");` : ""}`;
  const built = await esbuild.build({
    ...settings,
    stdin: { contents, resolveDir: top, sourcefile: `${name}.cjs` },
    format: "cjs",
    supported: { "dynamic-import": false },
    plugins: [elsewhere(top, plan, name)],
  });
  return built.outputFiles[0].text;
}

/** The files of the commands and of all that is loaded when it is needed, and what they share. */
async function commands(esbuild, settings, { top, plan }) {
  const built = await esbuild.build({
    ...settings,
    entryPoints: Object.fromEntries([...plan.entries].map(([file, name]) => [name, file])),
    outdir: "dist",
    chunkNames: "chunk-[hash]",
    splitting: true,
    format: "esm",
    plugins: [elsewhere(top, plan)],
  });
  return Promise.all(
    built.outputFiles.map(async ({ path, text }) => {
      const supported = { "dynamic-import": false };
      const { code } = await esbuild.transform(text, { ...settingsOf(settings), format: "cjs", supported });
      return [relative(join(top, "dist"), path), code];
    }),
  );
}

function settingsOf({ minify, platform, target, legalComments }) {
  return { minify, platform, target, legalComments };
}

/** Leaves to the other files of dist what they hold. `here` is the group that is being built, if it is one. */
function elsewhere(top, plan, here) {
  return {
    name: "elsewhere",
    setup(build) {
      build.onResolve({ filter: /^\.{1,2}\// }, ({ path, importer, resolveDir, kind }) => {
        if (importer.includes("node_modules")) return undefined;
        const file = relative(top, resolve(resolveDir || dirname(importer), path))
          .split(sep)
          .join("/");
        for (const [name, members] of plan.groups) {
          if (members.has(file) && name !== here) return { path: `tongs:${name}#${key(file)}`, external: true };
        }
        const entry = plan.entries.get(file);
        // Within one build esbuild itself makes an import that is not followed at once.
        if (entry !== undefined && here !== undefined && kind === "dynamic-import") {
          return { path: `./${entry}.js`, external: true };
        }
        return undefined;
      });
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
        // commander would load it at each start, for subcommands in programs of their own: there are none.
        if (path === "node:child_process" && importer.includes(join("node_modules", "commander"))) {
          return { path, namespace: "absent" };
        }
        const library = kind === "dynamic-import" ? plan.libraries.get(path) : undefined;
        return library === undefined ? undefined : { path: `./${library}`, external: true };
      });
      build.onLoad({ filter: /./, namespace: "absent" }, () => ({ contents: "" }));
    },
  };
}

/** `require("tongs:core#http/path")` is the module of that name in the group's file. */
function inPlace(text) {
  return text.replace(
    /require\("tongs:(\w+)#([^"]+)"\)/g,
    (_whole, name, module) => `require("./${name}.js")["${module}"]`,
  );
}
