// Loaded before the program: says when it ends its largest memory, in KiB, and the processor's time, in milliseconds.
const { readFileSync } = require("node:fs");

process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stderr.write(`peak ${ownPeak() ?? maxRSS}\ncpu ${Math.round((userCPUTime + systemCPUTime) / 1000)}\n`);
});

/** On Linux, `maxRSS` is never below the memory of the process that started this one. */
function ownPeak() {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "latin1"))?.[1]) || undefined;
  } catch {
    return undefined;
  }
}
