// How the sources become the files of dist. See build.mjs.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Module } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";

/** A module that so many commands need goes into the file of common ones: common to a noun, or to all. */
const shared = 3;
const [start, running] = ["src/main.ts", "src/command/run.ts"];
const [execution, connecting] = ["src/command/execute.ts", "src/command/open-context.ts"];
/** What Node has loaded before the program, or what every command needs: to import it costs nothing more. */
const loadedAnyway = /^node:(buffer|events|fs|http|net|os|path|stream|url|util)$/;

const common = {
  bundle: true,
  minify: true,
  platform: "node",
  target: "node20",
  write: false,
  legalComments: "none",
  logLevel: "warning",
};
const toCommonJs = { format: "cjs", supported: { "dynamic-import": false } };

/** Every file of dist by its name, help aside. */
export async function bundleFiles(top) {
  const esbuild = await import("esbuild");
  const settings = { ...common, absWorkingDir: top, define: { TONGS_VERSION: JSON.stringify(versionOf(top)) } };
  const plan = planned(await readGraph(esbuild, settings));
  const names = await exportedNames(esbuild, settings, plan);
  const build = { esbuild, settings, top, plan, names };
  const files = new Map(await commands(build));
  // The last group first: each exports what the files before it were found to use.
  for (const name of [...plan.groups.keys()].reverse()) {
    if (name === "main") settings.define.TONGS_BUILD = JSON.stringify(digest(files));
    files.set(`${name}.js`, await group(build, name, usedOf(name, files)));
  }
  for (const [name, file] of plan.libraries) {
    const stdin = { contents: `module.exports = require(${JSON.stringify(name)});`, resolveDir: join(top, "src") };
    const built = await esbuild.build({ ...settings, stdin, format: "cjs" });
    files.set(file, built.outputFiles[0].text);
  }
  return new Map([...files].map(([name, text]) => [name, inPlace(text)]));
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

function digest(files) {
  const hash = createHash("sha256");
  for (const [name, text] of files) hash.update(name).update(text);
  return hash.digest("hex").slice(0, 16);
}

function versionOf(top) {
  return JSON.parse(readFileSync(join(top, "package.json"), "utf8")).version;
}

/** What imports what: for each file its static imports, and what it imports when it is needed. */
async function readGraph(esbuild, settings) {
  const options = {
    ...settings,
    entryPoints: [start, running],
    outdir: "dist",
    splitting: true,
    format: "esm",
    metafile: true,
  };
  const { metafile } = await esbuild.build(options);
  const graph = new Map();
  for (const [file, { imports }] of Object.entries(metafile.inputs)) {
    const later = imports.filter(({ kind, external }) => kind === "dynamic-import" && !external);
    const now = imports.filter(({ kind }) => kind !== "dynamic-import");
    graph.set(file, {
      static: now.filter(({ external }) => !external).map(({ path }) => path),
      builtin: now.filter(({ external }) => external).map(({ path }) => path),
      dynamic: later.map(({ path, original }) => ({ path, original })),
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
  const nounOf = (file) => plain(file.replace(/^src\/commands\/([\w-]+).*$/, "$1"));
  const uses = new Map();
  for (const entry of lazy.filter((file) => file.startsWith("src/commands/"))) {
    for (const file of needs(entry)) uses.set(file, [...(uses.get(file) ?? []), nounOf(entry)]);
  }
  const isLight = (file) => own(file) && graph.get(file).builtin.every((name) => loadedAnyway.test(name));
  const often = [...uses]
    .filter(([file, nouns]) => nouns.length >= shared && !lazy.includes(file) && [...needs(file)].every(isLight))
    .map(([file, nouns]) => ({ file, nouns: new Set(nouns) }));

  const groups = new Map();
  const groupOf = (file) => [...groups.keys()].find((name) => groups.get(name).has(file));
  const add = (name, files) => {
    const members = [...files].filter((file) => own(file) && groupOf(file) === undefined);
    if (members.length > 0) groups.set(name, new Set(members));
  };
  add("main", needs(start));
  add("run", needs(running));
  add("core", needs(execution));
  add("server", needs(connecting));
  const filesOf = (fits) => often.filter(({ nouns }) => fits(nouns)).map(({ file }) => file);
  const common = filesOf((nouns) => nouns.size > 1);
  const isPlain = (file) => ![...needs(file)].some((needed) => groupOf(needed) === "server");
  const [plainOnes, others] = [common.filter(isPlain), common.filter((file) => !isPlain(file))];
  add("common", plainOnes);
  add("common-server", others);
  for (const noun of new Set([...uses.values()].flat())) {
    add(
      `all-${noun}`,
      filesOf((nouns) => nouns.size === 1 && nouns.has(noun)),
    );
  }

  const alone = lazy.filter((file) => groupOf(file) === undefined);
  const entries = new Map(alone.map((file) => [file, entryName(file)]));
  const outside = dynamic.filter(({ path }) => !own(path)).map(({ original }) => original);
  const libraries = new Map(outside.map((name) => [name, `npm-${plain(name)}.js`]));
  const later = new Set([running, ...dynamic.map(({ path }) => path)]);
  return { groups, groupOf, later, entries, libraries };
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

/** The names that each module of a group exports. */
async function exportedNames(esbuild, settings, { groups }) {
  const entryPoints = [...groups.values()].flatMap((members) => [...members]);
  const options = { ...settings, entryPoints, outdir: "dist", splitting: true, format: "esm", metafile: true };
  const { metafile } = await esbuild.build({ ...options, packages: "external" });
  const outputs = Object.values(metafile.outputs).filter(({ entryPoint }) => entryPoint !== undefined);
  return new Map(outputs.map(({ entryPoint, exports }) => [entryPoint, exports]));
}

/** The files of the commands and of all that is loaded when it is needed, and what they share. */
async function commands({ esbuild, settings, top, plan }) {
  const entryPoints = Object.fromEntries([...plan.entries].map(([file, name]) => [name, file]));
  const plugins = [elsewhere(top, plan)];
  const chunks = { outdir: "dist", chunkNames: "chunk-[hash]", splitting: true, format: "esm" };
  const built = await esbuild.build({ ...settings, ...chunks, entryPoints, plugins });
  const { minify, platform, target, legalComments } = settings;
  return Promise.all(
    built.outputFiles.map(async ({ path, text }) => {
      const { code } = await esbuild.transform(text, { minify, platform, target, legalComments, ...toCommonJs });
      return [relative(join(top, "dist"), path), code];
    }),
  );
}

/** One file for a group of modules. It exports one object, and in that one for each module that other files use. */
async function group({ esbuild, settings, top, plan, names }, name, used) {
  const members = [...plan.groups.get(name)];
  const lines = members.includes(start) ? [`import "./${start}";`] : [];
  const exported = [];
  members.forEach((file, index) => {
    if (!used.has(key(file)) && !plan.later.has(file)) return;
    const items = names.get(file).map((item) => ({ item, local: `${item}_${index}` }));
    lines.push(`import { ${items.map(({ item, local }) => `${item} as ${local}`).join(", ")} } from "./${file}";`);
    exported.push(`"${key(file)}": { ${items.map(({ item, local }) => `${item}: ${local}`).join(", ")} }`);
  });
  const contents = `${lines.join("\n")}\nexport default { ${exported.join(", ")} };`;
  const stdin = { contents, resolveDir: top, sourcefile: `${name}.mjs` };
  const plugins = [elsewhere(top, plan, name)];
  const built = await esbuild.build({ ...settings, ...toCommonJs, stdin, plugins });
  return built.outputFiles[0].text;
}

/** Leaves to the other files of dist what they hold. `here` is the group that is being built, if it is one. */
function elsewhere(top, plan, here) {
  return {
    name: "elsewhere",
    setup(build) {
      build.onResolve({ filter: /^\.{1,2}\// }, ({ path, importer, resolveDir, kind }) => {
        if (importer.includes("node_modules")) return undefined;
        const found = relative(top, resolve(resolveDir || dirname(importer), path));
        const file = found.split(sep).join("/");
        const later = kind === "dynamic-import";
        const name = plan.groupOf(file);
        if (name !== undefined && name !== here) return { path: `tongs:${name}#${key(file)}`, external: true };
        const entry = plan.entries.get(file);
        // Within one build esbuild itself makes an import that is not followed at once.
        return entry !== undefined && here !== undefined && later
          ? { path: `./${entry}.js`, external: true }
          : undefined;
      });
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
        // commander would load it at once, for subcommands in programs of their own: there are none.
        const absent = path === "node:child_process" && importer.includes(join("node_modules", "commander"));
        if (absent) return { path, namespace: "absent" };
        const library = kind === "dynamic-import" ? plan.libraries.get(path) : undefined;
        return library === undefined ? undefined : { path: `./${library}`, external: true };
      });
      build.onLoad({ filter: /./, namespace: "absent" }, () => ({ contents: "" }));
    },
  };
}

/** The modules of a group that files use. */
function usedOf(name, files) {
  const uses = new RegExp(`"tongs:${name}#([^"]+)"`, "g");
  return new Set([...files.values()].flatMap((text) => [...text.matchAll(uses)].map(([, module]) => module)));
}

/** Turns the names of modules in groups into their place. */
function inPlace(text) {
  return text.replace(
    /require\("tongs:([\w-]+)#([^"]+)"\)/g,
    (_whole, name, module) => `require("./${name}.js").default["${module}"]`,
  );
}
