// Loaded before the program: says when it ends its largest memory, in KiB, and the processor's time, in milliseconds.
process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stderr.write(`peak ${maxRSS}\ncpu ${Math.round((userCPUTime + systemCPUTime) / 1000)}\n`);
});
