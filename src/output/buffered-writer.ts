/** A writer of many small pieces, and the way to be sure that all are out. */
export interface BufferedWriter {
  write(content: string): Promise<void>;
  flush(): Promise<void>;
}

const enough = 64 * 1024;
const done = Promise.resolve();

/**
 * Gathers pieces that come one right after the other, as the rows of a page do, since each write costs more than a row.
 * They go out when there are many, and as soon as something is waited for: no row waits for the next page.
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
      if (pending.length >= enough) return flush();
      scheduled ??= setImmediate(() => void flush());
      return done;
    },
    flush,
  };
}
