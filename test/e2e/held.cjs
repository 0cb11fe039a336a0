// Loaded by --require before the program, with --expose-gc: on SIGUSR2 it writes the bytes that are held on the heap, and
// at the end the exit code, to stderr.
const fs = require("node:fs");

process.on("SIGUSR2", () => {
  // What was closed in this turn is let go of in the next ones.
  setTimeout(() => {
    globalThis.gc();
    fs.writeSync(2, `held ${process.memoryUsage().heapUsed} ${process.getActiveResourcesInfo().length}\n`);
  }, 200);
});
process.on("exit", (code) => fs.writeSync(2, `exit ${code}\n`));
