import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { Failure } from "../failure/failure.ts";
import { quoted } from "./archive-failure.ts";
import type { Entry } from "./entry.ts";

/** Bytes read at once, and between two looks at the signal. */
const block = 1024 * 1024;

/** One after the other reads into it, and none waits while it holds something. */
let room: Buffer | undefined;

/**
 * Compares the file that was written for an entry with the size and the CRC of that entry. The file is opened anew by
 * its path, so that it is the file itself that counts. Throws a `Failure` when they differ.
 */
export async function checkWritten(path: string, entry: Entry, signal: AbortSignal): Promise<void> {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const { size } = fstatSync(fd);
    if (size !== entry.size) throw differs(entry, `${size} bytes instead of ${entry.size}`);
    room ??= Buffer.allocUnsafeSlow(block);
    let crc = 0;
    for (let done = 0; done < size; ) {
      const read = readSync(fd, room, 0, Math.min(block, size - done), done);
      if (read === 0) throw differs(entry, "it became shorter");
      crc = crc32(room.subarray(0, read), crc);
      done += read;
      if (done < size) await nextTurn();
      if (signal.aborted) throw signal.reason;
    }
    if (crc !== entry.crc) throw differs(entry, "its checksum differs");
  } finally {
    closeSync(fd);
  }
}

function differs(entry: Entry, how: string): Failure {
  const message = `What was written of ${quoted(entry.name)} is not what the archive holds: ${how}`;
  return new Failure("wrong_content", "failure", message, {
    hint: "Nothing was put in place. Another program may have changed it, or the disk fails.",
  });
}
