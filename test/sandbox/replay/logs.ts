const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z /;
/** What a runner says by itself; the words are its version's. */
const byTheRunner =
  /^([\w-]+\(version:|workflow prepared|evaluating expression|expression '|⭐|\s*(✅|❌)|🏁|🧪|Wrote command|Cleaning up|Job '.*' failed|exit status|exitcode|'runs-on' key|No steps found)/u;

/** Whether a text is a job's log, or a piece of one. */
export const isLog = (text: string): boolean => text.split("\n").some((line) => stamp.test(line));

/** What the commands of a job wrote, in order; a line that is cut off at either end is left out. */
export function saidIn(log: string): string[] {
  const whole = log.endsWith("\n") ? log.split("\n") : log.split("\n").slice(0, -1);
  return whole
    .filter((line) => stamp.test(line))
    .map((line) => line.replace(stamp, ""))
    .filter((line) => !byTheRunner.test(line));
}
