// Preloaded into tongs: writes the name of every module that is required, in order, to the file named.
const { appendFileSync } = require("node:fs");
const Module = require("node:module");
const { basename } = require("node:path");

const load = Module._load;
const seen = new Set();
Module._load = function record(request, ...rest) {
  const name = request.startsWith(".") || request.startsWith("/") ? basename(request) : request;
  if (!seen.has(name)) {
    seen.add(name);
    appendFileSync(process.env.TONGS_TEST_LOADS, `${name.replace(/^chunk-\w+/, "chunk")}\n`);
  }
  return load.call(this, request, ...rest);
};
