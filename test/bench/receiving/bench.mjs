// What `metrics listen` and `metrics serve` take from a fleet: nothing may be lost, and the processor time of a reading or a
// call says how many of them a core takes in a second. That of the programs that send is not counted.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ticksPerSecond = 100;

export async function measure({ node, tongs, env, folder, row }) {
  if (!existsSync("/proc/self/stat"))
    return console.log("  skipped: the processor time of another process is not known");

  /** Runs a receiver while a program beside this file sends to it. */
  async function receive(words, sender, ...load) {
    const receiver = spawn(node, [tongs, "metrics", ...words, "--to", join(folder, `${sender}.bin`)], {
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    const listens = new Promise((resolve) => {
      receiver.stderr.on("data", (text) => {
        said += text;
        const port = /Listening on \S+:(\d+)/.exec(said)?.[1];
        if (port !== undefined) resolve(port);
      });
    });
    const ended = new Promise((resolve) => receiver.once("exit", resolve));
    const port = await listens;
    const time = () => {
      const [user, system] = readFileSync(`/proc/${receiver.pid}/stat`, "utf8").split(") ")[1].split(" ").slice(11, 13);
      return (Number(user) + Number(system)) / ticksPerSecond;
    };
    const before = time();
    const script = join(import.meta.dirname, `${sender}.mjs`);
    const sent = JSON.parse(execFileSync(node, [script, port, ...load.map(String)], { encoding: "utf8", env }));
    const cpu = time() - before;
    receiver.kill("SIGINT");
    await ended;
    return { ...sent, cpu, received: Number(/Received (\d+)/.exec(said)?.[1]) };
  }

  const hosts = [2000, 50];
  for (const [name, ...load] of [
    ["2,000 hosts at once, 10,000/s", ...hosts, 10_000, 30],
    ["2,000 hosts, 40,000/s", ...hosts, 40_000, 60, "even"],
  ]) {
    const { readings, received, cpu } = await receive(["listen", "--udp", "127.0.0.1:0"], "packets", ...load);
    row(`${name}, lost`, undefined, readings - received, { most: 0, of: "readings" });
    row(`${name}, CPU`, undefined, (cpu / readings) * 1e6, { most: 25, of: "µs a reading" });
  }
  for (const [connections, atOnce] of [
    [50, 3],
    [1, 1],
  ]) {
    const { ok, received, cpu } = await receive(["serve", "--listen", "127.0.0.1:0"], "calls", connections, atOnce, 15);
    row(`${connections} senders, OK and not recorded`, undefined, ok - received, { most: 0, of: "calls" });
    // 4,000 calls in a second of a core.
    row(`${connections} senders, CPU`, undefined, (cpu / ok) * 1e6, { most: 250, of: "µs a call" });
  }
}
