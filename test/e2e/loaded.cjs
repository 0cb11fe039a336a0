// Loaded by --require before the program: writes the names of the files and Node modules that the program loaded.
const fs = require("node:fs");

const before = new Set(process.moduleLoadList);

process.on("exit", () => {
  const own = Object.keys(require.cache).map((file) => /[/\\]dist[/\\](.*)\.js$/.exec(file)?.[1]);
  const named = own.filter((name) => name !== undefined);
  const builtin = process.moduleLoadList
    .filter((name) => !before.has(name) && name.startsWith("NativeModule "))
    .map((name) => name.slice("NativeModule ".length))
    .filter((name) => !name.startsWith("internal/") && !name.startsWith("_"));
  fs.writeFileSync(process.env.LOADED, JSON.stringify({ own: named, builtin }));
});
