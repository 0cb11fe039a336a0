// Loaded before the program: says the largest memory, in KiB, and the processor's time, in milliseconds, when it ends.
process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stderr.write(`\npeak ${maxRSS} cpu ${Math.round((userCPUTime + systemCPUTime) / 1000)}\n`);
});
