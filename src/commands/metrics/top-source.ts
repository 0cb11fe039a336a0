import { createReadStream, statSync } from "node:fs";
import type { PlainContext } from "../../app/context.ts";
import type { FlagValues } from "../../command/flags.ts";
import { Failure, isTransient } from "../../failure/failure.ts";
import { checkReadable, isParquet, readInputs } from "../../metrics/inputs.ts";
import { faultText, handleAlone, type MessageHandler } from "../../metrics/stream/messages.ts";
import { readMessages } from "../../metrics/stream/read-messages.ts";
import { streamSource } from "../../metrics/stream/source.ts";
import { type FollowOptions, followRecording, recorded } from "../../metrics/top/follow-recording.ts";
import { asFailure } from "../../output/report-failure.ts";
import { fullPath } from "../../system/files.ts";
import { currentReadings } from "./current-readings.ts";
import type { tlsFlags } from "./flags.ts";

/** Where readings come from. */
export interface TopSource {
  /**
   * Handles the readings that came since the last call. Returns what is wrong meanwhile, such as a server that does not answer.
   * Throws a `Failure` if nothing can be read the first time, or any more.
   */
  readonly poll: () => Promise<string | undefined>;
  /** Whether it has only the last reading of each series, so that rates need a second one. */
  readonly isLast: boolean;
  /** Whether nothing more will come. */
  readonly hasEnded: () => boolean;
  readonly close: () => void;
}

/** How readings are taken. */
interface TakeOptions extends Pick<FollowOptions, "wanted"> {
  readonly handle: MessageHandler;
  /** Called for a reading that is not valid. */
  readonly onSkipped: (fault: string) => void;
  /** How long a stream is read before its first readings are shown, in seconds. */
  readonly interval: number;
}

type Context = Pick<PlainContext, "system" | "options" | "out"> & { readonly flags: FlagValues<typeof tlsFlags> };

/** Opens HOST:PORT, unix:PATH, `-` or a file. Throws a `Failure` if there is no such file, and a usage error. */
export function openTopSource(typed: string, take: TakeOptions, context: Context): TopSource {
  const isServer = typed.startsWith("unix:") || /^(?:\[[^/]*\]|[^/:]+):\d+$/.test(typed);
  if (isServer) return askServer(typed, take, context);
  const { system } = context;
  if (typed === "-") return readStream("standard input", system.stdin, take, context);
  const path = fullPath(typed, system);
  checkReadable(system, typed, true);
  if (isParquet(path)) return readParquet(typed, take, context);
  if (!statSync(path).isFile()) return readStream(typed, createReadStream(path), take, context);
  const followed = followRecording({ ...take, path, name: typed, signal: system.signal });
  return { ...followed, isLast: false, hasEnded: () => false };
}

function askServer(server: string, { handle, onSkipped }: TakeOptions, context: Context): TopSource {
  const { system, flags } = context;
  let isFirst = true;
  const poll = async () => {
    try {
      const { found } = await currentReadings(server, "*", flags, context);
      handleAlone(handle, found, (fault) => onSkipped(`${server}: skipped a bad reading: ${fault}`));
      isFirst = false;
      return undefined;
    } catch (error) {
      const failure = asFailure(error);
      if (isFirst || !isTransient(failure) || system.signal.aborted) throw error;
      return failure.message;
    }
  };
  return { poll, isLast: true, hasEnded: () => false, close: () => {} };
}

/** Reads Parquet files once: nothing is appended to them. */
function readParquet(name: string, { handle, wanted }: TakeOptions, context: Context): TopSource {
  let isRead = false;
  const poll = async () => {
    const flags = { framing: "auto", skipErrors: true } as const;
    const { failure } = isRead ? {} : await readInputs(context, [name], { flags, handle, wanted });
    if (failure !== undefined) throw failure;
    isRead = true;
    return undefined;
  };
  return { poll, isLast: false, hasEnded: () => isRead, close: () => {} };
}

/** Reads a pipe as it comes. */
function readStream(
  name: string,
  stream: Parameters<typeof streamSource>[0],
  { handle, onSkipped, interval }: TakeOptions,
  { system }: Context,
): TopSource {
  let isFirst = true;
  let result: Awaited<ReturnType<typeof readMessages>> | undefined;
  const { signal } = system;
  const options = recorded({ name, handle, onSkipped, signal });
  const reading = readMessages(streamSource(stream, signal), options).then((ended) => {
    result = ended;
  });
  const poll = async () => {
    await Promise.race([reading, isFirst ? system.sleep(interval * 1000, signal) : undefined]);
    isFirst = false;
    // A program that was killed leaves an incomplete message.
    if (result?.fault === undefined || result.fault.kind === "truncated") return undefined;
    throw new Failure("bad_data", `${name}: ${faultText(result.fault)}`);
  };
  return { poll, isLast: false, hasEnded: () => result !== undefined, close: () => stream.destroy() };
}
