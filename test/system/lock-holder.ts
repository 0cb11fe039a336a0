// Run as a separate process: takes the lock "name" in a folder, says whether it has it, and keeps it.
import { lock } from "../../src/system/lock.ts";

void lock("name", undefined, process.argv[2]).then((held) => console.log(held === undefined ? "busy" : "held"));
setInterval(() => undefined, 1000);
