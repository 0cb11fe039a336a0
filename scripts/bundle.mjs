// How the sources become the files of dist: rolldown's own code splitting, CommonJS because Node starts it faster.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { top } from "./setup.mjs";

const { version } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));

const input = {
  cwd: top,
  platform: "node",
  transform: { target: "node20", define: { TONGS_VERSION: JSON.stringify(version) } },
};

// Found by src/system/worker.ts, in dist as in the sources.
const workers = Object.fromEntries(
  ["jq", "search"].map((name) => [`workers/${name}`, `src/system/workers/${name}.js`]),
);

/** Writes dist: main.js, the worker threads, a file for each command, and chunks for what several of them share. */
export async function bundleProgram(dist) {
  const bundle = await rolldown({ ...input, input: { main: "src/main.ts", ...workers } });
  await bundle.write({
    dir: dist,
    format: "cjs",
    minify: true,
    chunkFileNames: "[name]-[hash].js",
    entryFileNames: "[name].js",
  });
  await bundle.close();
}

/** Bundles modules of the sources into one file in the folder, loads it, and returns what they export. */
export async function loadSources(modules, folder) {
  const entry = "tongs:entry";
  const lines = modules.map((module) => `export * from ${JSON.stringify(join(top, module))};`);
  const bundle = await rolldown({
    ...input,
    input: entry,
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? lines.join("\n") : null),
      },
    ],
  });
  const file = join(folder, "sources.cjs");
  await bundle.write({ file, format: "cjs", codeSplitting: false });
  await bundle.close();
  return createRequire(file)(file);
}
