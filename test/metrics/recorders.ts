import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { openRecorder, type RecorderOptions } from "../../src/metrics/recorder/recorder.ts";
import { dataBytes, delimitedMessages } from "./data.ts";

/** A recording of 5000 readings, and its messages. */
export const bytes = dataBytes("collectd-5.12.delimited.bin");
export const messages = delimitedMessages(bytes);
const made: string[] = [];
type Recorder = Awaited<ReturnType<typeof openRecorder>>;
const open: Recorder[] = [];

afterEach(() => {
  for (const recorder of open.splice(0)) recorder.close();
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A recorder, which records a message at once, too. */
export type TestedRecorder = Recorder & { readonly record: (message: Uint8Array) => void };

function recordOne(recorder: Recorder, message: Uint8Array): void {
  recorder.add(message, 0, message.length);
  recorder.flush();
}

/** A folder, and recorders of `readings.bin` in it. */
export function scene() {
  const folder = mkdtempSync(join(tmpdir(), "tongs-recorder-"));
  made.push(folder);
  const path = join(folder, "readings.bin");
  const warnings: string[] = [];
  const clock = { now: new Date("2026-11-22T05:59:30Z") };
  async function record(options: Partial<RecorderOptions> = {}): Promise<TestedRecorder> {
    const warn = (message: string) => warnings.push(message);
    const opened = await openRecorder({ path, name: "readings.bin", now: () => clock.now, warn, ...options });
    const recorder = { ...opened, record: (message: Uint8Array) => recordOne(opened, message) };
    open.push(recorder);
    return recorder;
  }
  const close = (recorder: Recorder) => {
    open.splice(open.indexOf(recorder), 1);
    recorder.close();
  };
  const others = () => readdirSync(folder).filter((name) => name !== "readings.bin");
  return { folder, path, warnings, clock, record, close, others };
}

/** The size of the first readings in a recording. */
export const sizeOf = (count: number) => {
  const framed = messages.slice(0, count).reduce((sum, one) => sum + one.length + (one.length < 128 ? 1 : 2), 0);
  return framed;
};
/** The first readings, as a recording. */
export const first = (count: number) => bytes.subarray(0, sizeOf(count));
/** Records some of the readings. */
export const all = (recorder: TestedRecorder, from: number, to: number) => {
  for (const message of messages.slice(from, to)) recorder.record(message);
};
