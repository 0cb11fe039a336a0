// Loaded before the program by --require: writes which files and which of Node's modules the program loaded.
const fs = require("node:fs");
const { Script } = require("node:vm");

const before = new Set(process.moduleLoadList);
const files = [];
const { runInThisContext } = Script.prototype;
Script.prototype.runInThisContext = function run(...values) {
  files.push(/([^/\\]+)\.js$/.exec(this.filename ?? "")?.[1]);
  return runInThisContext.apply(this, values);
};
const { readFileSync } = fs;
fs.readFileSync = (file, ...rest) => {
  if (/[/\\]dist[/\\][^/\\]+\.js$/.test(String(file))) files.push(/([^/\\]+)\.js$/.exec(file)[1]);
  return readFileSync(file, ...rest);
};

process.on("exit", () => {
  const own = Object.keys(require.cache).map((file) => /[/\\]dist[/\\](.*)\.js$/.exec(file)?.[1]);
  const named = [...new Set([...own, ...files])].filter((name) => name !== undefined);
  const builtin = process.moduleLoadList
    .filter((name) => !before.has(name) && name.startsWith("NativeModule "))
    .map((name) => name.slice("NativeModule ".length))
    .filter((name) => !name.startsWith("internal/") && !name.startsWith("_"));
  fs.writeFileSync(process.env.LOADED, JSON.stringify({ own: named, builtin }));
});
