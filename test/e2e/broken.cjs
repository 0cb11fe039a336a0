// Loaded before the program: a library function that fails as in a bug.
require("node:os").homedir = () => {
  throw new TypeError("broken on purpose");
};
