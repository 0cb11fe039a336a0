#!/usr/bin/env node

const isCached = process.getuid && !process.env.NODE_DISABLE_COMPILE_CACHE;
// Node 20 has no compile cache, and loading node:module to find that out takes a moment.
const isNode20 = process.version.startsWith("v20.");
if (isCached && !isNode20) {
  const { enableCompileCache } = require("node:module");
  const folder = enableCompileCache && privateFolder(process.env.XDG_CACHE_HOME, process.env.HOME);
  if (folder) enableCompileCache(folder);
}

require("../dist/main.js");

if (isCached && isNode20) {
  // Of the files that main.js loads, because --version and --help need none of them.
  const { prototype } = module.constructor;
  const compile = prototype._compile;
  prototype._compile = function (...content) {
    prototype._compile = compile;
    const folder = privateFolder(process.env.XDG_CACHE_HOME, process.env.HOME);
    if (folder) require("./code-cache.js")(folder);
    return this._compile(...content);
  };
}

/**
 * The directory of Node's compile cache: `tongs` in XDG_CACHE_HOME or ~/.cache, created if necessary. Undefined if anyone
 * but the user and root can write to it or to a directory above it, because Node executes its content.
 */
function privateFolder(cache, home) {
  const fs = require("node:fs");
  const path = require("node:path");
  const base = cache || (home && path.join(home, ".cache"));
  if (!base || !path.isAbsolute(base)) return undefined;
  const user = process.getuid();
  try {
    // Not with `recursive`, which never ends for a path such as /proc/x/y.
    createFolder(fs, base);
    createFolder(fs, path.join(base, "tongs"));
    const folder = fs.realpathSync.native(path.join(base, "tongs"));
    for (let at = folder; ; at = path.dirname(at)) {
      const { uid, mode } = fs.statSync(at);
      const owned = uid === user || (uid === 0 && at !== folder);
      // In a sticky directory such as /tmp, other users cannot replace our files.
      const sticky = (mode & 0o1000) !== 0 && at !== folder;
      if (!owned || ((mode & 0o022) !== 0 && !sticky)) return undefined;
      if (at === path.dirname(at)) return folder;
    }
  } catch {
    return undefined;
  }
}

/** Creates a directory unless it exists. */
function createFolder(fs, folder) {
  if (!fs.existsSync(folder)) fs.mkdirSync(folder, { mode: 0o700 });
}
