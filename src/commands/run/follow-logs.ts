import { StringDecoder } from "node:string_decoder";
import type { Job } from "../../forge/jobs.ts";
import { isFinished } from "../../forge/run-or-task.ts";
import { NotFoundError } from "../../http/errors.ts";
import { isUnset } from "../../output/cells.ts";
import { safeLine } from "../../text/safe.ts";
import type { FindContext } from "./find.ts";
import { logLines } from "./log-lines.ts";
import { displayText } from "./log-text.ts";

interface FollowedLog {
  seen: number;
  rest: string;
  ended: boolean;
  readonly decoder: StringDecoder;
}

/** Returns a function that prints the new lines in the logs of jobs at each call, prefixed with the job's name. */
export function followLogs({ forge, repo, out }: FindContext): (jobs: readonly Job[]) => Promise<void> {
  const logs = new Map<number, FollowedLog>();
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
        // A job that has just started may have no log yet; a skipped job has none.
        if (!(error instanceof NotFoundError)) throw error;
        log.ended = isFinished(job);
        continue;
      }
      log.seen += piece.length;
      log.ended = isFinished(job);
      const text = log.rest + log.decoder.write(piece);
      const end = log.ended ? text.length : text.lastIndexOf("\n") + 1;
      log.rest = text.slice(end);
      for await (const line of logLines(single(text.slice(0, end)))) {
        const shown = displayText(line.text, out.palette);
        if (shown !== undefined && !out.records) await out.raw(`${out.palette("dim", safeLine(job.name))}\t${shown}\n`);
      }
    }
  };
}

async function* single(text: string): AsyncGenerator<string> {
  yield text;
}
