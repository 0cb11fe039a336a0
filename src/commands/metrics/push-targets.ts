import type { PlainContext } from "../../app/context.ts";
import type { FlagValues } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { addressText, readAddress } from "../../metrics/address.ts";
import type { Fields } from "../../metrics/decode/fields.ts";
import { leftOutText } from "../../metrics/formats/influx.ts";
import type { ForwardFormat } from "../../metrics/forward/formats.ts";
import type { Numbered } from "../../metrics/grpc/sender.ts";
import type { tlsFlags } from "./flags.ts";

/** What a push sends to. */
export interface PushTarget {
  /** Its address, in one spelling. */
  readonly name: string;
  /** Called with the entry of a series of a decoder. */
  readonly added?: (entry: number, fields: Fields) => void;
  /** Why a reading of so many bytes cannot be sent there. */
  readonly problem?: (entry: number, fields: Fields, size: number) => string | undefined;
  /** Throws a `Failure` that says at which message it stopped. */
  readonly send: (readings: readonly Numbered[]) => Promise<void>;
  readonly sent: () => number;
  /** How many readings it refused, and which are not sent again. */
  readonly refused: () => number;
  readonly close: () => void;
}

type Context = Pick<PlainContext, "system" | "options" | "out"> & {
  readonly flags: FlagValues<typeof tlsFlags> & {
    readonly skipErrors: boolean;
    readonly format: ForwardFormat | undefined;
  };
  /** Called with the number of the last message that need not be sent again. */
  readonly onSent: (message: number) => void;
};

// What a gRPC server accepts unless it is configured otherwise; collectd's cannot be.
const maxRequest = 4 * 1024 * 1024;
const wrapperSize = 5;

/** A collectd gRPC server. */
export async function toCollectd(typed: string, { system, options, out, flags, onSent }: Context): Promise<PushTarget> {
  if (/^https?:/i.test(typed)) {
    const hint = "Use --format remote-write, influx or otlp. A gRPC server is HOST:PORT.";
    throw new UsageError(`${typed} is the address of an engine, which needs --format`, hint);
  }
  const address = readAddress(typed);
  // The gRPC library takes longer to load than a short command takes.
  const [{ connectCollectd }, { createRejections }, { createSender }, { loadTls }] = await Promise.all([
    import("../../metrics/grpc/client.ts"),
    import("../../metrics/grpc/service.ts"),
    import("../../metrics/grpc/sender.ts"),
    import("../../metrics/grpc/tls.ts"),
  ]);
  const tls = loadTls(system, flags);
  let rejected = 0;
  const sender = createSender({
    connect: () => connectCollectd(address, { timeout: options.timeout ?? 30, tls, signal: system.signal }),
    sleep: (milliseconds) => system.sleep(milliseconds, system.signal),
    onSent,
    onRejected: (number, failure) => {
      if (!flags.skipErrors) return false;
      rejected += 1;
      out.warn(`Skipped message ${number}: ${failure.message}`);
      return true;
    },
  });
  const { added, reason } = createRejections();
  const problem = (entry: number, fields: Fields, size: number) => {
    const whole = size + wrapperSize;
    if (whole > maxRequest) return `a message of ${whole} bytes exceeds the 4 MiB that servers accept`;
    const rejection = reason(entry, fields);
    return rejection && `collectd would reject this reading: ${rejection}`;
  };

  return { ...sender, name: addressText(address), added, problem, refused: () => rejected };
}

// Further refused readings are only counted.
const maxWarnings = 10;
const retries = 3;

/** An engine that takes readings over HTTP. */
export async function toEngine(typed: string, context: Context): Promise<PushTarget> {
  const { system, out, flags, onSent } = context;
  const { format = "remote-write" } = flags;
  const [{ engineUrl, openEngine }, { createDelivery, refusedText }] = await Promise.all([
    import("./engine.ts"),
    import("../../metrics/forward/delivery.ts"),
  ]);
  const url = engineUrl(typed);
  const { address, post, close } = await openEngine(url, context, flags);
  let [sent, refused, warnings] = [0, 0, 0];
  let sending: readonly Numbered[] = [];
  let reasons = "";
  const delivery = createDelivery({
    format,
    address,
    post,
    retries,
    now: system.now,
    random: system.random,
    sleep: (milliseconds) => system.sleep(milliseconds, system.signal),
    onWait: (failure, milliseconds) => out.note(`${failure.message}; trying again in ${milliseconds / 1000} s`),
    onRefused(which, reason, first) {
      refused += typeof which === "number" ? which : which.length;
      reasons = reason;
      warnings += 1;
      const message = typeof which === "number" ? "" : `message ${sending[first]?.message}: `;
      if (warnings <= maxWarnings) out.warn(`Refused ${message}${refusedText(which)}: ${reason}`);
    },
    onBatch(end, taken) {
      sent += taken;
      if (sent === 0 && refused > 0 && !flags.skipErrors) {
        const hint = "Check its address and --format, or use --skip-errors to go on.";
        throw new Failure("invalid", `${address} refuses all readings: ${reasons}`, { hint });
      }
      onSent(sending[end - 1]?.message ?? 0);
    },
  });

  async function send(readings: readonly Numbered[]): Promise<void> {
    sending = readings;
    try {
      await delivery.send(readings.map(({ encoded }) => encoded));
    } catch (error) {
      if (!(error instanceof Failure) || error.name === "Interruption") throw error;
      const done = `Sent ${sent} ${sent === 1 ? "reading" : "readings"}`;
      const message = `${error.message}\n${done}; those of the last request may have arrived`;
      throw new Failure(error.code, message, { hint: error.hint, cause: error });
    }
  }

  function closeAll(): void {
    close();
    if (warnings > maxWarnings) out.warn(`Refused ${refused} readings; the first are named above`);
    if (delivery.leftOut() > 0) out.note(leftOutText(delivery.leftOut()));
  }

  return {
    name: `${format} ${url.href}`,
    send,
    sent: () => sent,
    refused: () => refused,
    close: closeAll,
  };
}
