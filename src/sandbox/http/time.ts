import { refuse } from "./reply.ts";

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(.*)$/s;
const zone = /^(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** What is wrong with an RFC 3339 time, in Gitea's words; undefined for a valid one. */
export function wrongTime(text: string): string | undefined {
  const asked = `parsing time ${JSON.stringify(text)}`;
  const cannot = (rest: string, part: string) =>
    `${asked} as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(rest)} as "${part}"`;
  const parts = rfc3339.exec(text);
  if (parts === null) return /^\d{4}-\d\d-\d\d$/.test(text) ? cannot("", "T") : cannot(text, "2006");
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const rest = parts[7] ?? "";
  const wrong = [
    ["month", month < 1 || month > 12],
    ["hour", hour > 23],
    ["minute", minute > 59],
    ["second", second > 59],
  ].find(([, isWrong]) => isWrong);
  if (wrong !== undefined) return `${asked}: ${wrong[0]} out of range`;
  if (!zone.test(rest)) return cannot(rest, "Z07:00");
  return day < 1 || day > daysIn(year, month) ? `${asked}: day out of range` : undefined;
}

function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** A time in a query, in milliseconds since the epoch; undefined without one. Throws 422, or `status`, for no time. */
export function queryTime(query: URLSearchParams, name: string, status = 422): number | undefined {
  const text = query.get(name) ?? "";
  if (text === "") return undefined;
  const wrong = wrongTime(text);
  return wrong === undefined ? Date.parse(text) : refuse(status, wrong);
}

/** Whether a time is within `since` and `before` of a query, inclusive. Throws 422 where one of them is no time. */
export function inPeriod(query: URLSearchParams): (time: string) => boolean {
  const [since, before] = [queryTime(query, "since"), queryTime(query, "before")];
  return (time) => {
    const at = Date.parse(time);
    return !(since !== undefined && at < since) && !(before !== undefined && at > before);
  };
}
