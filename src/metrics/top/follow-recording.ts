import { closeSync, fstatSync, openSync, type Stats, statSync } from "node:fs";
import { Failure } from "../../failure/failure.ts";
import { rangeSource, type Wanted, wantedRanges } from "../index/ranges.ts";
import { openFailure } from "../inputs.ts";
import { foreign, foreignHead, foreignText } from "../stream/foreign.ts";
import { faultText, type MessageHandler } from "../stream/messages.ts";
import { type ReadOptions, readMessages } from "../stream/read-messages.ts";
import { peek } from "../stream/source.ts";

/** How a recording is followed. */
export interface FollowOptions {
  readonly path: string;
  /** The file as given on the command line. */
  readonly name: string;
  readonly handle: MessageHandler;
  /** What is not wanted is not read at first, if an index beside the recording says where it is. */
  readonly wanted: Wanted;
  readonly onSkipped: (fault: string) => void;
  readonly signal: AbortSignal;
}

/** How delimited readings are read: those that are not valid are skipped. */
export function recorded({ name, handle, onSkipped, signal }: Omit<FollowOptions, "path" | "wanted">): ReadOptions {
  return {
    framing: "delimited",
    handle,
    onIdle: () => undefined,
    skip: (fault) => {
      onSkipped(`${name}: skipped ${faultText(fault)}`);
      return true;
    },
    checkAborted: () => signal.throwIfAborted(),
  };
}

interface Opened {
  readonly fd: number;
  readonly stats: Stats;
  /** The end of its last complete message. */
  at: number;
  fault?: string;
}

/**
 * Follows a recording with delimited messages by its path: reads a file that is rotated to its end, then the new one from its
 * start, and one that was truncated once more. Readings may then be handled twice.
 */
export function followRecording(options: FollowOptions) {
  const { path, name, wanted, signal } = options;
  const checkAborted = () => signal.throwIfAborted();
  let current: Opened | undefined;
  let isFirst = true;

  /**
   * Reads what was appended. Returns what is wrong meanwhile: the file was moved, removed or damaged. Throws a `Failure` if it
   * cannot be read the first time.
   */
  async function poll(): Promise<string | undefined> {
    if (current !== undefined) await readOn(current);
    const there = statSync(path, { throwIfNoEntry: false });
    if (there === undefined && !isFirst) return `${name} is not there; waiting for it`;
    const isNew = there?.ino !== current?.stats.ino || there?.dev !== current?.stats.dev;
    if (current === undefined || isNew || fstatSync(current.fd).size < current.at) {
      const next = open();
      if (next instanceof Failure && isFirst) throw next;
      if (next instanceof Failure) return `${next.message}; waiting for it`;
      close();
      current = next;
      await readOn(current);
    }
    isFirst = false;
    return current.fault;
  }

  function open(): Opened | Failure {
    try {
      const fd = openSync(path, "r");
      return { fd, stats: fstatSync(fd), at: 0 };
    } catch (error) {
      const failure = openFailure(error, name);
      if (failure instanceof Failure) return failure;
      throw error;
    }
  }

  async function readOn(file: Opened): Promise<void> {
    const { size } = fstatSync(file.fd);
    if (size <= file.at || file.fault !== undefined) return;
    const isSelective =
      file.at === 0 && (wanted.filter ?? wanted.timeRange.since ?? wanted.timeRange.until) !== undefined;
    const found = isSelective
      ? await wantedRanges({ fd: file.fd, path }, wanted, { mayWrite: false, checkAborted })
      : undefined;
    const ranges = found ?? [{ from: file.at, to: size, messages: 0, count: 0 }];
    const { head, whole } = await peek(rangeSource(file.fd, ranges), foreignHead);
    const isStart = isFirst && file.at === 0;
    const other = isStart ? foreign(name, head) : undefined;
    if (other !== undefined) throw other;
    const { fault, readings } = await readMessages(whole, recorded(options));
    // Only the last message can be incomplete, and it is in the last range.
    const read = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
    const end = ranges.at(-1)?.to ?? size;
    file.at = fault?.kind === "truncated" ? end - (read - fault.at) : end;
    const text = isStart && readings === 0 && fault !== undefined ? foreignText(name, head) : undefined;
    if (text !== undefined) throw text;
    if (fault === undefined || fault.kind === "truncated") return;
    const damage = new Failure("bad_data", `${name}: ${faultText(fault)}`);
    if (isFirst && readings === 0) throw damage;
    file.fault = `${damage.message}; waiting for another file`;
  }

  function close(): void {
    if (current !== undefined) closeSync(current.fd);
    current = undefined;
  }

  return { poll, close };
}
