import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/**
 * How many packets the system dropped because the receive buffer of this process's UDP socket on a port was full; undefined
 * where the system does not tell: it is known on Linux only.
 */
export function droppedPackets(port: number, proc = "/proc"): number | undefined {
  try {
    const own = new Set(readdirSync(`${proc}/self/fd`).map((name) => linkOf(`${proc}/self/fd/${name}`)));
    const ours = ["udp", "udp6"]
      .flatMap((table) => rowsOf(`${proc}/net/${table}`))
      .find((row) => row.port === port && own.has(`socket:[${row.inode}]`));
    return ours?.dropped;
  } catch {
    return undefined;
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // Closed since; that of the listing itself, for one.
    return "";
  }
}

interface Row {
  readonly port: number;
  readonly inode: string;
  readonly dropped: number;
}

/** Rows such as `41: 0100007F:64E2 00000000:0000 07 00000000:00000000 00:00000000 00000000 0 0 INODE 2 POINTER DROPS`. */
function rowsOf(table: string): Row[] {
  try {
    const lines = readFileSync(table, "utf8").trim().split("\n").slice(1);
    return lines.map((line) => {
      const cells = line.trim().split(/\s+/);
      const port = Number.parseInt(cells[1]?.split(":")[1] ?? "", 16);
      return { port, inode: cells[9] ?? "", dropped: Number(cells[12]) };
    });
  } catch {
    // A system without IPv6.
    return [];
  }
}
