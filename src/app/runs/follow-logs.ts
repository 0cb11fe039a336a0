import { type Job, jobLogFrom } from "../../forge/jobs.ts";
import { readJob } from "../../forge/read-job.ts";
import { NotFoundError } from "../../http/errors.ts";
import { safeLine } from "../../text/safe.ts";
import { compose } from "../../text/styled.ts";
import type { FindContext } from "./find.ts";
import { type LineCutter, type LogLine, lineCutter } from "./log-lines.ts";
import { displayText } from "./log-text.ts";

interface FollowedLog {
  seen: number;
  ended: boolean;
  readonly lines: LineCutter;
}

/** Returns a function that prints the new lines in the logs of jobs at each call, prefixed with the job's name. */
export function followLogs({ http, repo, out }: FindContext): (jobs: readonly Job[]) => Promise<void> {
  const logs = new Map<number, FollowedLog>();
  return async (jobs) => {
    for (const job of jobs) {
      const { isPickedUp, isFinished } = readJob(job);
      if (!isPickedUp) continue;
      const log = logs.get(job.id) ?? { seen: 0, ended: false, lines: lineCutter() };
      logs.set(job.id, log);
      if (log.ended) continue;
      let piece: Buffer;
      try {
        piece = await jobLogFrom(http, repo, job.id, log.seen);
      } catch (error) {
        // A job that has just started may have no log yet; a skipped job has none.
        if (!(error instanceof NotFoundError)) throw error;
        log.ended = isFinished;
        continue;
      }
      log.seen += piece.length;
      log.ended = isFinished;
      const print = async (lines: Iterable<LogLine>) => {
        for (const line of lines) {
          const shown = displayText(line.text, out.palette);
          if (shown === undefined || out.records) continue;
          await out.raw(compose`${out.palette("plain", safeLine(job.name))}\t${shown}\n`);
        }
      };
      await print(log.lines.push(piece));
      if (log.ended) await print(log.lines.end());
    }
  };
}
