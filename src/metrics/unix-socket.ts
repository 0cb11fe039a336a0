import { connect } from "node:net";
import { createInterface } from "node:readline";
import { Failure } from "../failure/failure.ts";
import { identifierOf } from "./encode/from-putval.ts";
import { readDouble, readSeconds } from "./encode/numbers.ts";
import { encodeReading, type Reading } from "./reading/codec.ts";

/** How to ask. */
export interface UnixSocketOptions {
  /** In seconds; 0 means no timeout. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Which series are asked for their values. */
  readonly matches: (reading: Pick<Reading, "identifier">) => boolean;
}

// Asked before the first of them is answered: a socket that is full on both sides would stop both.
const askedAtOnce = 100;
// An identifier has at most some hundred bytes.
const longestLine = 1024 * 1024;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "no such socket",
  ECONNREFUSED: "connection refused",
  EACCES: "permission denied",
  ENOTSOCK: "not a socket",
};

/**
 * The current readings of collectd's unixsock plugin, by LISTVAL and GETVAL: values are gauges, and those of counters are
 * rates, as it prints them. Throws a `Failure` without a response, and for one that is not of that protocol.
 */
export async function askUnixSocket(path: string, options: UnixSocketOptions): Promise<Uint8Array[]> {
  const { timeout, signal, matches } = options;
  signal.throwIfAborted();
  const socket = connect({ path });
  let broken: Failure | undefined;
  const fail = (reason: string) => {
    broken ??= new Failure("no_answer", `No response from unix:${path}: ${reason}`, {
      hint: "Check that collectd runs with LoadPlugin unixsock, and SocketFile and SocketPerms of it.",
    });
    socket.destroy();
  };
  socket.on("error", (error: NodeJS.ErrnoException) => fail(reasons[error.code ?? ""] ?? error.code ?? error.message));
  if (timeout > 0) socket.setTimeout(timeout * 1000, () => fail(`nothing within ${timeout} seconds`));
  const stop = () => socket.destroy();
  signal.addEventListener("abort", stop, { once: true });
  let lineSize = 0;
  socket.on("data", (chunk: Buffer) => {
    const end = chunk.lastIndexOf("\n");
    lineSize = end < 0 ? lineSize + chunk.length : chunk.length - end - 1;
    if (lineSize <= longestLine) return;
    broken ??= invalid(`a line of more than ${longestLine} bytes`);
    socket.destroy();
  });
  const reader = createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY });
  // It ends only with its input, which does not end when it is destroyed.
  socket.once("close", () => reader.close());
  const lines = reader[Symbol.asyncIterator]();

  async function nextLine(): Promise<string> {
    const { value, done } = await lines.next().catch(() => ({ value: undefined, done: true }));
    signal.throwIfAborted();
    if (broken !== undefined) throw broken;
    if (done === true) throw new Failure("no_answer", `No response from unix:${path}: the connection was closed`);
    return value ?? "";
  }

  /** The lines of an answer; undefined if collectd does not know what was asked for. */
  async function answer(): Promise<string[] | undefined> {
    const first = await nextLine();
    const count = Number(/^(-?\d+) \S/.exec(first)?.[1] ?? Number.NaN);
    if (count === -1 && /^-1 No such value/i.test(first)) return undefined;
    if (!(count >= 0)) throw unexpected(first);
    const found: string[] = [];
    while (found.length < count) found.push(await nextLine());
    return found;
  }

  function unexpected(line: string): Failure {
    return invalid(`'${line.slice(0, 80)}'`);
  }

  function invalid(what: string): Failure {
    const hint = "Check that it is the socket of collectd's unixsock plugin.";
    return new Failure("bad_data", `unix:${path} sent an invalid response: ${what}`, { hint });
  }

  try {
    socket.write("LISTVAL\n");
    const series = ((await answer()) ?? []).flatMap((line) => {
      const [, time = "", name = ""] = /^(\S+) (.+)$/.exec(line) ?? [];
      const [identifier, at] = [identifierOf(name), readSeconds(time, "time")];
      if (identifier === undefined || at === undefined) throw unexpected(line);
      return matches({ identifier }) ? [{ name, identifier, time: { ...at } }] : [];
    });
    const found: Uint8Array[] = [];
    for (let at = 0; at < series.length; at += askedAtOnce) {
      const some = series.slice(at, at + askedAtOnce);
      for (const { name } of some) socket.write(`GETVAL "${name.replace(/["\\]/g, "\\$&")}"\n`);
      for (const { identifier, time } of some) {
        const values = await answer();
        // It has expired since.
        if (values === undefined) continue;
        const pairs = values.map((line) => {
          const [, name = "", number = ""] = /^([^=]+)=\s*(.*)$/.exec(line) ?? [];
          const gauge = readDouble(/^-?nan$/i.test(number) ? "NaN" : number.replace(/^(-?)inf$/i, "$1Infinity"));
          if (gauge === undefined) throw unexpected(line);
          return { name, gauge };
        });
        found.push(
          encodeReading({
            values: pairs.map(({ gauge }) => ({ value: { $case: "gauge", gauge } })),
            time,
            interval: undefined,
            identifier,
            ds_names: pairs.map(({ name }) => name),
            meta_data: new Map(),
          }),
        );
      }
    }
    return found;
  } finally {
    signal.removeEventListener("abort", stop);
    socket.destroy();
  }
}
