// The compile cache of Node 20, which has none of its own: what V8 compiled of the files in dist, one file for each. The
// package v8-compile-cache keeps code from before it ran, without the functions, and `pr view` gains nothing by it; with
// them a quarter.
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const vm = require("node:vm");
const { crc32 } = require("node:zlib");

/** What Node puts around a module. */
const [start, end] = Module.wrap("\0").split("\0");

const dist = path.join(__dirname, "..", "dist");

/**
 * Lets Node load the files of dist with compiled code from a directory, and write there what it had to compile itself when
 * the process exits.
 * @param {string} directory
 */
module.exports = function useCodeCache(directory) {
  const folder = path.join(directory, `${process.version}-${process.arch}`);
  /** @type {Map<string, { content: string, script: import("node:vm").Script }>} */
  const compiled = new Map();
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (content, file) {
    if (path.dirname(file) !== dist) return compile.call(this, content, file);
    const cache = path.join(folder, path.basename(file));
    const cachedData = read(cache, content);
    const script = new vm.Script(start + content + end, {
      filename: file,
      columnOffset: -start.length,
      cachedData,
    });
    if (!cachedData || script.cachedDataRejected) compiled.set(cache, { content, script });
    const run = script.runInThisContext();
    return run.call(this.exports, this.exports, (id) => this.require(id), this, file, dist);
  };
  process.once("exit", () => {
    for (const [cache, { content, script }] of compiled) if (!write(cache, content, script.createCachedData())) return;
  });
};

/**
 * Reads the compiled code of a file. Undefined if there is none, or if it is damaged or of another content, which V8 does
 * not check.
 * @param {string} cache
 * @param {string} content
 */
function read(cache, content) {
  try {
    const bytes = fs.readFileSync(cache);
    const data = bytes.subarray(4);
    return bytes.readUInt32LE(0) === crc32(data, crc32(content)) ? data : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes compiled code, so that no process reads half of it. False if it cannot be written: then there is no cache.
 * @param {string} cache
 * @param {string} content
 * @param {Buffer} data
 */
function write(cache, content, data) {
  const unfinished = `${cache}.${process.pid}`;
  try {
    const sum = Buffer.alloc(4);
    sum.writeUInt32LE(crc32(data, crc32(content)));
    fs.mkdirSync(path.dirname(cache), { recursive: true, mode: 0o700 });
    fs.writeFileSync(unfinished, Buffer.concat([sum, data]), { mode: 0o600 });
    fs.renameSync(unfinished, cache);
    return true;
  } catch {
    fs.rmSync(unfinished, { force: true });
    return false;
  }
}
