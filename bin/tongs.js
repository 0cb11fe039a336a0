#!/usr/bin/env node

// Node 20 has no compile cache, and loading node:module to find that out takes a moment.
if (!process.version.startsWith("v20.") && process.getuid) {
  const { enableCompileCache } = require("node:module");
  const folder = enableCompileCache && privateFolder(process.env.XDG_CACHE_HOME, process.env.HOME);
  if (folder) enableCompileCache(folder);
}

require("../dist/main.js");

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
    const folder = fs.realpathSync(path.join(base, "tongs"));
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
