/** Words that a line which tells why something failed has. */
const telling =
  /(^|[^a-z])(error|err!|fail(ed|ure)?|fatal|panic|exception|traceback|exit (code|status) [1-9]\d*|not found|denied|cannot|undefined reference|assert\w*|timed? ?out|no such file)([^a-z]|$)/i;
/** Lines that only say that there was a failure, or that there was none. */
const empty =
  /^(error: )?process completed with exit code|^exit (code|status) \d+$|\b(0|no) (errors?|failures?|failed)\b/i;

const context = 2;
const most = 20;

/**
 * The lines of a failing step that most likely say why, with two lines around each: the last ones that look like an
 * error, else the last lines there are. At most twenty.
 */
export function decisiveLines(lines: readonly string[]): string[] {
  const filled = lines.filter((line) => line.trim() !== "");
  const hits = filled.flatMap((line, index) => (telling.test(line) && !empty.test(line.trim()) ? [index] : []));
  if (hits.length === 0) return filled.slice(-10);
  const wanted = new Set<number>();
  for (const hit of hits.reverse()) {
    const around = Array.from({ length: 2 * context + 1 }, (_, offset) => hit - context + offset);
    const fresh = around.filter((index) => index >= 0 && index < filled.length && !wanted.has(index));
    if (wanted.size + fresh.length > most) break;
    for (const index of fresh) wanted.add(index);
  }
  return [...wanted].sort((one, other) => one - other).flatMap((index) => filled[index] ?? []);
}
