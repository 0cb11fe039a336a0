/** An HTTP date (RFC 9110, IMF-fixdate): `Sat, 21 Nov 2026 12:00:09 GMT`. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** `Retry-After` (seconds or an HTTP date) in milliseconds; undefined if it is neither, 0, or in the past. */
export function retryAfterDelay(retryAfter: string, now: Date): number | undefined {
  const text = retryAfter.trim();
  // Date.parse would read almost anything as a date: -5 as May 2001.
  const wait = /^\d+$/.test(text)
    ? Number(text) * 1000
    : httpDate.test(text)
      ? Date.parse(text) - now.getTime()
      : Number.NaN;
  return wait > 0 ? wait : undefined;
}
