// Loaded before the program: a library function that fails in it as in a bug.
const path = require("node:path");
const { isAbsolute } = path;
path.isAbsolute = (name) => {
  if (/[\\/]dist[\\/]/.test(new Error().stack.split("\n")[2])) throw new TypeError("broken on purpose");
  return isAbsolute(name);
};
