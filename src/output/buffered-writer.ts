/** Writes many small pieces in few writes. */
export interface BufferedWriter {
  write(content: string): Promise<void>;
  flush(): Promise<void>;
}

const flushSize = 64 * 1024;
const done = Promise.resolve();

/**
 * Collects pieces that are written in quick succession, such as the rows of a page, because a write is slower than a row.
 * They are written when there are enough, or in the next turn of the event loop: no row waits for the next page.
 */
export function bufferedWriter(write: (content: string) => Promise<void>): BufferedWriter {
  let pending = "";
  let scheduled: NodeJS.Immediate | undefined;
  let writing = done;

  function flush(): Promise<void> {
    clearImmediate(scheduled);
    scheduled = undefined;
    const content = pending;
    pending = "";
    if (content !== "") writing = writing.then(() => write(content));
    return writing;
  }

  return {
    write(content) {
      pending += content;
      if (pending.length >= flushSize) return flush();
      scheduled ??= setImmediate(() => void flush());
      return done;
    },
    flush,
  };
}
