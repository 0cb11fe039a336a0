import type { PlainContext } from "../../app/context.ts";
import { type FlagValues, names, text } from "../../command/flags.ts";
import { addressText, readListenAddress } from "../../metrics/address.ts";
import type { Fields } from "../../metrics/decode/fields.ts";
import type { QueryPatterns } from "../../metrics/grpc/service.ts";
import type { LastReading } from "../../metrics/status/last-readings.ts";
import { type PageServer, servePages } from "../../metrics/status/pages.ts";
import {
  type Counts,
  createMeter,
  type ForwardCounters,
  statusLine,
  statusMetrics,
} from "../../metrics/status/status.ts";
import { progressBlock } from "../../output/progress.ts";

/** Flags of commands that receive readings, for what can be seen of them meanwhile. */
export const receivingFlags = {
  expose: text("serve the last readings as OpenMetrics, at http://HOST:PORT/metrics", {
    names: "address",
    placeholder: "HOST:PORT",
  }),
  statusAddress: text("serve how receiving goes as OpenMetrics, at http://HOST:PORT/metrics", {
    names: "address",
    placeholder: "HOST:PORT",
  }),
  allowHost: names("also accept HTTP requests to this host", { placeholder: "HOST" }),
};

/** What a receiver counts itself. */
export interface ReceiverCounts {
  readonly lost?: Counts;
  readonly refused?: Counts;
  readonly notifications?: number | undefined;
  /** In seconds. */
  readonly lag?: number;
  readonly forward?: ForwardCounters | undefined;
}

const standard = { host: "127.0.0.1", port: 9103 };

/** Opens what the flags ask for. Throws a usage error or a `Failure` if an address cannot be used. */
export async function openReceiving(
  {
    system,
    options,
    out,
    flags,
  }: Pick<PlainContext, "system" | "options" | "out"> & {
    readonly flags: FlagValues<typeof receivingFlags>;
  },
  {
    counts,
    quiet,
    answers,
  }: {
    readonly counts: () => ReceiverCounts & { readonly readings: number };
    readonly quiet: boolean;
    /** Whether the last readings are asked for without --expose, too. */
    readonly answers: boolean;
  },
) {
  const addresses = [flags.expose, flags.statusAddress].map((typed) =>
    typed === undefined ? undefined : readListenAddress(typed, standard),
  );
  const [expose, statusAddress] = addresses;
  const guard = { hosts: [...flags.allowHost, ...addresses.flatMap((one) => one?.host ?? [])] };
  const meter = createMeter(() => system.now().getTime());
  const block = await progressBlock({ system, out, quiet: quiet || options.quiet });
  const servers: PageServer[] = [];
  let [at, late] = [system.now().getTime(), 0];

  const status = () => {
    const { lost = {}, refused = {}, lag = 0, ...counted } = counts();
    return { ...counted, rate: meter.rate(), hosts: meter.hosts(), lost, refused, lag: Math.max(lag, late) };
  };
  async function open(address: typeof expose, page: () => string | Promise<string>, what: string): Promise<void> {
    if (address === undefined) return;
    const server = await servePages(address, guard, page);
    servers.push(server);
    out.note(`${what} at http://${addressText({ ...address, port: server.port })}/metrics`);
  }

  const lastReadings = expose || answers ? await import("../../metrics/status/last-readings.ts") : undefined;
  const last = lastReadings?.createLastReadings(system.now, expose !== undefined);
  try {
    await open(expose, () => last?.page() ?? "", "Last readings");
    await open(statusAddress, () => statusMetrics(status()), "Status");
  } catch (error) {
    for (const server of servers) await server.close();
    throw error;
  }
  return {
    /** A series of the decoder of the session, when it is new. */
    added: (entry: number, fields: Fields) => {
      meter.added(entry, fields);
      last?.added(entry, fields);
    },
    /** A reading of it, whose series this returns for `keep`. */
    reading: (entry: number) => {
      meter.count(entry);
      return last?.series(entry);
    },
    /** That reading, once it is known to be kept. */
    keep: (reading: LastReading) => last?.keep(reading),
    query: (patterns: QueryPatterns) => last?.query(patterns) ?? [],
    /** Shows it again; to be called every second. */
    tick: () => {
      // While this process is too busy for its ticks, what it takes has waited.
      const now = system.now().getTime();
      late = Math.max(0, (now - at) / 1000 - 1);
      at = now;
      meter.tick();
      block?.draw([statusLine(status())]);
    },
    close: async () => {
      block?.clear();
      for (const server of servers) await server.close();
    },
  };
}
