import type { Failure } from "../failure/failure.ts";
import type { Http } from "../http/client.ts";

/** The time for the last look of a command that polls, which begins when its time is up, in milliseconds. */
const lastLook = 1000;

/** The longest time that a timer takes, in milliseconds. */
const longest = 2 ** 31 - 1;

/** The requests of a command with a time limit, in seconds (0 or undefined: none): the failure ends those that are under way then. */
export function timeLimited(http: Http, limit: number | undefined, failure: Failure): Http {
  if (!limit) return http;
  const ended = new AbortController();
  setTimeout(() => ended.abort(failure), Math.min(limit * 1000 + lastLook, longest)).unref();
  return http.until(ended.signal);
}
