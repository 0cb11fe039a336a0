import { existsSync, realpathSync, rmSync } from "node:fs";
import { diskFailure } from "../../failure/disk.ts";
import { Failure } from "../../failure/failure.ts";
import { indexPath } from "../index/format.ts";
import { removeOldest, rotatedFiles, withEnding } from "./rotation.ts";

/** What rotated recordings are converted to. */
export interface Conversion {
  /** The name of the file that replaces a recording. */
  readonly targetOf: (recording: string) => string;
  /** Replaces the recording by the file, which does not exist, without keeping this process from receiving. */
  readonly convert: (files: {
    readonly recording: string;
    readonly target: string;
    readonly signal: AbortSignal;
  }) => Promise<void>;
}

interface Options {
  /** The file that is recorded to. */
  readonly path: string;
  /** How many rotated files to keep, whether converted or not. */
  readonly keep?: number | undefined;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly warn: (message: string) => void;
  readonly conversion: Conversion;
}

/**
 * Converts rotated recordings one after the other, beside the recording. `finished` waits for those that were added, or until
 * the signal aborts, and returns the recordings that are left then, which the next converter begins with.
 */
export type Converter = ReturnType<typeof openConverter>;

/** Opens a converter, and begins with the rotated recordings that an interrupted one left. */
export function openConverter({ path: given, keep, signal, now, warn, conversion }: Options) {
  // Rotated files lie beside the target of a link.
  const path = existsSync(given) ? realpathSync(given) : given;
  let queue = Promise.resolve();
  let waiting: string[] = [];
  const left: string[] = [];

  async function convert(recording: string): Promise<void> {
    // It may have been removed as one of the oldest.
    if (!existsSync(recording)) return;
    try {
      signal.throwIfAborted();
      await conversion.convert({ recording, target: conversion.targetOf(recording), signal });
      rmSync(indexPath(recording), { force: true });
      if (keep !== undefined) removeOldest(path, keep, now());
    } catch (error) {
      if (!existsSync(recording)) return;
      if (signal.aborted) return void left.push(recording);
      const failure = diskFailure(error) ?? error;
      if (failure instanceof Failure && failure.code === "disk") waiting.push(recording);
      // No error ends the recording: the readings are safe in the file that was not converted.
      warn(`${recording} was not converted: ${(failure as Error).message}`);
    }
  }

  async function convertAll(recording: string): Promise<void> {
    const recordings = [...waiting, recording];
    waiting = [];
    for (const one of recordings) await convert(one);
  }

  /**
   * Converts a rotated recording. One that cannot be converted is kept, with a warning; if the disk was the reason, it is
   * tried again with the next one.
   */
  function add(recording: string): void {
    queue = queue.then(() => convertAll(recording));
  }

  for (const { file, isConverted } of rotatedFiles(path, now())) if (!isConverted) add(file);
  return { add, finished: () => queue.then(() => left) };
}

/** `readings.20261122T060000Z.bin` becomes `readings.20261122T060000Z.parquet`, in a process of its own. */
export const toParquet: Conversion = {
  targetOf: (recording) => withEnding(recording, ".parquet"),
  convert: async (files) => (await import("../parquet/convert-process.ts")).convertInProcess(files),
};
