// Loaded before the program: says its largest memory, in KiB, when it ends.
process.on("exit", () => process.stderr.write(`peak ${process.resourceUsage().maxRSS}\n`));
