import { emptyFolder } from "../../support/tongs.ts";
import { type BytesWorld, type RanBytes, tongsBytes } from "./bytes.ts";

/** Runs `metrics serve` on a free port, or `metrics listen`; `port` resolves when it listens. */
export function serving(
  words: readonly string[],
  cwd = emptyFolder(),
  { verb = ["serve", "--listen", "127.0.0.1:0"], ...world }: BytesWorld & { readonly verb?: readonly string[] } = {},
) {
  const abort = new AbortController();
  let found = (_port: number) => {};
  const port = new Promise<number>((resolve) => {
    found = resolve;
  });
  const notes: string[] = [];
  const hangups: (() => void)[] = [];
  const ended: Promise<RanBytes> = tongsBytes(["metrics", ...verb, ...words], {
    ...world,
    cwd,
    signal: abort.signal,
    onHangup: (hangup) => hangups.push(hangup),
    onNote: (text) => {
      notes.push(text);
      const listening = /Listening on \S+:(\d+)/.exec(text);
      if (listening !== null) found(Number(listening[1]));
    },
  });
  const stop = () => abort.abort(new Error("stop"));
  return { port, ended, stop, cwd, notes, hangup: () => hangups.forEach((hangup) => void hangup()) };
}

/** Waits until `holds` returns true. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}
