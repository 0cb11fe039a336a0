import { StringDecoder } from "node:string_decoder";
import type { Job } from "../../forge/jobs.ts";
import { isFinished } from "../../forge/run-or-task.ts";
import { NotFoundError } from "../../http/errors.ts";
import { isUnset } from "../../output/cells.ts";
import { safeLine } from "../../text/safe.ts";
import { logLines } from "./log-lines.ts";
import { shownText } from "./log-text.ts";
import type { WatchContext } from "./watch-run.ts";

interface Followed {
  seen: number;
  rest: string;
  ended: boolean;
  readonly decoder: StringDecoder;
}

/** Prints at each call what the logs of jobs have beyond what was printed: each line with its job's name before it. */
export function followLogs({ forge, repo, out }: WatchContext): (jobs: readonly Job[]) => Promise<void> {
  const logs = new Map<number, Followed>();
  return async (jobs) => {
    for (const job of jobs) {
      if (isUnset(job.started_at)) continue;
      const log = logs.get(job.id) ?? { seen: 0, rest: "", ended: false, decoder: new StringDecoder("utf8") };
      logs.set(job.id, log);
      if (log.ended) continue;
      let piece: Buffer;
      try {
        piece = await forge.jobs.logFrom(repo, job.id, log.seen);
      } catch (error) {
        // The log of a job that has just begun may not be there yet, or its job was skipped.
        if (!(error instanceof NotFoundError)) throw error;
        log.ended = isFinished(job);
        continue;
      }
      log.seen += piece.length;
      log.ended = isFinished(job);
      const text = log.rest + log.decoder.write(piece);
      const end = log.ended ? text.length : text.lastIndexOf("\n") + 1;
      log.rest = text.slice(end);
      for await (const line of logLines(one(text.slice(0, end)))) {
        const shown = shownText(line.text, out.palette);
        if (shown !== undefined && !out.records) await out.raw(`${out.palette("dim", safeLine(job.name))}\t${shown}\n`);
      }
    }
  };
}

async function* one(text: string): AsyncGenerator<string> {
  yield text;
}
